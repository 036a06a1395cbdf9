import { beforeEach, describe, expect, test } from '@jest/globals';
import type { EndedStatus } from '@nereid/domain/deployment';
import type { LaneRecord, Undeployed } from '@nereid/domain/lane';
import { aLock, aPress, aRecord, deploymentAt, NOW, progressAs, REPOSITORY, shaAt } from '@nereid/domain/testing';
import { createDeploymentRecords, createLaneRecords, createLaneTurns } from '@nereid/storage';
import { storeOfEachTest } from '@nereid/storage/testing';
import { pino } from 'pino';
import type { JudgedCommit } from './judged-commit.ts';
import { readRoot, rootAt, type RootAt, type RootAtContext } from './root-at.ts';

const store = storeOfEachTest();
let context: RootAtContext;

beforeEach(() => {
  context = {
    deploymentRecords: createDeploymentRecords(store),
    laneRecords: createLaneRecords(store),
    laneTurns: createLaneTurns(store),
    // No workflow answers, so deployments are as their records say.
    temporal: {
      withDeadline: () => Promise.reject(new Error('nobody answers')),
      workflow: { getHandle: () => ({}) },
    } as unknown as RootAtContext['temporal'],
    logger: pino({ level: 'silent' }),
  };
});

interface Branch {
  /** The positions of the commits that change the root. */
  readonly changes?: readonly number[];
  readonly reconciledTo?: number;
}

/** On a straight branch, whose commits are named by their positions. */
function commitAt(position: number, { changes = [], reconciledTo }: Branch): JudgedCommit {
  return {
    repository: REPOSITORY,
    sha: shaAt(position),
    rootNames: new Set(['network']),
    ...{ idleRules: [], unmatched: [] },
    reconciledTo: reconciledTo === undefined ? undefined : shaAt(reconciledTo),
    isIn: (head) => Promise.resolve(Number(head) >= position),
    changedSince: (from) =>
      Promise.resolve(new Set(changes.some((at) => at > Number(from) && at <= position) ? ['network'] : [])),
  };
}

async function ended(position: number, status: EndedStatus): Promise<void> {
  const review = { answer: 'rejected', by: 'bob', at: NOW, press: aPress() } as const;
  const progress = { ...progressAs(status), ...(status === 'rejected' && { review }) };
  const endedAt = new Date(Date.parse(NOW) + position).toISOString();
  const deployment = deploymentAt(position, { progress });
  await context.deploymentRecords.write({ version: 1, repository: REPOSITORY, deployment, endedAt });
}

function undeployed(position: number, status: EndedStatus): Undeployed {
  const { id: deploymentId, revision, trigger, rerun, requestedBy } = deploymentAt(position);
  return { deploymentId, revision, trigger, rerun, requestedBy, status, at: NOW };
}

async function lane(record: Partial<LaneRecord>): Promise<void> {
  await context.laneRecords.write(aRecord(record), null);
}

async function at(position: number, branch: Branch = {}): Promise<RootAt> {
  const commit = commitAt(position, branch);
  return rootAt(context, commit, 'network', await readRoot(context, REPOSITORY, 'network'));
}

describe('a root has a commit', () => {
  test.each<EndedStatus>(['succeeded', 'no-changes'])('that was deployed (%s), and all before it', async (status) => {
    await ended(3, status);

    expect(await at(3, { changes: [3] })).toEqual({ kind: 'applied' });
    expect(await at(2, { changes: [2, 3] })).toEqual({ kind: 'applied' });
  });

  test('that changes nothing of it, nor does any since it was deployed', async () => {
    await ended(3, 'succeeded');

    expect(await at(5, { changes: [3] })).toEqual({ kind: 'unchanged' });
  });

  test('although later deployments failed', async () => {
    await ended(3, 'succeeded');
    await ended(4, 'apply-failed');
    await ended(5, 'plan-failed');

    expect(await at(3, { changes: [3, 4, 5] })).toEqual({ kind: 'applied' });
  });

  test('that was on the branch before Nereid was', async () => {
    expect(await at(2, { changes: [1, 2], reconciledTo: 4 })).toEqual({ kind: 'unchanged' });
  });
});

