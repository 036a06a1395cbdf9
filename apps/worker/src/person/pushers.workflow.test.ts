/**
 * Commits that no pull request brought name whomever their author likes. Who pushed them is what GitHub says of the branch,
 * whatever became of the webhook, and whatever the lane says: where a rule asks for a colleague, that person does not confirm.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from '@jest/globals';
import type { IntakeResult } from '@nereid/domain/intake';
import { aDeployment } from '@nereid/domain/testing';
import type { MergeInput, NewPullRequest } from '@nereid/github-stand-in';
import { reconcileBranch } from '../reconcile/reconcile-branch.ts';
import { aGuardedRepository, planThatWaits, pressConfirm } from '../intake/testing/guarded-plan.ts';
import { intakeStageOfThisFile } from '../intake/testing/intake-stage.ts';
import type { PushedCommit } from '../intake/testing/push-commits.ts';
import { BACKEND, type StagedRepository } from '../intake/testing/staged-repository.ts';

const ROOTS = { 'guarded/main.tf': BACKEND, 'easy/main.tf': BACKEND };

const ADA = 'Ada <ada@users.noreply.github.com>';
const OF_ADA: PushedCommit = { path: 'guarded/a.tf', text: '', author: ADA };
const OTHER_ROOT: PushedCommit = { path: 'easy/a.tf', text: '', author: ADA };

const ITS_OWN = '@wim may not confirm this: it takes somebody who did not bring this change';
const NOBODY_KNOWS = 'GitHub does not know everybody who brought this change, so it takes admin permission';

const stage = intakeStageOfThisFile();

/** Nothing was asked of GitHub that it would not understand. */
afterAll(() => {
  stage.standIn.assertNoRefusedRequests();
});

test.each<readonly [way: string, go: () => Promise<IntakeResult>]>([
  ['the webhook is lost, and the reconciler brings it', () => confirmsLost([OF_ADA])],
  [
    'the reconciler brings it, and a commit of another root was pushed on top',
    () => confirmsLost([OF_ADA, OTHER_ROOT]),
  ],
  ['the lane leaves out its deployment, and a colleague has it run again', () => confirmsOmitted(0)],
  ['the lane has forgotten its deployment after fifty others', () => confirmsOmitted(50)],
])('%s: who pushed a commit in the name of a colleague does not confirm it', async (_way, go) => {
  const result = await go();

  expect(result).toMatchObject({ kind: 'refused', workflows: [] });
  expect(result.sentence).toContain(ITS_OWN);
});

test.each(['merge', 'squash', 'rebase'] as const)(
  'who pushed to the branch of a pull request does not confirm it, also after the branch was deleted: %s',
  async (kind) => {
    const infra = await aRepository();
    const sha = await mergesOfAda(infra, { kind, deleteBranch: true });
    const plan = await planThatWaits(stage, infra, sha, { requestedBy: 'ada' });

    expect((await pressConfirm(stage, plan, 'wim')).sentence).toContain(ITS_OWN);
    expect((await pressConfirm(stage, plan, 'bea')).kind).toBe('signalled');
  },
);

test('who pushed to a branch that was merged into that of the pull request does not confirm it', async () => {
  const infra = await aRepository();
  const repository = infra.fullName;
  const commit = { message: 'Widen', author: 'ada' } as const;
  await stage.standIn.commit({ repository, branch: 'feature', files: { 'guarded/b.tf': '' }, ...commit });
  await stage.standIn.commit({ repository, branch: 'part', files: { 'guarded/c.tf': '' }, ...commit });
  await infra.pushAll([OF_ADA], 'part');
  const open = (head: string, base: string) =>
    stage.standIn.openPullRequest({ repository, title: 'Widen', head, base, author: 'ada' });
  const [part, whole] = [await open('part', 'feature'), await open('feature', 'main')];
  await stage.standIn.mergePullRequest({ repository, number: part.number }, { kind: 'squash', by: 'ada' });
  const sha = await stage.standIn.mergePullRequest({ repository, number: whole.number }, { kind: 'merge', by: 'ada' });
  const plan = await planThatWaits(stage, infra, sha, { requestedBy: 'ada' });

  expect((await pressConfirm(stage, plan, 'wim')).sentence).toContain(ITS_OWN);
});

test('who pushed to the branch of an open pull request does not confirm its deployment by hand', async () => {
  const infra = await aRepository();
  const { headSha } = await pullRequestOfAda(infra);
  const plan = await planThatWaits(stage, infra, headSha, { trigger: 'manual', requestedBy: 'ada' });

  expect((await pressConfirm(stage, plan, 'wim')).sentence).toContain(ITS_OWN);
});

