/** The gates at the door of the plan, which control asks when it admits a deployment. */
import { describe, expect, test } from '@jest/globals';
import { NO_LEASES, type Leases } from '@nereid/domain/gates';
import { aRecord, deploymentAt, REPOSITORY } from '@nereid/domain/testing';
import { BrokenRecordError } from '@nereid/storage';
import type { Deployment } from '@nereid/domain/deployment';
import { asOrdered, testSignatures } from '../../testing/test-signatures.ts';
import { RUNNING, stageAdmissions, WANTED, type Answers } from './testing/stage-admissions.ts';

const stage = stageAdmissions();

describe('in a freeze', () => {
  const freeze = (doors: string) => {
    const dtstart = new Date(Date.now() - 1_800_000).toISOString().slice(0, 16);
    return `[{ name: Year end, kind: deny, dtstart: "${dtstart}", duration: 1h, timezone: UTC, doors: [${doors}] }]`;
  };

  test('of plans, the lane is stored, and nothing is compared before the end that it is told', async () => {
    const compare = () => Promise.reject(new Error('GitHub was asked'));

    const admitted = await stage.admit(WANTED, { compare, windows: freeze('plan') });

    expect(admitted).toEqual({
      stored: { kind: 'stored', version: expect.any(String) },
      closed: {
        ...{ gate: 'window', who: ['operators'] },
        ...{ sentence: expect.stringMatching(/^Closed until .* UTC/), until: expect.any(Number) },
      },
    });
  });

  test('of applies, a deployment is planned', async () => {
    expect(await stage.admit(WANTED, { windows: freeze('apply') })).not.toHaveProperty('closed');
  });
});

/** Of the same root, and ordered later. */
const ordered = (more: Partial<Deployment>) => asOrdered(REPOSITORY, { ...deploymentAt(4), ...more });

