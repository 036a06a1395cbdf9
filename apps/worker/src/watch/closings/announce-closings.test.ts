import { beforeEach, describe, expect, test } from '@jest/globals';
import { readServerConfig } from '@nereid/config';
import type { LookedAtWindows } from '@nereid/domain/activities';
import type { WindowCloses } from '@nereid/domain/events';
import { laneWorkflowId, type LaneRecord } from '@nereid/domain/lane';
import { SEARCH_ATTRIBUTE } from '@nereid/domain/temporal-names';
import { aRecord, deploymentAt, REPOSITORY } from '@nereid/domain/testing';
import { BrokenRecordError } from '@nereid/storage';
import { defineSearchAttributeKey, TypedSearchAttributes } from '@temporalio/common';
import { announceClosings } from './announce-closings.ts';

const STATE = defineSearchAttributeKey(SEARCH_ATTRIBUTE.state, 'KEYWORD');
const CLOSES = Date.parse('2026-12-18T18:00:00Z');
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

const freezeAt = (dtstart: string) =>
  `{ name: Freeze ${dtstart.slice(0, 10)}, kind: deny, dtstart: "${dtstart}", duration: 62h, timezone: UTC }`;
const FREEZE = freezeAt('2026-12-18T18:00');
const NAME = 'Freeze 2026-12-18';

interface Lane {
  readonly record: Partial<LaneRecord> | Error;
  readonly state?: string;
  /** Of what runs. */
  readonly runs?: string;
}

/** By the names of their roots. */
let lanes: Record<string, Lane>;
let windows: readonly string[];
let shown: string[];
let said: WindowCloses[];
let warnings: string[];
let lists: number;

beforeEach(() => {
  lanes = { network: { record: { running: deploymentAt(1) }, runs: 'awaiting-review' } };
  windows = [FREEZE];
  [shown, said, warnings, lists] = [[], [], [], 0];
});

const workflow = (workflowId: string, type: string, state: string) => ({
  ...{ workflowId, type },
  typedSearchAttributes: new TypedSearchAttributes([{ key: STATE, value: state }]),
});

async function* listed() {
  lists += 1;
  for (const [rootName, { record, state = 'running', runs }] of Object.entries(lanes)) {
    yield await Promise.resolve(workflow(laneWorkflowId(REPOSITORY, rootName), 'deploy', state));
    const id = record instanceof Error ? undefined : record.running?.id;
    if (runs !== undefined && id !== undefined) yield workflow(id, 'terraform', runs);
  }
}

function readLane(_repository: unknown, rootName: string) {
  const { record } = lanes[rootName] ?? { record: {} };
  if (record instanceof Error) return Promise.reject(record);
  return Promise.resolve({ record: aRecord({ rootName, ...record }), version: '1' });
}

/** Of a worker that was just started. */
function announceAt(at: number, last: LookedAtWindows | undefined) {
  const read = readServerConfig(
    `repositories: [{ match: acme/* }]\nwindows: [${windows.join(', ')}]\nstorage: { deployments: "file:/d", plans: "file:/p", logs: "file:/l" }`,
  );
  if (read.kind !== 'ok') throw new Error(JSON.stringify(read.problems));
  const context = {
    server: { current: () => read.config },
    laneRecords: { read: readLane },
    temporal: {
      withDeadline: (_at: number, ask: () => Promise<unknown>) => ask(),
      workflow: {
        list: listed,
        getHandle: (id: string) => ({
          signal: async (name: string, { isToShow }: { isToShow?: true }) =>
            void shown.push(`${id} ${name}${isToShow === true ? ' and show' : ''}`),
        }),
      },
    },
    publish: async (...events: readonly WindowCloses[]) => void said.push(...events),
    logger: { warn: (_fields: object, message: string) => void warnings.push(message) },
  } as unknown as Parameters<typeof announceClosings>[0]; // What it asks for.
  return announceClosings(context, last, new AbortController().signal, at);
}

/** Each minute between the two times, each time by another worker. */
async function watch(from: number, to: number): Promise<LookedAtWindows | undefined> {
  let last = await announceAt(from, undefined);
  for (let at = from + MINUTE_MS; at <= to; at += MINUTE_MS) last = await announceAt(at, last);
  return last;
}

const SHOW = 'acme/infra||network look-again and show';

