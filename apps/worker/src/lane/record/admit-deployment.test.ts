import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { defined } from '@nereid/domain/defined';
import type { Deployment } from '@nereid/domain/deployment';
import type { Admission, LaneRecord } from '@nereid/domain/lane';
import { NO_LEASES, type Leases, type PoolStop, type Stop } from '@nereid/domain/gates';
import type { Signed } from '@nereid/domain/signed';
import type { Commits } from '@nereid/forge';
import { RevisionGoneError } from '@nereid/git';
import { aRecord, deploymentAt, REPOSITORY, shaAt } from '@nereid/domain/testing';
import {
  BrokenRecordError,
  createLaneRecords,
  openObjectStore,
  type LaneRecords,
  type ObjectStore,
} from '@nereid/storage';
import { pino } from 'pino';
import { asOrdered, testSignatures } from '../../testing/test-signatures.ts';
import { beginContext } from '../../gates/testing/begin-context.ts';
import { admitDeployment } from './admit-deployment.ts';

type Context = Parameters<typeof admitDeployment>[0];

const RUNNING = await asOrdered(REPOSITORY, deploymentAt(3));
const RECORD = aRecord({ running: RUNNING, writer: { runId: 'run-1', sequence: 1 } });
const WANTED: Admission = { record: RECORD, ifVersion: null, compareWith: shaAt(1), contains: [shaAt(2), shaAt(4)] };

let folder: string;
let store: ObjectStore;
let records: LaneRecords;
let logged: string[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nereid-admit-'));
  store = await openObjectStore(`file:${folder}`);
  records = createLaneRecords(store);
  logged = [];
});

afterEach(async () => {
  store.close();
  await rm(folder, { recursive: true, force: true });
});

interface Answers {
  readonly compare?: Commits['compare'];
  readonly contained?: Context['mirrors']['contained'];
  /** Default: this host has none of the commits. */
  readonly isKnownAncestor?: Context['mirrors']['isKnownAncestor'];
  readonly laneRecords?: LaneRecords;
  /** Of the server's file. */
  readonly windows?: string;
  readonly budgets?: string;
  /** In storage, as in `World`. */
  readonly leases?: Map<string, Leases>;
  readonly onRing?: (workflowId: string) => void;
  /** In storage. */
  readonly stops?: readonly Signed<Stop>[];
  readonly poolStops?: readonly Signed<PoolStop>[];
  /** In place of those. */
  readonly stopRecords?: Context['stopRecords'];
  readonly soakFacts?: Context['soakFacts'];
}

async function admit(admission: Admission, answers: Answers = {}) {
  const { compare = async () => 'ahead', contained = async () => [shaAt(2)], laneRecords = records } = answers;
  const { isKnownAncestor = async () => Promise.resolve(undefined) } = answers;
  const logger = pino({ level: 'warn' }, { write: (line: string) => void logged.push(line) });
  const forge = { commits: { compare } };
  const repositories = '[{ match: "acme/*" }]';
  const { windows, stops, poolStops, budgets, leases, onRing } = answers;
  const { stopRecords, server, ...stored } = beginContext({
    repositories,
    ...defined({ windows, stops, poolStops, budgets, leases, onRing }),
  });
  const known = {
    ...stored,
    stopRecords: answers.stopRecords ?? stopRecords,
    signatures: testSignatures,
    server,
    soakFacts: answers.soakFacts ?? (() => Promise.resolve({})),
  };
  const context = { ...known, forge, mirrors: { contained, isKnownAncestor }, laneRecords, logger };
  return admitDeployment(context, admission, AbortSignal.abort());
}

test('the lane is stored, the revision is compared, and those that it contains are listed', async () => {
  const asked: unknown[] = [];

  const admitted = await admit(WANTED, {
    compare: async (...question) => (asked.push(question), 'behind'),
    contained: async (...[repository, head, shas]) => (asked.push([repository, head, shas]), [shaAt(2)]),
  });

  expect(admitted).toEqual({
    stored: { kind: 'stored', version: expect.any(String) },
    comparison: { kind: 'compared', comparison: 'behind' },
    contained: { kind: 'listed', shas: [shaAt(2)] },
  });
  expect(asked).toEqual([
    [REPOSITORY, shaAt(3), [shaAt(2), shaAt(4)]],
    [REPOSITORY, shaAt(1), shaAt(3)],
  ]);
  expect((await records.read(REPOSITORY, 'network'))?.record).toEqual(RECORD);
});

