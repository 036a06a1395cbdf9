import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Deployment } from '@nereid/domain/deployment';
import type { LaneRecord } from '@nereid/domain/lane';
import { RevisionGoneError } from '@nereid/git';
import { aRecord, deploymentAt, REPOSITORY, shaAt } from '@nereid/domain/testing';
import type { LaneRecords } from '@nereid/storage';
import { asOrdered } from '../../testing/test-signatures.ts';
import { RECORD, RUNNING, stageAdmissions, WANTED, type Answers } from './testing/stage-admissions.ts';

const stage = stageAdmissions();

test('the lane is stored, the revision is compared, and those that it contains are listed', async () => {
  const asked: unknown[] = [];

  const admitted = await stage.admit(WANTED, {
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
  expect((await stage.records.read(REPOSITORY, 'network'))?.record).toEqual(RECORD);
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

    await stage.admit(
      { ...WANTED, record: { ...RECORD, running, merged } },
      { soakFacts: async (_repository, { carried }) => (asked.push(carried.map(({ revision }) => revision.sha)), {}) },
    );

    expect(asked).toEqual([inherited]);
  },
);

test('the revision is compared with both, what is deployed and the merge before it', async () => {
  const compare = async (_repository: unknown, base: string) => (base === shaAt(1) ? 'diverged' : 'behind');

  const admitted = await stage.admit({ ...WANTED, compareWithMerge: shaAt(5) }, { compare });

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

  const admitted = await stage.admit(WANTED, { compare, isKnownAncestor });

  expect(admitted.comparison).toEqual({ kind: 'compared', comparison });
});

test('GitHub is asked if only one of the two questions has an answer on this host', async () => {
  const isKnownAncestor: Answers['isKnownAncestor'] = async (_repository, ancestor) =>
    Promise.resolve(ancestor === shaAt(1) ? false : undefined);

  const admitted = await stage.admit(WANTED, { compare: async () => 'behind', isKnownAncestor });

  expect(admitted.comparison).toEqual({ kind: 'compared', comparison: 'behind' });
});

test('what is not asked is not answered', async () => {
  const admitted = await stage.admit({ record: RECORD, ifVersion: null });

  expect(Object.keys(admitted)).toEqual(['stored']);
});

test('what another writer stored is answered', async () => {
  const other = aRecord({ writer: { runId: 'run-2', sequence: 1 } });
  const version = await stage.records.write(other, null);

  const { stored } = await stage.admit(WANTED);

  expect(stored).toEqual({ kind: 'other', stored: { record: other, version } });
});

test('a record that cannot be read is not overwritten, and the answer says what is wrong with it', async () => {
  await stage.store.put('lanes/acme/infra/network.json', Buffer.from('{'));

  const { stored } = await stage.admit(WANTED);

  expect(stored).toEqual({ kind: 'unreadable', why: expect.stringContaining('lanes/acme/infra/network.json') });
});

test('a record that could not be read again is not stored, and the answer says what is wrong with it', async () => {
  await stage.records.write(RECORD, null);
  const cancellation = JSON.parse('{"body":{"by":"carol"},"signature":"x"}') as NonNullable<Deployment['cancellation']>;

  const { stored } = await stage.admit({ ...WANTED, record: { ...RECORD, running: { ...RUNNING, cancellation } } });

  expect(stored).toEqual({
    kind: 'unanswered',
    why: expect.stringMatching(/lanes\/acme\/infra\/network\.json could not be read again.* running\.cancellation/),
  });
  expect((await stage.records.read(REPOSITORY, 'network'))?.record).toEqual(RECORD);
});

test('a deployment that nobody ordered is not stored as one of the lane', async () => {
  const merged = [deploymentAt(4)];

  await stage.admit({ ...WANTED, record: { ...RECORD, merged } });

  expect((await stage.records.read(REPOSITORY, 'network'))?.record).toEqual(RECORD);
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
    const admitted = await stage.admit({ ...WANTED, record: { ...RECORD, ...more } }, answers);

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
      ...stage.records,
      async write(...written) {
        failed.reject(new Error('GitHub is away'));
        // Longer than Node waits for somebody to take the failure.
        await new Promise((resolve) => setImmediate(resolve));
        return stage.records.write(...written);
      },
    };

    const admitted = await stage.admit(WANTED, { compare: () => failed.promise, laneRecords: slow });

    expect(admitted.stored.kind).toBe('stored');
    expect(admitted.comparison).toEqual({ kind: 'unanswered', why: 'GitHub is away' });
    expect(admitted.contained?.kind).toBe('listed');
  });

  test('of git says why, in no more than a line', async () => {
    const contained = () => Promise.reject(new Error('x'.repeat(1_000)));

    const admitted = await stage.admit(WANTED, { contained });

    expect(admitted.contained).toEqual({ kind: 'unanswered', why: 'x'.repeat(300) });
    expect(admitted.comparison?.kind).toBe('compared');
  });

  test('of storage is told in its words only to the operator', async () => {
    const write = () => Promise.reject(new Error('AccessDenied: arn:aws:iam::1234:role/nereid'));

    const admitted = await stage.admit(WANTED, { laneRecords: { ...stage.records, write } });

    const why = 'storage does not take it; the log of the worker says why';
    expect(admitted.stored).toEqual({ kind: 'unanswered', why });
    expect(admitted.comparison?.kind).toBe('compared');
    expect(stage.logged).toEqual([expect.stringContaining('arn:aws:iam::1234:role/nereid')]);
  });

  test('of a revision that is gone is no failure: it contains none', async () => {
    const contained = () => Promise.reject(new RevisionGoneError('acme/infra', [shaAt(3)]));

    expect((await stage.admit(WANTED, { contained })).contained).toEqual({ kind: 'listed', shas: [] });
  });
});