describe('a window that closes', () => {
  test('is announced once, a day before, and lanes show themselves once more when it has closed', async () => {
    await watch(CLOSES - 25 * HOUR_MS, CLOSES - HOUR_MS);
    expect(shown).toEqual([SHOW]);
    expect(said).toEqual([
      {
        kind: 'closing',
        id: `acme/infra:closing:${NAME}:2026-12-18T18:00:00.000Z`,
        repository: { owner: 'acme', name: 'infra' },
        window: NAME,
        closesAt: '2026-12-18T18:00:00.000Z',
        waiting: 1,
        sentence: `an apply that has not begun by Fri 18:00 UTC (change freeze “${NAME}”) waits until Mon 08:00`,
      },
    ]);

    await watch(CLOSES - 5 * MINUTE_MS, CLOSES + HOUR_MS);
    expect(shown).toEqual([SHOW, SHOW]);
    expect(said).toHaveLength(1);
  });

  test('asks neither Temporal nor storage in the minutes in which nothing changes', async () => {
    await watch(CLOSES - 25 * HOUR_MS, CLOSES - 23 * HOUR_MS);

    expect(lists).toBe(1);
  });

  test('is announced late where no worker looked in time, and not where the last look was days ago', async () => {
    const last = await announceAt(CLOSES - 30 * HOUR_MS, undefined);
    await announceAt(CLOSES - HOUR_MS, last);
    await announceAt(CLOSES + 90 * HOUR_MS, last);

    expect([shown, said.length]).toEqual([[SHOW], 1]);
  });

  test('is announced in one event of its repository, with all that waits in its lanes', async () => {
    lanes['dns'] = { record: { manual: [deploymentAt(2)], merged: [deploymentAt(3)] }, state: 'locked' };
    await watch(CLOSES - 25 * HOUR_MS, CLOSES - 23 * HOUR_MS);

    expect(shown.toSorted()).toEqual(['acme/infra||dns look-again and show', SHOW]);
    expect(said.map(({ waiting }) => waiting)).toEqual([3]);
  });

  test('is announced for any deployment of a lane that it can hold back, not only for the first', async () => {
    windows = [FREEZE.replace('}', ', roots: ["moved/**"] }')];
    const { root } = deploymentAt(1);
    const moved = deploymentAt(3, { root: { ...root, dir: 'moved/network' } });
    lanes = { network: { record: { running: deploymentAt(1), merged: [deploymentAt(2), moved] }, runs: 'planning' } };
    await watch(CLOSES - 25 * HOUR_MS, CLOSES - 23 * HOUR_MS);

    expect(shown).toEqual([SHOW]);
    expect(said.map(({ waiting }) => waiting)).toEqual([1]);
  });

  test('is announced for each of the windows that close for the deployments of a lane', async () => {
    windows = [
      FREEZE.replace('}', ', roots: ["moved/**"] }'),
      freezeAt('2026-12-18T19:00').replace(NAME, 'Freeze of all'),
    ];
    const { root } = deploymentAt(1);
    const moved = deploymentAt(2, { root: { ...root, dir: 'moved/network' } });
    const others = [deploymentAt(3), deploymentAt(4)];
    lanes = { network: { record: { manual: [moved], merged: others }, state: 'locked' } };
    await watch(CLOSES - 26 * HOUR_MS, CLOSES - 22 * HOUR_MS);

    expect(said.map(({ closesAt, waiting }) => [closesAt, waiting])).toEqual([
      ['2026-12-18T18:00:00.000Z', 1],
      ['2026-12-18T19:00:00.000Z', 2],
    ]);
  });

  test.each([
    ['rests', { record: {}, state: 'idle' }],
    ['has nothing that waits', { record: {} }],
    ['applies', { record: { running: deploymentAt(1) }, runs: 'applying' }],
    ['has a record that cannot be read', { record: new BrokenRecordError('lanes/network.json', 'cut off') }],
    [
      'is in no such window',
      { record: { running: deploymentAt(1, { root: { ...deploymentAt(1).root, dir: 'other' } }) } },
    ],
  ])('is no news to a lane that %s', async (_what, lane) => {
    windows = [FREEZE.replace('}', ', roots: ["infra/**"] }')];
    lanes = { network: lane };
    await watch(CLOSES - 25 * HOUR_MS, CLOSES - 23 * HOUR_MS);

    expect([shown, said, warnings]).toEqual([[], [], []]);
  });
});

describe('windows that are written anew', () => {
  test('are announced at once, and once, also while workers have different files', async () => {
    windows = [];
    let last = await announceAt(CLOSES - 3 * HOUR_MS, undefined);
    for (let minute = 1; minute < 10; minute += 1) {
      windows = minute % 2 === 0 ? [] : [FREEZE];
      last = await announceAt(CLOSES - 3 * HOUR_MS + minute * MINUTE_MS, last);
    }

    expect([shown, said.length]).toEqual([[SHOW], 1]);
  });
});

test('one lane that cannot be told holds up no other, and the log says so', async () => {
  lanes['dns'] = { record: new Error('storage is away') };
  await watch(CLOSES - 25 * HOUR_MS, CLOSES - 23 * HOUR_MS);

  expect([shown, said.length]).toEqual([[SHOW], 1]);
  expect(warnings).toEqual(['some lanes could not be told of a window that closes soon']);
});

test('what nobody could be told is told by a later look', async () => {
  const { network } = lanes;
  lanes = { network: { record: new Error('storage is away') } };
  const last = await watch(CLOSES - 25 * HOUR_MS, CLOSES - 23 * HOUR_MS);
  lanes = { ...(network && { network }) };
  const next = await announceAt(CLOSES - 22 * HOUR_MS, last);
  await announceAt(CLOSES - 21 * HOUR_MS, next);

  expect([shown, said.length]).toEqual([[SHOW], 1]);
  expect(warnings).toContain('windows that close soon could not be announced');
});

test('what a stranger wrote as the last look has it said once more at most', async () => {
  const known = await announceAt(CLOSES - 30 * HOUR_MS, undefined);
  const files = known?.files ?? [];
  const next = await announceAt(CLOSES - 2 * HOUR_MS, { at: 'never', files });
  const none = 'none' as unknown as readonly string[]; // As a stranger may write it.
  await announceAt(CLOSES - 2 * HOUR_MS, { at: 'never', files: none });

  expect(next).toEqual({ at: new Date(CLOSES - 2 * HOUR_MS).toISOString(), files });
  expect(shown).toEqual([SHOW]);
});
