/** What storage says of the deployments for which one waits, for its lane and for permission to apply. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Deployment, EndedStatus, Progress } from '@nereid/domain/deployment';
import type { LaneRecord } from '@nereid/domain/lane';
import { type DependenciesFound, planRollout } from '@nereid/domain/rollout';
import { aLock, aRecord, deploymentAt, progressAs, REPOSITORY, shaAt } from '@nereid/domain/testing';
import { createDeploymentRecords, createLaneRecords, createRolloutRecords } from '@nereid/storage';
import { storeOfEachTest } from '@nereid/storage/testing';
import { pino } from 'pino';
import type { WorkerContext } from '../platform/context.ts';
import { findDependencies } from './find-dependencies.ts';
import { verifyDependencies } from './verify-dependencies.ts';
import { wentBefore } from './went-before.ts';

const ID = `${shaAt(1)}/delivery-1`;

const store = storeOfEachTest();
let context: Parameters<typeof findDependencies>[0] & Parameters<typeof verifyDependencies>[0];

beforeEach(() => {
  context = {
    rolloutRecords: createRolloutRecords(store),
    deploymentRecords: createDeploymentRecords(store),
    laneRecords: createLaneRecords(store),
    temporal: WITHOUT_WORKFLOWS,
    logger: pino({ level: 'silent' }),
    mirrors: { isKnownAncestor: () => Promise.resolve(undefined) },
    forge: { commits: { compare: (_repository, base, head) => Promise.resolve(base < head ? 'ahead' : 'diverged') } },
  };
});

/** No workflow answers, so lanes are as their records say. */
const WITHOUT_WORKFLOWS = {
  connection: {},
  options: { namespace: 'default' },
  withDeadline: () => Promise.reject(new Error('nobody answers')),
  workflow: { getHandle: () => ({}) },
} as unknown as WorkerContext['temporal']; // What is used of it.

/** `app` names `network` and `database`; `web` names `app`. */
async function aRollout(orderedAt = new Date().toISOString(), isRerun = false): Promise<void> {
  const ordering = [
    { rootName: 'app', group: 0, dependsOn: ['network', 'database'] },
    { rootName: 'web', group: 0, dependsOn: ['app'] },
  ];
  const deployed = ['network', 'database', 'app', 'web'].map((rootName) => ({
    rootName,
    deploymentId: `${rootName}-1`,
  }));
  const { owner, name } = REPOSITORY;
  const roots = planRollout(ordering, deployed);
  const rollout = {
    version: 1,
    repository: { owner, name },
    id: ID,
    revision: shaAt(1),
    orderedAt,
    isRerun,
    roots,
  } as const;
  await context.rolloutRecords.write(rollout);
}

function ends(rootName: string, status: EndedStatus): Promise<void> {
  return context.rolloutRecords.end(REPOSITORY, ID, rootName, { kind: 'ended', status });
}

function of(rootName: string, status: Progress['status'], changes: Partial<Deployment> = {}): Deployment {
  const deployment = deploymentAt(1);
  return {
    ...deployment,
    root: { ...deployment.root, name: rootName },
    id: `${rootName}-1`,
    rollout: ID,
    progress: progressAs(status),
    ...changes,
  };
}

async function lane(rootName: string, record: Partial<LaneRecord>): Promise<void> {
  await context.laneRecords.write(aRecord({ rootName, ...record }), null);
}

async function find(rootName: string, shown: string | null = null): Promise<DependenciesFound | undefined> {
  const dependent = { deploymentId: `${rootName}-1`, rootName, rollout: ID, shown };
  return (await findDependencies(context, REPOSITORY, [dependent]))[0];
}

async function stored(deployment: Deployment): Promise<void> {
  const endedAt = new Date().toISOString();
  await context.deploymentRecords.write({ version: 1, repository: REPOSITORY, deployment, endedAt });
}

const verify = (rootName: string) => verifyDependencies(context, REPOSITORY, of(rootName, 'planning'));