test('of a pull request from a fork, whose pushes GitHub does not tell, only an admin knows enough', async () => {
  const infra = await aRepository();
  const sha = await mergesOfAda(infra, { kind: 'merge' }, { fromDeletedFork: true });
  const plan = await planThatWaits(stage, infra, sha, { requestedBy: 'ada' });

  expect((await pressConfirm(stage, plan, 'bea')).sentence).toContain(NOBODY_KNOWS);
});

test('who asked for a deployment by hand does not confirm the next one, although the lane leaves that out', async () => {
  const infra = await aRepository();
  const change = { branch: 'feature', files: { 'guarded/a.tf': '' }, message: 'Widen', author: 'ada' };
  const sha = await stage.standIn.commit({ repository: infra.fullName, ...change });
  await stage.standIn.openPullRequest({ repository: infra.fullName, title: 'Widen', head: 'feature', author: 'ada' });
  const byHand = { trigger: 'manual', requestedBy: 'wim' } as const;
  const first = await planThatWaits(stage, infra, sha, byHand);
  await infra.recordEnded({ ...first.deployment, progress: aDeployment({ status: 'apply-failed' }).progress });
  const again = await planThatWaits(stage, infra, sha, { ...byHand, requestedBy: 'ada' });

  const result = await pressConfirm(stage, again, 'wim');

  expect(result.sentence).toContain(ITS_OWN);
});

test('where an App pushed it, only an admin knows enough to confirm it', async () => {
  const infra = await aRepository();
  const change = { branch: 'feature', files: { 'guarded/a.tf': '' }, message: 'Widen', author: 'ada' };
  const sha = await stage.standIn.commit({ repository: infra.fullName, ...change });
  await stage.standIn.forcePush({ repository: infra.fullName, branch: 'main', to: sha, by: 'ci[bot]' });
  const plan = await planThatWaits(stage, infra, sha, { requestedBy: 'ci[bot]' });

  const result = await pressConfirm(stage, plan, 'wim');

  expect(result.sentence).toContain(NOBODY_KNOWS);
});

test('the reconciler orders a lost push in the name of the person who pushed it', async () => {
  const infra = await aRepository();
  await reconcile(infra);
  await infra.pushAll([OF_ADA]);

  await reconcile(infra);

  expect(await infra.lane('guarded').deployments()).toMatchObject([{ trigger: 'merge', requestedBy: 'wim' }]);
});

async function aRepository(): Promise<StagedRepository> {
  return aGuardedRepository(stage, ROOTS);
}

/** All commits are by ada, and wim pushed the last of them. */
async function pullRequestOfAda(infra: StagedRepository, more: Partial<NewPullRequest> = {}) {
  const repository = infra.fullName;
  const change = { branch: 'feature', files: { 'guarded/b.tf': '' }, message: 'Widen', author: 'ada' };
  await stage.standIn.commit({ repository, ...change });
  const headSha = await infra.pushAll([OF_ADA], 'feature');
  const input = { repository, title: 'Widen', head: 'feature', author: 'ada', ...more };
  const { number } = await stage.standIn.openPullRequest(input);
  return { number, headSha };
}

async function mergesOfAda(
  infra: StagedRepository,
  merge: Omit<MergeInput, 'by'>,
  more: Partial<NewPullRequest> = {},
): Promise<string> {
  const { number } = await pullRequestOfAda(infra, more);
  return stage.standIn.mergePullRequest({ repository: infra.fullName, number }, { by: 'ada', ...merge });
}

/** The reconciler finds the push of wim. */
async function confirmsLost(commits: readonly PushedCommit[]): Promise<IntakeResult> {
  const infra = await aRepository();
  await reconcile(infra);
  await infra.pushAll(commits);
  await reconcile(infra);
  const [deployment] = await infra.lane('guarded').deployments();
  const { id = '', revision } = deployment ?? {};
  const checkRun = await infra.ownCheckRun('guarded', revision?.sha ?? '', { externalId: id });
  return stage.deliver(infra.presses(checkRun, 'confirm'));
}

async function reconcile({ repository }: StagedRepository): Promise<void> {
  await reconcileBranch(stage.context, { repository, branch: 'main' }, new AbortController().signal);
}

/** `reruns`: how many re-runs by ada the lane remembers, instead of the deployment that wim pushed. */
async function confirmsOmitted(reruns: number): Promise<IntakeResult> {
  const infra = await aRepository();
  const sha = await infra.pushAll([OF_ADA]);
  const again = await planThatWaits(stage, infra, sha, { trigger: 'manual', rerun: true, requestedBy: 'ada' });
  const checkRun = await infra.review(again.deployment);
  const { progress } = aDeployment({ status: 'rejected' });
  const rejected = Array.from({ length: reruns }, () => ({ ...again.deployment, id: randomUUID(), progress }));
  const ended = await Promise.all(rejected.map((one) => infra.recordEnded(one)));
  await infra.lane('guarded').record({ running: again.deployment, ended });
  return stage.deliver(infra.presses(checkRun, 'confirm'));
}
