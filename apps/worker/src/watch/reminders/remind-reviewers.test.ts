import { beforeEach, describe, expect, test } from '@jest/globals';
import { readServerConfig } from '@nereid/config';
import type { Deployment, Progress } from '@nereid/domain/deployment';
import type { DomainEvent } from '@nereid/domain/events';
import type { LaneRecord } from '@nereid/domain/lane';
import { fullName } from '@nereid/domain/root';
import { SEARCH_ATTRIBUTE } from '@nereid/domain/temporal-names';
import { aPlan, aPress, aRecord, deploymentAt, progressAs, REPOSITORY } from '@nereid/domain/testing';
import type { LastReminded } from '@nereid/storage';
import { defineSearchAttributeKey, TypedSearchAttributes } from '@temporalio/common';
import { asOrdered, testSignatures } from '../../testing/test-signatures.ts';
import { createRemindReviewers } from './remind-reviewers.ts';

const HOUR_MS = 3_600_000;
const SINCE = '2026-01-31T14:00:00.000Z';

const REMINDING = '{ match: acme/*, review: { remind: [4h, 1d], escalate: { after: 1d, to: acme/leads } } }';

let waiting: Deployment;
/** As its workflow tells it; undefined while no worker answers for it. */
let told: Progress | undefined;
let said: DomainEvent[];
let warnings: string[];
let stored: LastReminded | undefined;
/** How the forge answers for the check runs of the deployment. */
let findCheckRuns: () => Promise<readonly { readonly id: number; readonly completed: boolean }[]>;
let asked: { lists: number; queries: number };

beforeEach(async () => {
  [said, warnings, stored, asked] = [[], [], undefined, { lists: 0, queries: 0 }];
  findCheckRuns = () =>
    Promise.resolve([
      { id: 8, completed: false },
      { id: 7, completed: true },
    ]);
  const progress = { ...progressAs('awaiting-review', SINCE), plan: aPlan() };
  waiting = await asOrdered(REPOSITORY, deploymentAt(1, { progress }));
  told = waiting.progress;
});

interface World {
  readonly repositories?: string;
  readonly record?: LaneRecord;
  /** Storage takes nothing. */
  readonly isFull?: boolean;
}

/** A worker that has just started. */
function aWorker({ repositories = REMINDING, record = aRecord({ running: waiting }), isFull }: World = {}) {
  const read = readServerConfig(
    `repositories: [${repositories}]\nstorage: { deployments: "file:/d", plans: "file:/p", logs: "file:/l" }`,
  );
  if (read.kind !== 'ok') throw new Error('expected a sound file');
  const context = {
    server: { current: () => read.config },
    signatures: testSignatures,
    deploymentRecords: { find: () => Promise.resolve(undefined) },
    begunApplies: { of: () => ({ read: () => Promise.resolve(undefined) }) },
    forge: { status: { find: () => findCheckRuns() } },
    laneRecords: { read: () => Promise.resolve({ record, version: '1' }) },
    reminderRecords: {
      read: () => Promise.resolve(stored),
      write: (_repository: unknown, _rootName: string, last: LastReminded) => {
        if (isFull) return Promise.reject(new Error('away'));
        stored = last;
        return Promise.resolve();
      },
    },
    temporal: {
      workflow: { list: listed, getHandle: (workflowId: string) => ({ workflowId, query: answer }) },
      withDeadline: (_deadline: number, ask: () => Promise<unknown>) => ask(),
    },
    publish: (...events: readonly DomainEvent[]) => Promise.resolve(void said.push(...events)),
    logger: { warn: (_fields: object, message: string) => void warnings.push(message) },
  } as unknown as Parameters<typeof createRemindReviewers>[0]; // What it asks for.
  const remind = createRemindReviewers(context);
  return (afterMs: number) => remind(new AbortController().signal, Date.parse(SINCE) + afterMs);
}

async function* listed() {
  asked.lists += 1;
  const key = (name: string) => defineSearchAttributeKey(name, 'KEYWORD');
  const typedSearchAttributes = new TypedSearchAttributes([
    { key: key(SEARCH_ATTRIBUTE.repository), value: fullName(REPOSITORY) },
    { key: key(SEARCH_ATTRIBUTE.root), value: waiting.root.name },
  ]);
  yield await Promise.resolve({ workflowId: waiting.id, typedSearchAttributes });
}

function answer(): Promise<Progress> {
  asked.queries += 1;
  return told === undefined ? Promise.reject(new Error('nobody answers')) : Promise.resolve(told);
}

const teams = () => said.flatMap((event) => (event.kind === 'reminder' ? [event.team] : []));

