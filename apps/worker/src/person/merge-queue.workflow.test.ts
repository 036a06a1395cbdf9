/** Who merges through a merge queue: its bot merges and pushes, and somebody put the pull request into it. */
import { afterEach, expect, test } from '@jest/globals';
import type { IntakeResult } from '@nereid/domain/intake';
import { aGuardedRepository, planThatWaits, pressConfirm } from '../intake/testing/guarded-plan.ts';
import { intakeStageOfThisFile } from '../intake/testing/intake-stage.ts';
import { BACKEND } from '../intake/testing/staged-repository.ts';

const stage = intakeStageOfThisFile();

afterEach(() => {
  stage.standIn.faults.clear();
});

/** wim confirms a change of ada that this person put into the queue. */
async function confirmsQueued(by: string): Promise<IntakeResult> {
  const { standIn } = stage;
  const infra = await aGuardedRepository(stage, { 'guarded/main.tf': BACKEND });
  const repository = infra.fullName;
  await standIn.setBranchRules(repository, 'main', { requiredChecks: [], mergeQueue: {} });
  const change = { branch: 'feature', files: { 'guarded/a.tf': '' }, message: 'Widen', author: 'ada' };
  await standIn.commit({ repository, ...change });
  const { number } = await standIn.openPullRequest({ repository, title: 'Widen', head: 'feature', author: 'ada' });
  await standIn.enqueue({ repository, number }, by);
  const merged = () => standIn.pullRequest({ repository, number }).merged?.sha;
  const sha = await standIn.waitFor(merged, { what: 'the merge of the queue', deadlineMs: 60_000 });
  const plan = await planThatWaits(stage, infra, sha, { requestedBy: 'github-merge-queue[bot]' });
  return pressConfirm(stage, plan, 'wim');
}

test('who put it into the queue has brought it', async () => {
  expect(await confirmsQueued('wim')).toMatchObject({
    kind: 'refused',
    sentence: expect.stringContaining('@wim may not confirm this: it takes somebody who did not bring this change'),
  });
});

test('somebody else may confirm it', async () => {
  expect(await confirmsQueued('ada')).toMatchObject({ kind: 'signalled' });
});

test('where GitHub does not tell who put it there, it takes an admin', async () => {
  stage.standIn.faults.add({ kind: 'refusal', status: 404, route: /timeline$/, times: 1 });

  expect(await confirmsQueued('ada')).toMatchObject({
    kind: 'refused',
    sentence: expect.stringContaining('GitHub does not know everybody who brought this change'),
  });
});
