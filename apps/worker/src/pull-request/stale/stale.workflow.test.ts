/** Plans of pull requests that are out of date: what people see, and what they cannot confirm any more. */
import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { Latest } from '@nereid/domain/lane';
import { aPlan } from '@nereid/domain/testing';
import { DEFAULT_POOL } from '@nereid/domain/root';
import { aDeployment } from '@nereid/domain/testing';
import { openObjectStore } from '@nereid/storage';
import { WorkflowNotFoundError } from '@temporalio/client';
import { intakeStageOfThisFile } from '../../intake/testing/intake-stage.ts';
import { stagePreview } from '../../intake/testing/staged-preview.ts';
import { BACKEND } from '../../intake/testing/staged-repository.ts';
import { endPreview } from '../end-preview.ts';
import { notifyPullRequestsOfDeployment } from '../notify-pull-requests.ts';
import { stagedPullRequests } from '../testing/staged-pull-requests.ts';

const ROOTS = { 'early/main.tf': BACKEND };

const stage = intakeStageOfThisFile();

afterEach(() => stage.standIn.assertNoRefusedRequests());

/** A pull request whose plan is shown, and can be confirmed for its merge. */
async function planned(repository: 'planned' | 'blocked') {
  const infra = await stage.repository(ROOTS, 'acme', true, repository);
  const opened = await infra.pullRequest({ 'early/a.tf': '' });
  const pulls = stagedPullRequests(stage, infra);
  const { checkRun } = await stagePreview(stage, infra, opened);
  await pulls.changed(opened.number, 'opened');
  const shown = await pulls.shows(opened.headSha, 'Plan: 1 to add');
  expect(shown.conclusion).toBe('success');
  const confirm = () => stage.deliver(infra.presses(checkRun, 'merge', 'ada'));
  return { infra, pulls, opened, confirm };
}

describe.each([
  ['show', 'planned', 'success'],
  ['block', 'blocked', 'failure'],
] as const)('with stale: %s, nereid/plan', (_setting, repository, conclusion) => {
  test(`is a ${conclusion} until its root was deployed and planned again, and nobody can confirm the old plan`, async () => {
    const { infra, pulls, opened, confirm } = await planned(repository);
    const merged = (await infra.commit({ 'early/b.tf': '' })).slice(0, 7);
    await pulls.changed(opened.number);
    const outdated = await pulls.shows(opened.headSha, `Out of date: ${merged} was merged`);

    const refused = await confirm();
    await notifyPullRequestsOfDeployment(stage.context, infra.repository, 'early');
    const again = await pulls.shows(opened.headSha, 'Out of date: planning again');

    expect([outdated.conclusion, again.conclusion]).toEqual([conclusion, conclusion]);
    const why = `${merged} was merged since and changes this root. It is planned again once that is deployed.`;
    expect(refused).toMatchObject({ kind: 'refused', sentence: expect.stringContaining(why) });
    for (const preview of await pulls.previews(opened.number)) await pulls.planned(preview);
    await pulls.changed(opened.number);
    expect(await pulls.shows(opened.headSha, 'No changes in 1 root')).toMatchObject({ conclusion: 'success' });
    expect(await confirm()).toMatchObject({ sentence: expect.stringContaining('a newer plan of this root was made') });
  });

  test(`is a ${conclusion} while nobody looks, and nobody can confirm its plan`, async () => {
    const { infra, pulls, opened, confirm } = await planned(repository);
    await infra.commit({ 'README.md': '' });
    const updatedAt = new Date(Date.now() - 15 * 24 * 3_600_000).toISOString();
    Object.assign(stage.standIn.pullRequest(infra.at(opened)), { updatedAt });

    await pulls.changed(opened.number);

    const title =
      conclusion === 'failure'
        ? 'May be out of date (at rest'
        : 'Plan: 1 to add, 0 to change, 0 to destroy, in 1 of 1 root (at rest';
    expect(await pulls.shows(opened.headSha, title)).toMatchObject({ conclusion });
    expect(await confirm()).toMatchObject({
      kind: 'refused',
      sentence: expect.stringContaining('this plan may be out of date'),
    });
  });
});