describe('with a budget of plans', () => {
  const budgets = '[{ name: rate, plans: 1 }]';
  const { owner, name } = REPOSITORY;
  const lease = {
    ...{ deploymentId: 'd1', repository: { owner, name }, rootName: 'dns', pool: 'default' },
    until: new Date(Date.now() + 3_600_000).toISOString(),
  };

  test('a deployment takes the lease that is free, and is planned', async () => {
    const leases = new Map<string, Leases>();

    expect(await stage.admit(WANTED, { budgets, leases })).not.toHaveProperty('closed');
    expect(leases.get('plan rate')?.leases).toMatchObject([{ deploymentId: RUNNING.id, rootName: 'network' }]);
    expect([...leases.keys()]).toEqual(['plan rate']);
  });

  test('a deployment waits for a place while none is free, and nothing is compared', async () => {
    const leases = new Map<string, Leases>([['plan rate', { ...NO_LEASES, leases: [lease] }]]);
    const compare = () => Promise.reject(new Error('GitHub was asked'));

    expect(await stage.admit(WANTED, { budgets, leases, compare })).toEqual({
      stored: { kind: 'stored', version: expect.any(String) },
      closed: expect.objectContaining({
        gate: 'budget',
        sentence: '1 of 1 plan on rate: dns (when last asked)',
        who: ['other lanes'],
      }),
    });
    expect(leases.get('plan rate')?.waiting).toMatchObject([{ deploymentId: RUNNING.id }]);
  });

  test('a deployment asks again when the lease lapses before which it comes', async () => {
    const leases = new Map<string, Leases>([['plan rate', { ...NO_LEASES, leases: [lease] }]]);
    const later = { ...WANTED, record: { ...WANTED.record, running: await ordered({ id: 'd9' }) } };

    const first = await stage.admit(WANTED, { budgets, leases });
    const second = await stage.admit(later, { budgets, leases });

    expect(first.closed?.askAgain).toBe(Date.parse(lease.until));
    expect(second.closed).toMatchObject({
      sentence: '1 of 1 plan on rate: dns. One deployment comes first (when last asked)',
    });
    expect(second.closed).not.toHaveProperty('askAgain');
  });

  test.each<[string, () => Promise<Answers & { readonly running?: Deployment }>]>([
    ['whose deployment is over', async () => ({ hasEnded: true })],
    ['that has expired', async () => ({ running: await ordered({ expiresAt: '2026-01-01T00:00:00.000Z' }) })],
  ])('an order %s takes no lease and no place, however often it is delivered', async (_what, answersOf) => {
    const { running = RUNNING, ...answers } = await answersOf();
    const admission = { ...WANTED, record: { ...WANTED.record, running } };
    const free = new Map<string, Leases>();
    const full = new Map<string, Leases>([['plan rate', { ...NO_LEASES, leases: [lease] }]]);

    await stage.admit(admission, { ...answers, budgets, leases: free });
    await stage.admit(admission, { ...answers, budgets, leases: full });

    expect(free.size).toBe(0);
    expect(full.get('plan rate')).toEqual({ ...NO_LEASES, leases: [lease] });
  });

  test.each([
    ['not looked at while it is young', 58, 'd1'],
    ['given to the next one', 50, RUNNING.id],
  ])('a lease of a deployment that is over is %s: it lapses in %j minutes', async (_what, minutes, holder) => {
    const until = new Date(Date.now() + minutes * 60_000).toISOString();
    const leases = new Map<string, Leases>([['plan rate', { ...NO_LEASES, leases: [{ ...lease, until }] }]]);
    const deploymentRecords = { find: async (_of: object, root: string) => (root === 'dns' ? {} : undefined) } as never; // All that is asked.

    await stage.admit(WANTED, { budgets, leases, deploymentRecords });

    expect(leases.get('plan rate')?.leases.map(({ deploymentId }) => deploymentId)).toEqual([holder]);
  });

  test('a deployment waits for storage that is away, which its check run says, and asks again soon', async () => {
    const budgetLeases = { change: () => Promise.reject(new Error('AccessDenied: arn:aws:iam::1234:role/nereid')) };

    const { closed } = await stage.admit(WANTED, { budgets, budgetLeases });

    expect(closed).toEqual({
      ...{ gate: 'budget', who: ['operators'], askAgain: 'soon' },
      sentence: expect.stringMatching(/^Nereid cannot read the leases of a budget .*, because storage does not answer/),
    });
    expect(stage.logged).toEqual([expect.stringContaining('arn:aws:iam::1234:role/nereid')]);
  });

  test('a deployment whose comparison has no answer gives the lease back, and the lane of the next one is told', async () => {
    const { until: _none, ...next } = lease;
    const waiting = [{ ...next, since: '2999-01-01T00:00:00.000Z' }];
    const leases = new Map<string, Leases>([['plan rate', { ...NO_LEASES, waiting }]]);
    const rung: string[] = [];
    const compare = () => Promise.reject(new Error('GitHub is away'));

    await stage.admit(WANTED, { budgets, leases, compare, onRing: (id) => void rung.push(id) });

    expect(leases.get('plan rate')?.leases).toEqual([]);
    expect(rung).toEqual([`${owner}/${name}||dns`]);
  });

  test.each<[string, () => Promise<unknown>]>([
    ['cannot be read', () => stage.store.put('lanes/acme/infra/network.json', Buffer.from('{'))],
    ['is of another writer', () => stage.records.write(aRecord({ writer: { runId: 'run-2', sequence: 1 } }), null)],
  ])('a deployment of a lane whose record %s keeps no lease', async (_what, write) => {
    const leases = new Map<string, Leases>();
    await write();

    expect((await stage.admit(WANTED, { budgets, leases })).stored.kind).not.toBe('stored');
    expect(leases.get('plan rate')?.leases).toEqual([]);
  });

  test('a deployment that a stop holds back takes no lease', async () => {
    const leases = new Map<string, Leases>();
    const stopRecords = { read: () => Promise.reject(new Error('storage is away')) } as never; // All that is asked.

    expect(await stage.admit(WANTED, { budgets, leases, stopRecords })).toMatchObject({ closed: { gate: 'stop' } });
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

  expect(await stage.admit(WANTED, { stops: [stop] })).toMatchObject({
    closed: { gate: 'stop', sentence: expect.stringMatching(/^Stopped by ada until .*: ask bob\. nereid thaw/) },
  });
});

test('while all repositories are stopped, nothing is planned', async () => {
  const [at, until] = [0, 3_600_000].map((ms) => new Date(Date.now() + ms).toISOString());
  const stop = await testSignatures.enclose('decision/pool-stop', {
    ...{ version: 1, requestId: 'r1', pool: '*', by: 'ada', reason: 'an incident' },
    ...{ at: at ?? '', until: until ?? '' },
  });

  expect(await stage.admit(WANTED, { poolStops: [stop] })).toMatchObject({
    closed: {
      gate: 'stop',
      who: ['thaw_pool'],
      sentence: expect.stringMatching(/^Stopped for all repositories by ada/),
    },
  });
});

test.each([
  ['are broken', new BrokenRecordError('stops/acme/infra.json', 'arn:aws:iam::1234:role/nereid'), { who: ['thaw'] }],
  [
    'are away',
    new Error('AccessDenied: arn:aws:iam::1234:role/nereid'),
    { who: ['operators'], askAgain: 'soon' as const },
  ],
])('while its stops %s, the deployment waits, and only the log says why', async (_what, error, wait) => {
  const readPools = () => Promise.resolve({ stops: [], thawed: [] });
  const admitted = await stage.admit(WANTED, { stopRecords: { read: () => Promise.reject(error), readPools } });

  expect(admitted).toEqual({
    stored: { kind: 'stored', version: expect.any(String) },
    closed: {
      ...{ gate: 'stop', ...wait },
      sentence: expect.stringMatching(/^Nereid cannot read who has stopped .* log .* says why/),
    },
  });
  expect(stage.logged).toEqual([expect.stringContaining('arn:aws:iam::1234:role/nereid')]);
});

test('a root of a later wave waits, and only the log says why the waves cannot be read', async () => {
  const standing = { kind: 'open', rootNames: ['dns'] } as const;
  const before = { name: 'first', number: 1, of: 2, soak: '1m', standing };

  const admitted = await stage.admit(WANTED, { soakFacts: () => Promise.resolve({ before }) });
  const unknown = await stage.admit(WANTED, { soakFacts: () => Promise.reject(new Error('AccessDenied')) });

  expect(admitted.closed).toEqual({
    gate: 'soak',
    sentence: 'waits for wave 1 of 2 (first): dns; then it soaks for 1m',
    wave: 1,
    who: ['other lanes', 'skip_soak'],
  });
  expect(unknown.closed).toMatchObject({
    ...{ gate: 'soak', askAgain: 'soon' },
    sentence: expect.stringContaining('the log of the worker'),
  });
  expect(stage.logged).toEqual([expect.stringContaining('AccessDenied')]);
});