describe('a deployment waits', () => {
  test('until all that it names took effect, or were contained in what is deployed', async () => {
    await aRollout();
    await ends('network', 'no-changes');
    await expect(verify('app')).rejects.toMatchObject({ code: 'DEPENDENCY_OPEN' });
    await ends('database', 'skipped');
    await stored(of('database', 'succeeded', { id: 'database-2', revision: deploymentAt(2).revision }));

    expect(await find('app')).toEqual({ kind: 'ready' });
    await expect(verify('app')).resolves.toBeUndefined();
  });

  test('and names the first two, with what they do', async () => {
    await aRollout();
    await lane('network', { running: of('network', 'awaiting-review') });
    await lane('database', { merged: [of('database', 'queued')] });

    expect(await find('app')).toEqual({
      kind: 'waiting',
      clause: 'waits for network, which awaits its review, and for database, which waits in its queue',
    });
  });

  test('and says so of one whose lane is locked', async () => {
    await aRollout();
    await ends('network', 'succeeded');
    await lane('database', { merged: [of('database', 'queued')], lock: aLock() });

    expect(await find('app')).toEqual({ kind: 'waiting', clause: 'waits for database, whose lane is locked' });
  });

  test('and says so of one that has not come to its lane', async () => {
    await aRollout();
    await ends('network', 'succeeded');

    expect(await find('app')).toEqual({
      kind: 'waiting',
      clause: 'waits for database, which has not reached its queue',
    });
  });

  test('without an answer while nothing is news', async () => {
    await aRollout();
    const first = await find('web');
    const shown = first?.kind === 'waiting' ? first.clause : '';

    expect(shown).toBe('waits for app, which has not reached its queue');
    await expect(find('web', shown)).rejects.toMatchObject({ type: 'UNCHANGED', nonRetryable: false });
  });

  test('for the deployment that carries the one it names', async () => {
    await aRollout();
    await ends('network', 'succeeded');
    await context.rolloutRecords.end(REPOSITORY, ID, 'database', { kind: 'carried', deploymentId: 'database-2' });
    await expect(verify('app')).rejects.toMatchObject({ code: 'DEPENDENCY_OPEN' });
    await stored(of('database', 'succeeded', { id: 'database-2' }));

    expect(await find('app')).toEqual({ kind: 'ready' });
    await expect(verify('app')).resolves.toBeUndefined();
  });

  test('for the same merge where the reconciler brought it as another deployment', async () => {
    await aRollout();
    await ends('network', 'succeeded');
    await lane('database', { running: of('database', 'planning', { id: 'database-of-the-reconciler' }) });
    expect(await find('app')).toMatchObject({ kind: 'waiting', clause: expect.stringContaining('being planned') });
    await stored(of('database', 'succeeded', { id: 'database-of-the-reconciler' }));
    await expect(verify('app')).resolves.toBeUndefined();
  });

  test('for the one that carries the same merge, which the reconciler brought', async () => {
    await aRollout();
    await ends('network', 'succeeded');
    const carrier = { deploymentId: 'database-2', revision: shaAt(2) };
    await stored(of('database', 'skipped', { id: 'database-of-the-reconciler', carrier }));

    expect(await find('app')).toMatchObject({ kind: 'waiting' });
    await expect(verify('app')).rejects.toMatchObject({ code: 'DEPENDENCY_OPEN' });
    await stored(of('database', 'succeeded', { id: 'database-2', revision: deploymentAt(2).revision }));
    expect(await find('app')).toEqual({ kind: 'ready' });
    await expect(verify('app')).resolves.toBeUndefined();
  });
});

describe('a deployment is not started', () => {
  test.each<[EndedStatus, string]>([
    ['plan-failed', 'network failed to plan'],
    ['rejected', 'network was rejected'],
    ['expired', 'network got no review in time'],
    ['apply-failed', 'network failed to apply'],
    ['apply-outcome-unknown', 'network was applied with an unknown outcome'],
    ['cancelled', 'network was cancelled'],
    ['refused', 'network was refused'],
    ['host-lost', 'network lost its host'],
  ])('is not started when one before it ended as %s, though others are under way', async (status, how) => {
    await aRollout();
    await ends('network', status);

    expect(await find('app')).toEqual({
      kind: 'failed',
      sentence: `${how}, so this was not started. Press Re-run on network: this is deployed again after it.`,
    });
    await expect(verify('app')).rejects.toMatchObject({ code: 'DEPENDENCY_FAILED' });
  });

  test('when one further before it failed, which is named', async () => {
    await aRollout();
    await ends('network', 'apply-failed');
    await ends('app', 'refused');

    expect(await find('web')).toMatchObject({
      kind: 'failed',
      sentence: expect.stringContaining('network failed to apply, so this was not started'),
    });
  });

  test('when one is said to have ended well and badly', async () => {
    await aRollout();
    await ends('network', 'skipped');
    await ends('network', 'apply-failed');

    expect(await find('app')).toMatchObject({ kind: 'failed' });
  });

  test('when one has not come to its lane for an hour', async () => {
    await aRollout('2026-01-01T00:00:00.000Z');

    expect(await find('web')).toMatchObject({
      kind: 'failed',
      sentence: expect.stringContaining('app never reached its queue'),
    });
  });

  test('when the rollout is gone from storage', async () => {
    expect(await find('app')).toMatchObject({ kind: 'failed' });
    await expect(verify('app')).rejects.toMatchObject({ code: 'ROLLOUT_MISSING' });
  });
});

describe('what somebody at Temporal could make up gives no permission', () => {
  beforeEach(async () => {
    await aRollout();
    await ends('network', 'succeeded');
  });

  test('that another one was skipped', async () => {
    await ends('database', 'skipped');

    await expect(verify('app')).rejects.toMatchObject({ code: 'DEPENDENCY_FAILED' });
  });

  test('that one which succeeded long ago carries it', async () => {
    await stored(of('database', 'succeeded', { id: 'database-0', revision: deploymentAt(0).revision }));
    await context.rolloutRecords.end(REPOSITORY, ID, 'database', { kind: 'carried', deploymentId: 'database-0' });

    await expect(verify('app')).rejects.toMatchObject({ code: 'DEPENDENCY_FAILED' });
  });
});

describe('a plan from before the merge may be made from what has changed since', () => {
  const before = (rootName: string) => wentBefore(context, REPOSITORY, of(rootName, 'planning'));

  test('by a root that goes before this one', async () => {
    await aRollout();
    await stored(of('network', 'no-changes'));
    await stored(of('database', 'succeeded'));

    expect(await before('app')).toBe('database');
  });

  test('by one that goes before that, too', async () => {
    await aRollout();
    await stored(of('app', 'no-changes'));
    await stored(of('network', 'succeeded'));
    await stored(of('database', 'no-changes'));

    expect(await before('web')).toBe('network');
  });

  test('but not where nothing was changed, or nothing goes before', async () => {
    await aRollout();
    await stored(of('network', 'no-changes'));
    await stored(of('database', 'no-changes'));

    expect(await before('app')).toBeUndefined();
    expect(await before('network')).toBeUndefined();
  });
});

test('a deployment without a rollout waits for nothing', async () => {
  const { rollout: _none, ...alone } = of('app', 'planning');

  await expect(verifyDependencies(context, REPOSITORY, alone)).resolves.toBeUndefined();
});