describe('while the lane is busy with the branch', () => {
  /** A merge of these commits, which wait in the lane. */
  const merges = (...shas: readonly string[]) => {
    const { revision, root, ...more } = aDeployment({ status: 'queued' });
    return shas.map((sha, position) => ({
      ...more,
      id: `merge-${sha}`,
      root: { ...root, name: 'early', dir: 'early' },
      revision: { ...revision, sha, position },
    }));
  };

  test('an old plan stays out of date after the first of two merges, and is made again after the second', async () => {
    const { infra, pulls, opened } = await planned('blocked');
    const [first, second] = [await infra.commit({ 'early/b.tf': '' }), await infra.commit({ 'early/c.tf': '' })];
    const lane = infra.lane('early');
    await lane.record({ merged: merges(first, second) });
    await pulls.changed(opened.number);
    await pulls.shows(opened.headSha, `Out of date: ${second.slice(0, 7)} was merged`);
    const [before] = await pulls.previews(opened.number);

    await lane.record({ merged: merges(second) });
    await notifyPullRequestsOfDeployment(stage.context, infra.repository, 'early');
    await pulls.changed(opened.number);
    const between = await pulls.looked(opened.number, ({ previews }) => previews.length === 1);
    await lane.record({ latest: latestOf(second) });
    await notifyPullRequestsOfDeployment(stage.context, infra.repository, 'early');
    const again = await pulls.shows(
      opened.headSha,
      `Out of date: ${second.slice(0, 7)} was deployed since, planning again`,
    );

    expect(between.previews).toMatchObject([{ deploymentId: before?.deployment.id, outdatedBy: second }]);
    expect(again.conclusion).toBe('failure');
  });

  test('a plan that was made before the lane had the merge says so, too, and can be confirmed no more', async () => {
    const { infra, pulls, opened, confirm } = await planned('planned');
    const merged = await infra.head();
    const [running] = merges(merged);
    await infra.lane('early').record({ ...(running && { running }) });

    await pulls.changed(opened.number);

    const contains = `; contains ${merged.slice(0, 7)}, which is not deployed yet`;
    await pulls.shows(opened.headSha, `Plan: 1 to add, 0 to change, 0 to destroy, in 1 of 1 root${contains}`);
    expect(await confirm()).toMatchObject({
      kind: 'refused',
      sentence: expect.stringContaining('is not deployed yet'),
    });
  });

  test('the lane of one branch says nothing of pull requests into another one', async () => {
    const { infra, pulls, opened } = await planned('planned');
    const [running] = merges(await infra.head());
    const elsewhere = running && { ...running, revision: { ...running.revision, branch: 'release' } };
    await infra.lane('early').record({ ...(elsewhere && { running: elsewhere }) });

    await pulls.changed(opened.number);
    await notifyPullRequestsOfDeployment(stage.context, infra.repository, 'early');

    await pulls.shows(opened.headSha, 'Out of date: planning again');
  });

  test('a deployment whose own end is stored does not count, although the record of the lane still has it', async () => {
    const { infra, pulls, opened } = await planned('planned');
    const merged = await infra.commit({ 'early/b.tf': '' });
    const [running] = merges(merged);
    if (running === undefined) throw new Error('expected a merge, found none');
    await infra.lane('early').record({ running });
    await pulls.changed(opened.number);
    await pulls.shows(opened.headSha, `Out of date: ${merged.slice(0, 7)} was merged`);

    await infra.recordEnded({ ...running, progress: aDeployment({ status: 'rejected' }).progress });
    await notifyPullRequestsOfDeployment(stage.context, infra.repository, 'early');

    await pulls.shows(opened.headSha, 'Out of date: planning again');
  });

  test.each([
    ['planned', 'success'],
    ['blocked', 'failure'],
  ] as const)('a new plan says what it contains besides, and is no review: %s', async (repository, conclusion) => {
    const infra = await stage.repository(ROOTS, 'acme', true, repository);
    const merged = await infra.commit({ 'early/b.tf': '' });
    const [running] = merges(merged);
    await infra.lane('early').record({ ...(running && { running }) });
    const opened = await infra.pullRequest({ 'early/a.tf': '' });
    const pulls = stagedPullRequests(stage, infra);
    await pulls.changed(opened.number, 'opened');
    await pulls.shows(opened.headSha, 'Planning 1 root');
    const [preview] = await pulls.previews(opened.number);
    if (preview === undefined) throw new Error('expected a preview, found none');
    await pulls.planned(preview);
    await pulls.changed(opened.number);

    const contains = `; contains ${merged.slice(0, 7)}, which is not deployed yet`;
    const shown = await pulls.shows(opened.headSha, `No changes in 1 root${contains}`);
    await infra.lane('early').record({ latest: latestOf(merged) });
    await notifyPullRequestsOfDeployment(stage.context, infra.repository, 'early');
    await pulls.shows(opened.headSha, `Out of date: ${merged.slice(0, 7)} was deployed since, planning again`);
    const [renewed] = (await pulls.latestLook(opened.number))?.previews ?? [];

    expect(shown.conclusion).toBe(conclusion);
    expect(preview.deployment.preview?.forMerge).toBeUndefined();
    expect(renewed).not.toHaveProperty('ahead');
  });
});