describe('people are reminded of a plan that waits for its review', () => {
  test('once it has waited for as long as the file says, and not before', async () => {
    const remindAt = aWorker();

    await remindAt(4 * HOUR_MS - 1);
    expect(said).toEqual([]);
    await remindAt(4 * HOUR_MS);

    expect(said).toEqual([expect.objectContaining({ kind: 'reminder', repository: { owner: 'acme', name: 'infra' } })]);
    expect(said).toMatchObject([
      {
        deployment: { id: waiting.id },
        sentence: expect.stringMatching(/^Plan: 2 to add.*; this plan waits for a review$/),
      },
    ]);
  });

  test('once in each wait, although another worker looks after it by then', async () => {
    await aWorker()(4 * HOUR_MS);
    await aWorker()(5 * HOUR_MS);

    expect(teams()).toEqual([undefined]);
  });

  test('with the team to which it goes in the end', async () => {
    const remindAt = aWorker();

    await remindAt(4 * HOUR_MS);
    await remindAt(24 * HOUR_MS);
    await remindAt(48 * HOUR_MS);

    expect(teams()).toEqual([undefined, undefined, 'acme/leads']);
    expect(said.at(-1)).toMatchObject({ sentence: expect.stringMatching(/^For acme\/leads: Plan: /) });
  });

  test('with whom it waits for, and who has confirmed it, each once', async () => {
    const root = { ...waiting.root, review: { count: 2, eachOf: ['acme/sre', 'acme/dba'] } };
    waiting = await asOrdered(REPOSITORY, { ...waiting, root });
    told = waiting.progress;

    await aWorker()(4 * HOUR_MS);

    expect(said).toMatchObject([
      {
        sentence:
          'Plan: 2 to add, 1 to change, 2 to destroy; this plan waits for somebody of acme/sre and somebody of acme/dba; 0 of 2 confirmed',
      },
    ]);
  });

  test('with the check run that the forge has, the newest last, or without one while the forge is away', async () => {
    await aWorker()(4 * HOUR_MS);
    findCheckRuns = () => Promise.reject(new Error('away'));
    await aWorker()(24 * HOUR_MS);

    const refs = said.map((event) => (event.kind === 'reminder' ? event.deployment.checkRuns.at(-1)?.id : undefined));
    expect(refs.slice(0, 2)).toEqual([8, undefined]);
    expect(warnings).toContain('a reminder has no link to its check run');
  });

  test('again where the plan was made again, and waits anew', async () => {
    const later = new Date(Date.parse(SINCE) + 10 * HOUR_MS).toISOString();
    await aWorker()(4 * HOUR_MS);
    told = { ...waiting.progress, times: { 'awaiting-review': later } };

    await aWorker()(14 * HOUR_MS);

    expect(new Set(said.map(({ id }) => id)).size).toBe(2);
  });

  test('with the same id where storage did not take that they were', async () => {
    await aWorker({ isFull: true })(4 * HOUR_MS);
    await aWorker()(5 * HOUR_MS);

    expect(said).toHaveLength(2);
    expect(said[1]?.id).toBe(said[0]?.id);
    expect(warnings).toEqual(['nobody could be reminded of some reviews']);
  });
});

describe('nobody is reminded', () => {
  test('of a plan that somebody has confirmed meanwhile', async () => {
    const remindAt = aWorker();
    await remindAt(0);
    const { by, at } = aPress().body;
    told = { ...waiting.progress, review: { answer: 'approved', by, at } };

    await remindAt(48 * HOUR_MS);

    expect(said).toEqual([]);
  });

  test.each<[string, () => void]>([
    ['whose workflow does not answer', () => (told = undefined)],
    ['that nobody signed', () => (told = { ...waiting.progress, plan: aPlan() })],
    [
      'that is said to be confirmed by somebody who is not',
      () => (told = { ...waiting.progress, approvals: [aPress()] }),
    ],
  ])('of a plan %s', async (_what, change) => {
    change();

    await aWorker()(48 * HOUR_MS);

    expect(said).toEqual([]);
  });

  test('of another deployment than that of the lane', async () => {
    await aWorker({ record: aRecord({ running: deploymentAt(2) }) })(48 * HOUR_MS);

    expect(said).toEqual([]);
  });

  test('where the file does not say so, and then Temporal is asked for nothing', async () => {
    await aWorker({ repositories: '{ match: acme/*, review: { expires: 2d } }' })(48 * HOUR_MS);

    expect(said).toEqual([]);
    expect(asked.lists).toBe(0);
  });
});

test('a workflow is asked when its wait is seen first, and when somebody is to be reminded', async () => {
  const remindAt = aWorker();

  for (const hours of [1, 2, 3]) await remindAt(hours * HOUR_MS);
  expect(asked.queries).toBe(1);
  await remindAt(4 * HOUR_MS);

  expect(asked.queries).toBe(2);
});