describe('in a freeze', () => {
  const freeze = (doors: string) => {
    const dtstart = new Date(Date.now() - 1_800_000).toISOString().slice(0, 16);
    return `[{ name: Year end, kind: deny, dtstart: "${dtstart}", duration: 1h, timezone: UTC, doors: [${doors}] }]`;
  };

  test('of plans, the lane is stored, and nothing is compared before the end that it is told', async () => {
    const compare = () => Promise.reject(new Error('GitHub was asked'));

    const admitted = await admit(WANTED, { compare, windows: freeze('plan') });

    expect(admitted).toEqual({
      stored: { kind: 'stored', version: expect.any(String) },
      closed: {
        ...{ gate: 'window', who: ['operators'] },
        ...{ sentence: expect.stringMatching(/^Closed until .* UTC/), until: expect.any(Number) },
      },
    });
  });

  test('of applies, a deployment is planned', async () => {
    expect(await admit(WANTED, { windows: freeze('apply') })).not.toHaveProperty('closed');
  });
});

describe('with a budget of plans', () => {
  const budgets = '[{ name: rate, plans: 1 }]';
  const { owner, name } = REPOSITORY;
  const lease = {
    ...{ deploymentId: 'd1', repository: { owner, name }, rootName: 'dns', pool: 'default' },
    until: new Date(Date.now() + 3_600_000).toISOString(),
  };

  test('a deployment takes the lease that is free, and is planned', async () => {
    const leases = new Map<string, Leases>();

    expect(await admit(WANTED, { budgets, leases })).not.toHaveProperty('closed');
    expect(leases.get('plan rate')?.leases).toMatchObject([{ deploymentId: RUNNING.id, rootName: 'network' }]);
    expect([...leases.keys()]).toEqual(['plan rate']);
  });

  test('a deployment waits for a place while none is free, and nothing is compared', async () => {
    const leases = new Map<string, Leases>([['plan rate', { ...NO_LEASES, leases: [lease] }]]);
    const compare = () => Promise.reject(new Error('GitHub was asked'));

    expect(await admit(WANTED, { budgets, leases, compare })).toEqual({
      stored: { kind: 'stored', version: expect.any(String) },
      closed: expect.objectContaining({ gate: 'budget', sentence: '1 of 1 plan on rate: dns', who: ['other lanes'] }),
    });
    expect(leases.get('plan rate')?.waiting).toMatchObject([{ deploymentId: RUNNING.id }]);
  });

  test('a deployment whose comparison has no answer gives the lease back, and the lane of the next one is told', async () => {
    const { until: _none, ...next } = lease;
    const waiting = [{ ...next, since: '2999-01-01T00:00:00.000Z' }];
    const leases = new Map<string, Leases>([['plan rate', { ...NO_LEASES, waiting }]]);
    const rung: string[] = [];
    const compare = () => Promise.reject(new Error('GitHub is away'));

    await admit(WANTED, { budgets, leases, compare, onRing: (id) => void rung.push(id) });

    expect(leases.get('plan rate')?.leases).toEqual([]);
    expect(rung).toEqual([`${owner}/${name}||dns`]);
  });

  test('a deployment that a stop holds back takes no lease', async () => {
    const leases = new Map<string, Leases>();
    const stopRecords = { read: () => Promise.reject(new Error('storage is away')) } as never; // All that is asked.

    expect(await admit(WANTED, { budgets, leases, stopRecords })).toMatchObject({ closed: { gate: 'stop' } });
    expect(leases.size).toBe(0);
  });
});

test('in a stopped repository, nothing is compared, and the reason mentions nobody, because nobody signs it', async () => {
  const until = new Date(Date.now() + 3_600_000).toISOString();
  const { owner, name } = REPOSITORY;
  const stop = await testSignatures.enclose('decision/stop', {
    ...{ version: 1, requestId: 'r1', repository: { owner, name }, directories: [], by: 'ada', at: until, until },
    reason: 'ask @bob',
  });

  expect(await admit(WANTED, { stops: [stop] })).toMatchObject({
    closed: { gate: 'stop', sentence: expect.stringMatching(/^Stopped by ada until .*: ask bob\. nereid thaw/) },
  });
});

test('while all repositories are stopped, nothing is planned', async () => {
  const [at, until] = [0, 3_600_000].map((ms) => new Date(Date.now() + ms).toISOString());
  const stop = await testSignatures.enclose('decision/pool-stop', {
    ...{ version: 1, requestId: 'r1', pool: '*', by: 'ada', reason: 'an incident' },
    ...{ at: at ?? '', until: until ?? '' },
  });

  expect(await admit(WANTED, { poolStops: [stop] })).toMatchObject({
    closed: {
      gate: 'stop',
      who: ['thaw_pool'],
      sentence: expect.stringMatching(/^Stopped for all repositories by ada/),
    },
  });
});

