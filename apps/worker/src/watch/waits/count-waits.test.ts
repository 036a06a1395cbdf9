import { expect, test } from '@jest/globals';
import { laneWorkflowId, type LaneRecord } from '@nereid/domain/lane';
import { SEARCH_ATTRIBUTE } from '@nereid/domain/temporal-names';
import { aRecord, deploymentAt, NOW, NOW_MS, progressAs, REPOSITORY } from '@nereid/domain/testing';
import { BrokenRecordError } from '@nereid/storage';
import { defineSearchAttributeKey, TypedSearchAttributes } from '@temporalio/common';
import type { FoundWaits } from '../../platform/metrics/wait-metrics.ts';
import { countWaits, type OpenWorkflow } from './count-waits.ts';

const STATE = defineSearchAttributeKey(SEARCH_ATTRIBUTE.state, 'KEYWORD');

const running = deploymentAt(1, { progress: progressAs('preparing') });

function aWorkflow(workflowId: string, type: 'deploy' | 'terraform', state?: string): OpenWorkflow {
  const typedSearchAttributes = new TypedSearchAttributes(state === undefined ? [] : [{ key: STATE, value: state }]);
  return { workflowId, type, startTime: new Date(NOW), typedSearchAttributes };
}

const aLane = (rootName: string, state?: string) => aWorkflow(laneWorkflowId(REPOSITORY, rootName), 'deploy', state);

/** Of two waves. */
const ROLLOUT = {
  ...{ version: 1, repository: REPOSITORY, id: 'sha/1', revision: 'sha', orderedAt: NOW, isRerun: false, roots: [] },
  waves: [
    { name: 'canary', soakMs: 0, rootNames: ['dns'] },
    { name: 'rest', soakMs: 0, rootNames: ['network'] },
  ],
};

/** A record that is an error is one that cannot be read. */
async function foundIn(
  open: readonly OpenWorkflow[],
  records: Readonly<Record<string, LaneRecord | Error>>,
  stops: readonly object[] = [],
  budgets: readonly object[] = [],
  rollout: () => Promise<unknown> = async () => undefined,
): Promise<{
  readonly found: FoundWaits | undefined;
  readonly asked: readonly string[];
  readonly log: readonly string[];
}> {
  const asked: string[] = [];
  const log: string[] = [];
  let found: FoundWaits | undefined;
  const context = {
    laneRecords: {
      read(_repository: unknown, rootName: string) {
        asked.push(rootName);
        const record = records[rootName];
        if (record instanceof Error) return Promise.reject(record);
        return Promise.resolve(record && { record, version: '1' });
      },
    },
    rolloutRecords: { read: rollout, skips: async () => [], ofRevision: async () => [] },
    stopRecords: {
      read: () => Promise.resolve({ stops: stops.map((body) => ({ body })), glass: [] }),
      readPools: () => Promise.resolve({ stops: [], thawed: [] }),
    },
    signatures: { openIfGenuine: (_kind: string, stop: object) => Promise.resolve(stop) },
    server: { current: () => ({ windows: [], budgets }) },
    metrics: { onWaits: (waits: FoundWaits) => void (found = waits) },
    logger: { warn: (_fields: object, message: string) => void log.push(message) },
  } as unknown as Parameters<typeof countWaits>[0]; // What it asks for.
  await countWaits(context, open, new AbortController().signal);
  return { found, asked, log };
}

test('lanes at work are read, and what waits there is found with the status of what runs', async () => {
  const open = [aLane('network', 'running'), aLane('dns', 'idle'), aLane('new'), aWorkflow(running.id, 'terraform')];

  const { found, asked } = await foundIn(open, { network: aRecord({ running }) });

  expect(asked).toEqual(['network']);
  expect(found).toEqual({
    waiting: [{ repository: 'acme/infra', reason: 'host', since: NOW_MS }],
    lanes: { running: 1, idle: 2 },
    deployments: { preparing: 1 },
  });
});

test.each([
  [
    'a stop',
    'stop',
    [
      {
        repository: { owner: 'acme', name: 'infra' },
        directories: [],
        by: 'ada',
        reason: 'ask bob',
        until: '2999-01-01T00:00:00Z',
      },
    ],
  ],
  ['a window', 'window', []],
] as const)(
  'a deployment that waits with its approved plan for %s to end is counted as %s',
  async (_what, reason, stops) => {
    const open = [aLane('network', 'running'), aWorkflow(running.id, 'terraform', 'blocked')];

    const { found } = await foundIn(open, { network: aRecord({ running }) }, stops);

    expect(found?.waiting.map((one) => one.reason)).toEqual([reason]);
  },
);

test('a deployment of an open root that has a budget is counted as waiting for that', async () => {
  const open = [aLane('network', 'running'), aWorkflow(running.id, 'terraform', 'blocked')];
  const budget = { name: 'aws-prod', applies: 1, repositories: [], roots: [] };

  const { found } = await foundIn(open, { network: aRecord({ running }) }, [], [budget]);

  expect(found?.waiting.map((one) => one.reason)).toEqual(['budget']);
});

test.each([
  ['waits for an earlier wave', async () => ROLLOUT],
  ['has waves that nobody can read', () => Promise.reject(new BrokenRecordError('rollouts/1', 'cut off'))],
  ['has waves in a storage that is away', () => Promise.reject(new Error('AccessDenied'))],
])('a deployment that %s with its approved plan is counted as waiting for that', async (_what, rollout) => {
  const inWaves = { ...running, together: { rollout: ROLLOUT.id, waves: ROLLOUT.id } };
  const open = [aLane('network', 'running'), aWorkflow(running.id, 'terraform', 'blocked')];

  const { found } = await foundIn(open, { network: aRecord({ running: inWaves }) }, [], [], rollout);

  expect(found?.waiting.map((one) => one.reason)).toEqual(['soak']);
});

test('a lane whose record cannot be read waits for the person who repairs it', async () => {
  const { found } = await foundIn([aLane('network', 'blocked')], { network: new BrokenRecordError('key', 'cut off') });

  expect(found?.waiting).toEqual([{ repository: 'acme/infra', reason: 'record', since: NOW_MS }]);
});

test('a lane that can store nothing starts nothing: what waits there waits for storage', async () => {
  const { found } = await foundIn([aLane('network', 'blocked')], { network: aRecord({ merged: [deploymentAt(2)] }) });

  expect(found?.waiting.map(({ reason }) => reason)).toEqual(['outside']);
});

test('a storage that is away leaves the numbers of the last look, and the log says so', async () => {
  const { found, log } = await foundIn([aLane('network', 'locked')], { network: new Error('away') });

  expect(found).toBeUndefined();
  expect(log).toEqual(['what waits in the lanes could not be counted']);
});