describe('a root lacks a commit', () => {
  test('that changes it, or that comes after one that does', async () => {
    await ended(3, 'succeeded');
    await lane({ merged: [deploymentAt(4)] });

    const waits = { kind: 'waiting', clause: 'which waits in its queue' };
    expect([await at(4, { changes: [4] }), await at(5, { changes: [4] })]).toEqual([waits, waits]);
  });

  test('since an older one was deployed again', async () => {
    await ended(4, 'succeeded');
    await context.deploymentRecords.write({
      ...{ version: 1, repository: REPOSITORY, endedAt: new Date().toISOString() },
      deployment: deploymentAt(2, { id: 'again', progress: progressAs('succeeded') }),
    });

    expect(await at(4, { changes: [4] })).toMatchObject({ kind: 'waiting' });
  });

  test('whose push has not come yet, whatever was rejected before', async () => {
    await ended(3, 'succeeded');
    await ended(4, 'rejected');
    await lane({ undeployed: [undeployed(4, 'rejected')] });

    expect(await at(5, { changes: [4, 5] })).toEqual({ kind: 'waiting', clause: 'which has not reached its queue' });
  });

  test('before the first look at the repository, and while the first deployment waits', async () => {
    expect(await at(2)).toEqual({ kind: 'waiting', clause: 'whose repository Nereid looks at within ten minutes' });
    expect(await at(2, { changes: [2], reconciledTo: 1 })).toMatchObject({ clause: 'which has not reached its queue' });

    await lane({ merged: [deploymentAt(2)], lock: aLock() });
    expect(await at(2, { changes: [2], reconciledTo: 2 })).toEqual({ kind: 'waiting', clause: 'whose lane is locked' });
  });

  test('that intake has ordered, although its lane has no record yet', async () => {
    await context.laneTurns.change(REPOSITORY, 'network', () => Promise.resolve({ since: shaAt(1) }));

    const waits = { kind: 'waiting', clause: 'which has not reached its queue' };
    expect(await at(2, { changes: [2], reconciledTo: 2 })).toEqual(waits);
  });

  test('that somebody had deployed by hand, although its lane has no record yet', async () => {
    await context.laneTurns.change(REPOSITORY, 'network', () => Promise.resolve({ isOrdered: true }));

    const waits = { kind: 'waiting', clause: 'which has not reached its queue' };
    expect(await at(2, { changes: [2], reconciledTo: 2 })).toEqual(waits);
  });

  test('that a person has unlocked only is one that nobody ordered', async () => {
    const unlocked = { at: NOW, by: 'ada' };
    await context.laneTurns.change(REPOSITORY, 'network', () => Promise.resolve({ unlocked }));

    expect(await at(2, { changes: [2], reconciledTo: 2 })).toEqual({ kind: 'unchanged' });
  });

  test('although its lane has forgotten what it was to deploy', async () => {
    await lane({});

    expect(await at(2, { changes: [2], reconciledTo: 2 })).toMatchObject({ kind: 'waiting' });
  });
});

test('a deployment at work is asked for its progress once, however many commits are judged', async () => {
  let asked = 0;
  const withDeadline = () => Promise.reject(new Error(`nobody answers ${(asked += 1)}`));
  const temporal = { withDeadline, workflow: { getHandle: () => ({}) } } as unknown as RootAtContext['temporal'];
  context = { ...context, temporal };
  await ended(3, 'succeeded');
  await lane({ running: deploymentAt(4) });
  const known = await readRoot(context, REPOSITORY, 'network');

  for (const position of [4, 5, 6])
    expect(await rootAt(context, commitAt(position, { changes: [4] }), 'network', known)).toMatchObject({
      kind: 'waiting',
    });

  expect(asked).toBe(1);
});

describe('somebody has to act on a root', () => {
  beforeEach(() => ended(3, 'succeeded'));

  test.each<[EndedStatus, string]>([
    ['apply-failed', 'failed to apply'],
    ['apply-outcome-unknown', 'was applied with an unknown outcome'],
    ['expired', 'got no review in time'],
    ['cancelled', 'was cancelled'],
  ])('whose deployment ended as %s', async (status, end) => {
    await ended(4, status);
    await lane({ undeployed: [undeployed(4, status)] });

    expect(await at(4, { changes: [4] })).toEqual({ kind: 'failed', deploymentId: '4', end });
  });

  test('whose plan a person rejected, for its commit and those after it', async () => {
    await ended(4, 'rejected');
    await lane({ undeployed: [undeployed(4, 'rejected')] });

    const rejected = { kind: 'rejected', deploymentId: '4', by: 'bob' };
    expect([await at(4, { changes: [4] }), await at(6, { changes: [4] })]).toEqual([rejected, rejected]);
  });

  test('whose lane only says that it was rejected', async () => {
    await ended(4, 'plan-failed');
    await lane({ undeployed: [undeployed(4, 'rejected')] });

    expect(await at(4, { changes: [4] })).toMatchObject({ kind: 'failed' });
  });

  test('but not while a later deployment is on its way', async () => {
    await ended(4, 'rejected');
    await lane({ undeployed: [undeployed(4, 'rejected')], merged: [deploymentAt(5)] });

    expect(await at(4, { changes: [4, 5] })).toMatchObject({ kind: 'waiting' });
  });
});