test.each([
  ['are broken', new BrokenRecordError('stops/acme/infra.json', 'arn:aws:iam::1234:role/nereid'), 'thaw'],
  ['are away', new Error('AccessDenied: arn:aws:iam::1234:role/nereid'), 'operators'],
])('while its stops %s, the deployment waits, and only the log says why', async (_what, error, who) => {
  const readPools = () => Promise.resolve({ stops: [], thawed: [] });
  const admitted = await admit(WANTED, { stopRecords: { read: () => Promise.reject(error), readPools } });

  expect(admitted).toEqual({
    stored: { kind: 'stored', version: expect.any(String) },
    closed: {
      gate: 'stop',
      who: [who],
      sentence: expect.stringMatching(/^Nereid cannot read who has stopped .* log .* says why/),
    },
  });
  expect(logged).toEqual([expect.stringContaining('arn:aws:iam::1234:role/nereid')]);
});

test('a root of a later wave waits, and only the log says why the waves cannot be read', async () => {
  const standing = { kind: 'open', rootNames: ['dns'] } as const;
  const before = { name: 'first', number: 1, of: 2, soak: '1m', standing };

  const admitted = await admit(WANTED, { soakFacts: () => Promise.resolve({ before }) });
  const unknown = await admit(WANTED, { soakFacts: () => Promise.reject(new Error('AccessDenied')) });

  expect(admitted.closed).toEqual({
    gate: 'soak',
    sentence: 'waits for wave 1 of 2 (first): dns; then it soaks for 1m',
    who: ['other lanes', 'skip_soak'],
  });
  expect(unknown.closed).toMatchObject({ gate: 'soak', sentence: expect.stringContaining('the log of the worker') });
  expect(logged).toEqual([expect.stringContaining('AccessDenied')]);
});

test.each([
  ['newest', [shaAt(1)]],
  ['every', []],
] as const)(
  'with queue: %s, it waits for the waves of those in whose place it goes, as intake ordered them',
  async (queue, inherited) => {
    const inWaves = (position: number) => {
      const id = `${shaAt(position)}/delivery-1`;
      return asOrdered(REPOSITORY, { ...deploymentAt(position), together: { rollout: id, waves: id } });
    };
    const forged = { ...(await inWaves(2)), order: 'made up' };
    const root = { ...deploymentAt(3).root, queue };
    const running = await asOrdered(REPOSITORY, { ...deploymentAt(3), root });
    const merged = [await inWaves(1), forged, await asOrdered(REPOSITORY, deploymentAt(2)), await inWaves(4)];
    const asked: unknown[] = [];

    await admit(
      { ...WANTED, record: { ...RECORD, running, merged } },
      { soakFacts: async (_repository, { carried }) => (asked.push(carried.map(({ revision }) => revision.sha)), {}) },
    );

    expect(asked).toEqual([inherited]);
  },
);

test('the revision is compared with both, what is deployed and the merge before it', async () => {
  const compare = async (_repository: unknown, base: string) => (base === shaAt(1) ? 'diverged' : 'behind');

  const admitted = await admit({ ...WANTED, compareWithMerge: shaAt(5) }, { compare });

  expect(admitted).toMatchObject({
    comparison: { kind: 'compared', comparison: 'diverged' },
    comparisonWithMerge: { kind: 'compared', comparison: 'behind' },
  });
});

test.each<[string, readonly (readonly [string, string])[], string]>([
  ['ahead', [[shaAt(1), shaAt(3)]], 'ahead'],
  ['behind', [[shaAt(3), shaAt(1)]], 'behind'],
  ['neither', [], 'diverged'],
])('GitHub is not asked about two commits that this host has: %s', async (_what, ancestors, comparison) => {
  const compare = () => Promise.reject(new Error('GitHub was asked'));
  const isKnownAncestor: Answers['isKnownAncestor'] = async (_repository, ancestor, descendant) =>
    Promise.resolve(ancestors.some(([one, other]) => one === ancestor && other === descendant));

  const admitted = await admit(WANTED, { compare, isKnownAncestor });

  expect(admitted.comparison).toEqual({ kind: 'compared', comparison });
});

test('GitHub is asked if only one of the two questions has an answer on this host', async () => {
  const isKnownAncestor: Answers['isKnownAncestor'] = async (_repository, ancestor) =>
    Promise.resolve(ancestor === shaAt(1) ? false : undefined);

  const admitted = await admit(WANTED, { compare: async () => 'behind', isKnownAncestor });

  expect(admitted.comparison).toEqual({ kind: 'compared', comparison: 'behind' });
});

test('what is not asked is not answered', async () => {
  const admitted = await admit({ record: RECORD, ifVersion: null });

  expect(Object.keys(admitted)).toEqual(['stored']);
});

