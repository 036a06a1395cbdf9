/** Roots of one revision that go in an order: what intake stores and signs, and what the lanes make of it. */
import { randomUUID } from 'node:crypto';
import { afterEach, expect, test } from '@jest/globals';
import { checkRunName, type Deployment } from '@nereid/domain/deployment';
import type { PressedCheckRun } from '@nereid/domain/intake';
import { reconcileBranch } from '../../reconcile/reconcile-branch.ts';
import { cancelInLane } from '../../lane/ask-lane.ts';
import { intakeStageOfThisFile } from '../testing/intake-stage.ts';
import { BACKEND, type StagedRepository } from '../testing/staged-repository.ts';

const CONFIG = `version: 1
roots:
  - dir: network
  - { dir: cluster, depends_on: [network] }
  - { dir: app, depends_on: [cluster] }
`;

const ROOTS = {
  'network/main.tf': BACKEND,
  'cluster/main.tf': BACKEND,
  'app/main.tf': BACKEND,
  'nereid.yaml': CONFIG,
};

const stage = intakeStageOfThisFile();

/** Nothing was asked of GitHub that it would not understand. */
afterEach(() => stage.standIn.assertNoRefusedRequests());

/** A push that modifies these roots. */
async function push(rootNames: readonly string[]) {
  const infra = await stage.repository(ROOTS);
  const before = await infra.head();
  const files = rootNames.map((name) => [`${name}/main.tf`, `${BACKEND}# changed`] as const);
  const sha = await infra.commit(Object.fromEntries(files));
  const delivery = randomUUID();
  await stage.deliver(infra.pushes(before, sha), { delivery });
  return { infra, before, sha, delivery };
}

async function cancel(infra: StagedRepository, deployment: Deployment): Promise<void> {
  const asking = { context: stage.context, signal: new AbortController().signal };
  const askedAt = new Date().toISOString();
  const message = { version: 1, requestId: randomUUID(), by: 'wim', askedAt } as const;
  await cancelInLane(asking, infra.repository, deployment, message);
}

/** Once storage has it, too: a Re-run asks there. */
async function refusedIn(infra: StagedRepository, rootName: string): Promise<void> {
  const lane = infra.lane(rootName);
  for (;;) {
    const refused = (await lane.view())?.ended.find(({ progress }) => progress.status === 'refused');
    const { rollout = '' } = refused ?? {};
    const ends = refused && (await stage.context.rolloutRecords.ends(infra.repository, rollout));
    if (ends?.has(rootName)) return;
  }
}

/** The newest check run of a root, as a person presses it. */
function pressed(infra: StagedRepository, rootName: string): PressedCheckRun {
  const found = infra.checkRuns().find(({ name }) => name === checkRunName(rootName));
  if (found === undefined) throw new Error(`expected a check run of ${rootName}`);
  const { id, name, headSha, externalId, conclusion } = found;
  return { id, name, headSha, externalId, conclusion };
}

test('a root waits for the one that it depends on, through one that is not modified, however often it is tried', async () => {
  const { infra, before, sha, delivery } = await push(['network', 'app']);
  await stage.deliver(infra.pushes(before, sha), { delivery, attempt: 2 });

  await infra.lane('app').waitsFor('waits for network, which ');
  const [network] = await infra.lane('network').holds(1);
  const [app] = await infra.lane('app').holds(1);
  const id = `${sha}/${delivery}`;
  expect([network?.rollout, app?.rollout]).toEqual([id, id]);
  const stored = await stage.context.rolloutRecords.read(infra.repository, id);
  expect(stored?.roots).toEqual([
    { rootName: 'network', group: 0, dependsOn: [], deploymentId: network?.id },
    { rootName: 'app', group: 0, dependsOn: ['cluster'], deploymentId: app?.id },
    { rootName: 'cluster', group: 0, dependsOn: ['network'] },
  ]);
});

test('a merge whose webhook was lost keeps its order', async () => {
  const infra = await stage.repository(ROOTS);
  const reconcile = () =>
    reconcileBranch(stage.context, { repository: infra.repository, branch: 'main' }, new AbortController().signal);
  await reconcile();
  await infra.commit({ 'network/main.tf': `${BACKEND}# wider`, 'cluster/main.tf': `${BACKEND}# larger` });
  await reconcile();

  await infra.lane('cluster').waitsFor('waits for network, which ');
});

test('without a root that waits for another, nothing is stored', async () => {
  const { infra, sha, delivery } = await push(['app']);

  const [app] = await infra.lane('app').holds(1);
  expect(app).not.toHaveProperty('rollout');
  expect(await stage.context.rolloutRecords.read(infra.repository, `${sha}/${delivery}`)).toBeUndefined();
});

test('those behind one that failed are not started, and its Re-run brings them along, in their order', async () => {
  const { infra } = await push(['network', 'cluster', 'app']);
  const [network] = await infra.lane('network').holds(1);
  if (network === undefined) throw new Error('expected a deployment of network');
  await infra.lane('app').waitsFor('waits for cluster, which itself waits for other roots');
  await cancel(infra, network);
  await Promise.all([refusedIn(infra, 'cluster'), refusedIn(infra, 'app')]);
  const sentence =
    'network was cancelled, so this was not started. Press Re-run on network: this is deployed again after it.';
  await infra.shownAs(pressed(infra, 'app'), { title: sentence, actions: [] });

  const delivery = randomUUID();
  const result = await stage.deliver(infra.reruns(pressed(infra, 'network')), { delivery });

  expect(result.sentence).toBe('@wim re-runs network, cluster, app');
  expect(result.workflows.toSorted()).toEqual(['app', 'cluster', 'network'].map((name) => infra.lane(name).id));
  await infra.lane('cluster').waitsFor('waits for network, which ');
  expect(await infra.lane('app').holds(2)).toMatchObject([
    { rerun: true, rollout: `${network.revision.sha}/${delivery}` },
    { progress: { status: 'refused' } },
  ]);
});

test('Re-run of one that was not started waits for what failed before it, and says so again', async () => {
  const { infra } = await push(['network', 'cluster']);
  const [network] = await infra.lane('network').holds(1);
  if (network === undefined) throw new Error('expected a deployment of network');
  await cancel(infra, network);
  await refusedIn(infra, 'cluster');
  await infra.lane('cluster').holds(1);
  await infra.shownWith(pressed(infra, 'cluster'), 'network was cancelled');

  await stage.deliver(infra.reruns(pressed(infra, 'cluster')));

  const ends = await infra.lane('cluster').holds(2);
  expect(ends.map(({ rerun }) => rerun).toSorted()).toEqual([false, true]);
  const lane = infra.lane('cluster');
  for (;;) if ((await lane.view())?.ended.length === 2) break;
  expect(await lane.deployments()).toMatchObject([
    { progress: { status: 'refused' } },
    { rerun: true, progress: { status: 'refused', reason: expect.stringContaining('network was cancelled') } },
  ]);
});

test('Re-run all keeps the order', async () => {
  const { infra, sha } = await push(['network', 'cluster']);
  const [network] = await infra.lane('network').holds(1);
  if (network === undefined) throw new Error('expected a deployment of network');
  await cancel(infra, network);
  await refusedIn(infra, 'cluster');
  await infra.shownWith(pressed(infra, 'cluster'), 'network was cancelled');
  await infra.shownWith(pressed(infra, 'network'), 'Cancelled by @wim');

  const result = await stage.deliver(infra.rerunsAll(sha));

  expect(result).toMatchObject({ kind: 'signalled', sentence: '2 of 2 roots are re-run' });
  await infra.lane('cluster').waitsFor('waits for network, which ');
});
