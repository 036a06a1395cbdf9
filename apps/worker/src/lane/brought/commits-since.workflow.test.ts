/**
 * The commits that a plan brings are found by git and storage: however they were pushed or merged, and whatever the lane says,
 * their people do not confirm it where a rule asks for a colleague.
 */
import { afterAll, expect, test } from '@jest/globals';
import type { IntakeResult } from '@nereid/domain/intake';
import {
  aGuardedRepository,
  commitTo,
  planThatWaits,
  pressConfirm,
  type GuardedPlan,
} from '../../intake/testing/guarded-plan.ts';
import { intakeStageOfThisFile } from '../../intake/testing/intake-stage.ts';
import type { PushedCommit } from '../../intake/testing/push-commits.ts';
import { BACKEND, type StagedRepository } from '../../intake/testing/staged-repository.ts';

const ROOTS = { 'guarded/main.tf': BACKEND, 'easy/main.tf': BACKEND };
const CHANGE = { 'guarded/a.tf': '' };

const ADA = 'Ada <ada@users.noreply.github.com>';

const ITS_OWN = '@wim may not confirm this: it takes somebody who did not bring this change';
const NOBODY_KNOWS = 'GitHub does not know everybody who brought this change, so it takes admin permission';

const stage = intakeStageOfThisFile();

/** Nothing was asked of GitHub that it would not understand. */
afterAll(() => {
  stage.standIn.assertNoRefusedRequests();
});

/** Commits of a colleague around one of wim. */
const ON_TOP: readonly PushedCommit[] = [
  { path: 'guarded/a.tf', text: '' },
  { path: 'guarded/b.tf', text: '', author: ADA },
];
const BESIDE: readonly PushedCommit[] = [
  { path: 'guarded/a.tf', text: '' },
  { path: 'easy/b.tf', text: '', author: ADA },
];

test.each<readonly [way: string, go: () => Promise<IntakeResult>]>([
  ['the lane leaves out what it deployed before', () => confirmsAfterFailure()],
  ['a merge queue brings it together with the change of somebody else', () => confirmsGroup()],
  ['a colleague pushes it with a commit on top', () => confirmsPushed(ON_TOP)],
  ['a colleague pushes it below a commit of another root', () => confirmsPushed(BESIDE)],
  ['a colleague merges it on their machine, without a pull request', () => confirmsLocalMerge()],
  ['its path is named like a commit of somebody else', () => confirmsMisnamed()],
])('%s: who wrote it does not confirm it', async (_way, go) => {
  const result = await go();

  expect(result).toMatchObject({ kind: 'refused', workflows: [] });
  expect(result.sentence).toContain(ITS_OWN);
});

test('somebody whose earlier change was applied confirms the next one', async () => {
  const { infra, deployment } = await merged();
  await infra.lane('guarded').applied(deployment, 'applied');
  const sha = await adaPushes(infra, [{ path: 'guarded/b.tf', text: '', author: ADA }]);

  expect((await confirms(await waits(infra, sha, { requestedBy: 'ada' }))).kind).toBe('signalled');
});

test('somebody who brought changes of other roots with the same push confirms it', async () => {
  const infra = await aRepository();
  const sha = await adaPushes(infra, [
    { path: 'guarded/a.tf', text: '', author: ADA },
    { path: 'easy/b.tf', text: '' },
  ]);

  expect((await confirms(await waits(infra, sha, { requestedBy: 'ada' }))).kind).toBe('signalled');
});

test('of a root whose beginning is not known, an admin confirms the first deployment', async () => {
  const infra = await stage.repository(ROOTS);
  const sha = await adaPushes(infra, [{ path: 'guarded/a.tf', text: '', author: ADA }]);

  const result = await confirms(await waits(infra, sha, { requestedBy: 'ada' }));

  expect(result.sentence).toContain(NOBODY_KNOWS);
});