test('what another writer stored is answered', async () => {
  const other = aRecord({ writer: { runId: 'run-2', sequence: 1 } });
  const version = await records.write(other, null);

  const { stored } = await admit(WANTED);

  expect(stored).toEqual({ kind: 'other', stored: { record: other, version } });
});

test('a record that cannot be read is not overwritten, and the answer says what is wrong with it', async () => {
  await store.put('lanes/acme/infra/network.json', Buffer.from('{'));

  const { stored } = await admit(WANTED);

  expect(stored).toEqual({ kind: 'unreadable', why: expect.stringContaining('lanes/acme/infra/network.json') });
});

test('a record that could not be read again is not stored, and the answer says what is wrong with it', async () => {
  await records.write(RECORD, null);
  const cancellation = JSON.parse('{"body":{"by":"carol"},"signature":"x"}') as NonNullable<Deployment['cancellation']>;

  const { stored } = await admit({ ...WANTED, record: { ...RECORD, running: { ...RUNNING, cancellation } } });

  expect(stored).toEqual({
    kind: 'unanswered',
    why: expect.stringMatching(/lanes\/acme\/infra\/network\.json could not be read again.* running\.cancellation/),
  });
  expect((await records.read(REPOSITORY, 'network'))?.record).toEqual(RECORD);
});

test('a deployment that nobody ordered is not stored as one of the lane', async () => {
  const merged = [deploymentAt(4)];

  await admit({ ...WANTED, record: { ...RECORD, merged } });

  expect((await records.read(REPOSITORY, 'network'))?.record).toEqual(RECORD);
});

describe('nothing is asked of GitHub', () => {
  const asked: unknown[] = [];
  const ask = async (...question: readonly unknown[]) => (asked.push(question), 'diverged' as const);
  const answers = { compare: ask, contained: async (...question: readonly unknown[]) => (asked.push(question), []) };

  beforeEach(() => {
    asked.length = 0;
  });

  test.each<[string, Partial<LaneRecord>]>([
    ['that nobody ordered', { running: { ...RUNNING, requestedBy: 'officer' } }],
    ['with the order of another installation', { repository: { ...REPOSITORY, installationId: 66 } }],
    ['in a repository that the server does not allow', { repository: { ...REPOSITORY, owner: 'other' } }],
  ])('about a deployment %s', async (_what, more) => {
    const admitted = await admit({ ...WANTED, record: { ...RECORD, ...more } }, answers);

    expect(asked).toEqual([]);
    expect(admitted).toMatchObject({
      stored: { kind: 'stored' },
      comparison: { kind: 'compared', comparison: 'ahead' },
      contained: { kind: 'listed', shas: [] },
    });
  });
});

describe('what cannot be had', () => {
  test('leaves the other answers as they are: the lane is stored although the comparison failed before', async () => {
    const failed = Promise.withResolvers<never>();
    const slow: LaneRecords = {
      ...records,
      async write(...written) {
        failed.reject(new Error('GitHub is away'));
        // Longer than Node waits for somebody to take the failure.
        await new Promise((resolve) => setImmediate(resolve));
        return records.write(...written);
      },
    };

    const admitted = await admit(WANTED, { compare: () => failed.promise, laneRecords: slow });

    expect(admitted.stored.kind).toBe('stored');
    expect(admitted.comparison).toEqual({ kind: 'unanswered', why: 'GitHub is away' });
    expect(admitted.contained?.kind).toBe('listed');
  });

  test('of git says why, in no more than a line', async () => {
    const contained = () => Promise.reject(new Error('x'.repeat(1_000)));

    const admitted = await admit(WANTED, { contained });

    expect(admitted.contained).toEqual({ kind: 'unanswered', why: 'x'.repeat(300) });
    expect(admitted.comparison?.kind).toBe('compared');
  });

  test('of storage is told in its words only to the operator', async () => {
    const write = () => Promise.reject(new Error('AccessDenied: arn:aws:iam::1234:role/nereid'));

    const admitted = await admit(WANTED, { laneRecords: { ...records, write } });

    const why = 'storage does not take it; the log of the worker says why';
    expect(admitted.stored).toEqual({ kind: 'unanswered', why });
    expect(admitted.comparison?.kind).toBe('compared');
    expect(logged).toEqual([expect.stringContaining('arn:aws:iam::1234:role/nereid')]);
  });

  test('of a revision that is gone is no failure: it contains none', async () => {
    const contained = () => Promise.reject(new RevisionGoneError('acme/infra', [shaAt(3)]));

    expect((await admit(WANTED, { contained })).contained).toEqual({ kind: 'listed', shas: [] });
  });
});