/** As if it had just been applied. */
function latestOf(revision: string): Latest {
  return { deploymentId: 'd', revision, trigger: 'merge', status: 'succeeded', at: new Date().toISOString() };
}

test('what was planned before a pull request was closed is planned again when it is opened again', async () => {
  const { infra, pulls, opened } = await planned('planned');
  const [before] = (await pulls.latestLook(opened.number))?.previews ?? [];
  await stage.standIn.closePullRequest(infra.at(opened), 'wim');
  await pulls.changed(opened.number, 'closed');
  await pulls.looked(opened.number, ({ isOpen }) => !isOpen);
  await stage.standIn.reopenPullRequest(infra.at(opened), 'wim');

  await pulls.changed(opened.number, 'reopened');

  const { previews } = await pulls.looked(opened.number, ({ isOpen }) => isOpen);
  expect(previews).toHaveLength(1);
  expect(previews[0]?.deploymentId).not.toBe(before?.deploymentId);
});

test('a manual deployment by another pull request is named, and does not hold up new plans', async () => {
  const { infra, pulls, opened } = await planned('planned');
  const sha = await infra.commit({ 'early/b.tf': '' }, 'other');
  const { revision, root, ...more } = aDeployment({ status: 'awaiting-review' });
  const byHand = { ...more, id: 'manual', trigger: 'manual', rerun: false, revision: { ...revision, sha } } as const;
  const waits = [{ ...byHand, root: { ...root, name: 'early', dir: 'early' } }];
  await infra.lane('early').record({ manual: waits, latest: { ...latestOf(sha), trigger: 'manual' } });

  await notifyPullRequestsOfDeployment(stage.context, infra.repository, 'early');

  await pulls.shows(opened.headSha, `Out of date: ${sha.slice(0, 7)} was deployed since, planning again`);
});

test('a deployment has plans made again even if what is known of the state is broken', async () => {
  const { infra, pulls, opened } = await planned('planned');
  const store = await openObjectStore(stage.context.server.current().storage.deployments);
  await store.put(`seen-states/${infra.fullName}/early.json`, Buffer.from('{'));
  store.close();

  await notifyPullRequestsOfDeployment(stage.context, infra.repository, 'early');

  expect(await pulls.shows(opened.headSha, 'Out of date: planning again')).toMatchObject({ conclusion: 'success' });
});