test('a push tells where the deployments of a root begin', async () => {
  const infra = await stage.repository(ROOTS);
  const before = await infra.head();
  await adaPushes(infra, [{ path: 'guarded/a.tf', text: '' }]);
  const after = await adaPushes(infra, [{ path: 'guarded/b.tf', text: '', author: ADA }]);
  await stage.deliver({ ...infra.pushes(before, after), sender: 'ada' });
  const [deployment] = await infra.lane('guarded').deployments();

  const checkRun = await infra.ownCheckRun('guarded', after, { externalId: deployment?.id ?? '' });
  const result = await stage.deliver(infra.presses(checkRun, 'confirm'));

  expect(result.sentence).toContain(ITS_OWN);
});

async function aRepository(): Promise<StagedRepository> {
  return aGuardedRepository(stage, ROOTS);
}

async function waits(
  infra: StagedRepository,
  sha: string,
  who: { readonly requestedBy: string },
): Promise<GuardedPlan> {
  return planThatWaits(stage, infra, sha, who);
}

/** Whoever pushes counts, too. */
async function adaPushes(infra: StagedRepository, commits: readonly PushedCommit[]): Promise<string> {
  return infra.pushAll(commits, 'main', 'ada');
}

async function merged(): Promise<GuardedPlan> {
  const infra = await aRepository();
  return waits(infra, await commitTo(stage, infra, { files: CHANGE, author: 'wim' }), { requestedBy: 'wim' });
}

async function confirms(plan: GuardedPlan): Promise<IntakeResult> {
  return pressConfirm(stage, plan, 'wim');
}

async function confirmsPushed(commits: readonly PushedCommit[]): Promise<IntakeResult> {
  const infra = await aRepository();
  return confirms(await waits(infra, await adaPushes(infra, commits), { requestedBy: 'ada' }));
}

/** Two pull requests that a queue merged with one push: that of wim, and then that of ada. */
async function confirmsGroup(): Promise<IntakeResult> {
  const infra = await aRepository();
  let sha = '';
  for (const [author, path] of [
    ['wim', 'guarded/a.tf'],
    ['ada', 'guarded/b.tf'],
  ] as const) {
    const input = { repository: infra.fullName, branch: author, files: { [path]: '' }, message: 'Widen', author };
    await stage.standIn.commit(input);
    const pull = { repository: infra.fullName, title: 'Widen', head: author, author };
    const { number } = await stage.standIn.openPullRequest(pull);
    const merge = { kind: 'squash', by: 'queue[bot]' } as const;
    sha = await stage.standIn.mergePullRequest({ repository: infra.fullName, number }, merge);
  }
  return confirms(await waits(infra, sha, { requestedBy: 'queue[bot]' }));
}

/** The first of two commits is by wim; the head of their branch and the merge are by ada. */
async function confirmsLocalMerge(): Promise<IntakeResult> {
  const infra = await aRepository();
  await infra.commit(CHANGE, 'feature');
  const above = { repository: infra.fullName, branch: 'feature', message: 'B', author: 'ada' };
  const mergeOf = await stage.standIn.commit({ ...above, files: { 'guarded/b.tf': '' } });
  const sha = await adaPushes(infra, [{ path: 'README.md', text: '', author: ADA, mergeOf }]);
  return confirms(await waits(infra, sha, { requestedBy: 'ada' }));
}

/** What git says of the files after such a path must not count for the other commit. */
async function confirmsMisnamed(): Promise<IntakeResult> {
  const infra = await aRepository();
  const earlier = await adaPushes(infra, [{ path: 'guarded/b.tf', text: '', author: ADA }]);
  await adaPushes(infra, [{ path: earlier, text: '' }]);
  await adaPushes(infra, [{ path: 'guarded/a.tf', text: '' }]);
  const sha = await adaPushes(infra, [{ path: 'guarded/c.tf', text: '', author: ADA }]);
  return confirms(await waits(infra, sha, { requestedBy: 'ada' }));
}

/** An apply of an earlier commit failed, and the lane does not say so. */
async function confirmsAfterFailure(): Promise<IntakeResult> {
  const failed = await merged();
  const { infra, deployment } = failed;
  await infra.lane('guarded').applied(deployment, 'failed');
  const sha = await adaPushes(infra, [{ path: 'guarded/b.tf', text: '', author: ADA }]);
  return confirms(await waits(infra, sha, { requestedBy: 'ada' }));
}
