import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Deployment, type DeploymentRecord, shortened } from '@nereid/domain/deployment';
import type { LaneRecord, LaneTurn, Latest, Undeployed } from '@nereid/domain/lane';
import { DEFAULT_POOL } from '@nereid/domain/root';
import { aRecord, deploymentAt, progressAs, REPOSITORY } from '@nereid/domain/testing';
import { asOrdered, notingSignatures } from '../../testing/test-signatures.ts';
import { provenRecord } from './proven-record.ts';

const [RUNNING, WAITING, LATER, ENDED] = [
  await asOrdered(REPOSITORY, deploymentAt(1)),
  await asOrdered(REPOSITORY, deploymentAt(2)),
  await asOrdered(REPOSITORY, deploymentAt(3)),
  await asOrdered(REPOSITORY, { ...deploymentAt(4), progress: progressAs('succeeded') }),
];
const LONG = await asOrdered(REPOSITORY, { ...ENDED, root: { ...ENDED.root, varFiles: ['network.tfvars'] } });
const LATEST: Latest = {
  deploymentId: ENDED.id,
  revision: ENDED.revision.sha,
  trigger: 'merge',
  status: 'succeeded',
  at: '2026-01-31T14:00:00.000Z',
};

let forged: string[];
let turn: Partial<LaneTurn> | undefined;
let stored: DeploymentRecord | undefined;
let before: LaneRecord | undefined;

beforeEach(() => {
  before = undefined;
  forged = [];
  turn = undefined;
  stored = undefined;
});

async function proven(record: LaneRecord): Promise<LaneRecord> {
  const context = {
    signatures: notingSignatures(forged),
    laneTurns: { read: () => Promise.resolve(turn) },
    laneRecords: { read: () => Promise.resolve(before && { record: before, version: '1' }) },
    deploymentRecords: { find: () => Promise.resolve(stored) },
  } as unknown as Parameters<typeof provenRecord>[0]; // What it asks for.
  return provenRecord(context, record);
}

test('a lane whose deployments intake ordered is stored as it is', async () => {
  const record = aRecord({ running: RUNNING, manual: [WAITING], merged: [LATER], ended: [ENDED], latest: LATEST });
  turn = { last: { deployment: ENDED, at: LATEST.at, pool: DEFAULT_POOL, jobIds: [] } };

  expect(await proven(record)).toEqual(record);
  expect(forged).toEqual([]);
});

test.each<[string, Deployment]>([
  ['that nobody ordered', deploymentAt(2)],
  ['that was ordered otherwise', { ...WAITING, requestedBy: 'officer' }],
  ['of another lane', await asOrdered(REPOSITORY, inLane('another'))],
])('a deployment %s is left out, and counts as forged', async (_what, deployment) => {
  const record = aRecord({
    running: deployment,
    manual: [deployment],
    merged: [deployment, LATER],
    ended: [deployment],
  });

  const { running, manual, merged, ended } = await proven(record);

  expect({ running, manual, merged, ended }).toEqual({ manual: [], merged: [LATER] });
  expect(forged).toEqual(['order/deploy', 'order/deploy', 'order/deploy', 'order/deploy']);
});

describe('a deployment that its lane has shortened, and that has its own record,', () => {
  const short = shortened(LONG);

  beforeEach(() => {
    stored = { version: 1, repository: REPOSITORY, deployment: LONG, endedAt: LATEST.at };
  });

  test('stays among those that have ended', async () => {
    expect((await proven(aRecord({ ended: [short] }))).ended).toEqual([short]);
    expect(forged).toEqual([]);
  });

  test('stays as it is stored, with the check runs that the lane knows', async () => {
    const checkRuns = [{ id: 7, completed: true }];
    const said = { ...short, checkRuns, requestedBy: 'officer', progress: progressAs('rejected') };

    expect((await proven(aRecord({ ended: [said] }))).ended).toEqual([{ ...short, checkRuns }]);
  });

  test('does not run or wait once more', async () => {
    const { running, manual, merged } = await proven(aRecord({ running: short, manual: [short], merged: [short] }));

    expect({ running, manual, merged }).toEqual({ manual: [], merged: [] });
    expect(forged).toEqual(['order/deploy', 'order/deploy', 'order/deploy']);
  });
});

describe('the latest deployment of a lane', () => {
  const latestOf = async () => (await proven(aRecord({ latest: LATEST }))).latest;

  test.each<[string, () => void]>([
    [
      'had the last turn',
      () => (turn = { last: { deployment: ENDED, at: LATEST.at, pool: DEFAULT_POOL, jobIds: [] } }),
    ],
    ['was the last that was applied', () => (turn = { applied: ENDED })],
    ['was the last that was deployed', () => (turn = { deployed: ENDED })],
    [
      'ended before there were turns',
      () => (stored = { version: 1, repository: REPOSITORY, deployment: ENDED, endedAt: LATEST.at }),
    ],
  ])('is stored if it %s', async (_what, know) => {
    know();

    expect(await latestOf()).toEqual(LATEST);
    expect(forged).toEqual([]);
  });

  test.each<[string, () => void]>([
    [
      'never had permission to apply',
      () => (turn = { last: { deployment: RUNNING, at: LATEST.at, pool: DEFAULT_POOL, jobIds: [] } }),
    ],
    ['was of another revision', () => (turn = { applied: { ...ENDED, revision: RUNNING.revision } })],
  ])('is left out if it %s', async (_what, know) => {
    know();

    expect(await latestOf()).toBeUndefined();
    expect(forged).toEqual(['result/outcome']);
  });
});

describe('what a lane says it left undeployed', () => {
  const LEFT: Undeployed = {
    ...{ deploymentId: WAITING.id, revision: revisionOf(WAITING), trigger: 'merge', rerun: false },
    ...{ requestedBy: 'alice', status: 'cancelled', at: LATEST.at },
  };
  const leftOf = async (one: Undeployed, more: Partial<LaneRecord> = {}) =>
    (await proven(aRecord({ undeployed: [one], ...more }))).undeployed;

  test.each<[string, () => void, Partial<LaneRecord>]>([
    ['waited in it', () => (before = aRecord({ merged: [WAITING] })), {}],
    ['ran in it', () => (before = aRecord({ running: WAITING })), {}],
    ['was left before', () => (before = aRecord({ undeployed: [LEFT] })), {}],
    ['ends now', () => undefined, { ended: [WAITING] }],
    [
      'has its own record',
      () => (stored = { version: 1, repository: REPOSITORY, deployment: WAITING, endedAt: LATEST.at }),
      {},
    ],
  ])('is stored if it %s', async (_what, know, more) => {
    know();

    expect(await leftOf(LEFT, more)).toEqual([LEFT]);
    expect(forged).toEqual([]);
  });

  test.each<[string, Undeployed]>([
    ['was never in it', { ...LEFT, deploymentId: 'another' }],
    ['was of another person', { ...LEFT, requestedBy: 'officer' }],
    ['was of another commit', { ...LEFT, revision: { ...LEFT.revision, title: 'Pay here' } }],
  ])('is left out if it %s, and counts as forged', async (_what, one) => {
    before = aRecord({ merged: [WAITING] });

    expect(await leftOf(one)).toBeUndefined();
    expect(forged).toEqual(['order/deploy']);
  });
});

function revisionOf({ revision: { sha, position, title } }: Deployment): Undeployed['revision'] {
  return { sha, position, title };
}

function inLane(name: string): Deployment {
  const deployment = deploymentAt(2);
  return { ...deployment, root: { ...deployment.root, name } };
}