describe('a state that changed outside of Nereid', () => {
  const OUTSIDE = 'Out of date: the state changed outside of Nereid, planning again';

  /** Two pull requests whose plans are of these states. */
  async function twoPlanned(states: readonly [string, string] = ['7 a', '7 a']) {
    const infra = await stage.repository(ROOTS, 'acme', true, 'blocked');
    const pulls = stagedPullRequests(stage, infra);
    const [one, other] = [await infra.pullRequest({ 'early/a.tf': '' }), await infra.pullRequest({ 'early/b.tf': '' })];
    /** Ends the plan of a pull request as a host would, which has found this state. */
    async function found(number: number, stateVersion: string): Promise<void> {
      const [record] = await pulls.previews(number);
      if (record === undefined) throw new Error(`expected a preview of #${number}`);
      const { deployment } = record;
      await terminated(deployment.id);
      const jobs = { plan: { id: randomUUID(), startedAt: new Date().toISOString() } };
      const progress = {
        ...deployment.progress,
        status: 'planned',
        jobs,
        plan: aPlan({ hasChanges: false, reviewRequired: false, stateVersion }),
      } as const;
      const ended = { ...record, deployment: { ...deployment, progress }, endedAt: new Date().toISOString() };
      const attempt = { number: 1, signal: new AbortController().signal, startToCloseMs: 60_000 };
      await endPreview(stage.context, { record: ended, audits: [], deletesPlan: false }, attempt);
    }
    for (const [{ number, headSha }, stateVersion] of [
      [one, states[0]],
      [other, states[1]],
    ] as const) {
      await pulls.changed(number, 'opened');
      await pulls.shows(headSha, 'Planning 1 root');
      await found(number, stateVersion);
      await pulls.shows(headSha, 'No changes in 1 root');
    }
    const planAgain = async ({ number }: typeof one) => {
      const before = (await pulls.latestLook(number))?.previews[0]?.deploymentId;
      await stage.deliver(infra.says({ ...one, number }, 'nereid plan'));
      await pulls.looked(number, ({ previews }) => previews[0]?.deploymentId !== before);
    };
    return { infra, pulls, one, other, found, planAgain };
  }

  test('has the plans of the other pull requests made again once one plan finds it, and says why', async () => {
    const { pulls, one, other, found, planAgain } = await twoPlanned();
    await planAgain(one);
    const ids = async ({ number }: typeof one) => (await pulls.previews(number)).map(({ deployment }) => deployment.id);
    const own = await ids(one);

    await found(one.number, '8 a');

    expect(await pulls.shows(other.headSha, OUTSIDE)).toMatchObject({ conclusion: 'failure' });
    await found(other.number, '8 a');
    expect(await pulls.shows(other.headSha, 'No changes in 1 root')).toMatchObject({ conclusion: 'success' });
    await pulls.shows(one.headSha, 'No changes in 1 root');
    expect(await ids(one)).toEqual(own);
  });

  test('is none where a pull request has another backend: both come to rest', async () => {
    const { infra, pulls, one, other, found, planAgain } = await twoPlanned(['0 ', '7 a']);
    const seen = () => stage.context.seenStates.read(infra.repository, 'early');
    const first = await seen();
    expect(first).toMatchObject({ stateVersion: '7 a', isOutside: true });
    await pulls.shows(one.headSha, OUTSIDE);

    await found(one.number, '0 ');
    await pulls.shows(one.headSha, 'No changes in 1 root');
    await planAgain(other);
    await found(other.number, '7 a');
    await pulls.shows(other.headSha, 'No changes in 1 root');

    // Nothing that anybody was told of.
    expect(await seen()).toEqual(first);
  });

  test('is none where a deployment has changed it', async () => {
    const { infra, pulls, one, other, found } = await twoPlanned();

    await notifyPullRequestsOfDeployment(stage.context, infra.repository, 'early');
    await pulls.shows(one.headSha, 'Out of date: planning again');
    await found(one.number, '8 a');

    await pulls.shows(one.headSha, 'No changes in 1 root');
    await pulls.shows(other.headSha, 'Out of date: planning again');
    expect(await stage.context.seenStates.read(infra.repository, 'early')).toMatchObject({
      ...{ stateVersion: '8 a', isOutside: false },
    });
  });

  test('is none while an apply changes it', async () => {
    const { infra, pulls, one, found, planAgain } = await twoPlanned();
    const revision = { sha: one.headSha, branch: 'main', position: 1, title: 'A change', author: 'wim' };
    const root = { name: 'early', onFailure: 'continue' } as const;
    const deployment = {
      id: randomUUID(),
      revision,
      trigger: 'merge',
      rerun: false,
      requestedBy: 'wim',
      root,
    } as const;
    const at = new Date().toISOString();
    const last = { deployment, at, pool: DEFAULT_POOL, jobIds: ['j1'] };
    await stage.context.laneTurns.change(infra.repository, 'early', () => Promise.resolve({ last }));
    await stage.context.begunApplies.of(DEFAULT_POOL).begin(deployment.id, { hostId: 'h1', jobId: 'j1' });
    await planAgain(one);

    await found(one.number, '8 a');

    await pulls.shows(one.headSha, 'No changes in 1 root');
    expect(await stage.context.seenStates.read(infra.repository, 'early')).toMatchObject({ stateVersion: '7 a' });
  });
});

/** A look is stored before its previews are started. */
async function terminated(workflowId: string): Promise<void> {
  for (;;) {
    try {
      await stage.context.temporal.workflow.getHandle(workflowId).terminate('planned');
      return;
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    }
  }
}
