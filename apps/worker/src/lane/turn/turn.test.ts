import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { Deployment } from '@nereid/domain/deployment';
import type { Comparison } from '@nereid/domain/lane';
import { DEFAULT_POOL } from '@nereid/domain/root';
import { deploymentAt, REPOSITORY } from '@nereid/domain/testing';
import { lanePosition } from './lane-position.ts';
import { acquireTurn } from './turn.ts';
import {
  acquire,
  applied,
  begun,
  byHand,
  completed,
  context,
  halts,
  one,
  recorded,
  two,
  unlock,
  APPLIED,
  CHANGES,
  JOB,
  FAILED,
  LOCKED,
} from './testing.ts';

/** All but the date: storage waits for the disk. */
const NOT_FAKED = ['nextTick', 'setImmediate', 'setInterval', 'setTimeout', 'queueMicrotask', 'performance'] as const;

afterEach(() => {
  jest.useRealTimers();
});

describe('a deployment has its turn', () => {
  test('after the one before, and again when it asks again', async () => {
    await applied(one);

    await acquire(two);
    await acquire(two);

    expect((await context.laneTurns.read(REPOSITORY, 'network'))?.last?.deployment.id).toBe(two.id);
  });

  test('although the one before had permission and did not begin: from then on, it never will', async () => {
    await acquire(one);

    await acquire(two);

    expect(await context.begunApplies.of(DEFAULT_POOL).begin(one.id, JOB)).toMatchObject({
      kind: 'found',
      marker: { overtakenBy: two.id },
    });
    await expect(acquire(one)).rejects.toMatchObject({ code: 'OVERTAKEN' });
    await acquire(two);
  });

  test('after one that was approved and never began, although that had a newer commit', async () => {
    await applied(one);
    await acquire(deploymentAt(5, halts), { isReviewed: true });

    await acquire(two);
  });

  test('for a few jobs, not for as many as somebody asks for', async () => {
    for (let n = 1; n <= 20; n += 1) await acquire(one, { jobId: `j${n}` });

    await acquire(one, { jobId: 'j3' });
    await expect(acquire(one, { jobId: 'j21' })).rejects.toMatchObject({ code: 'TOO_MANY_JOBS' });
  });

  test.each(['1970-01-01T00:00:00.000Z', '2999-01-01T00:00:00.000Z'])(
    'whenever it was ordered, by the clock of another process: %s',
    async (orderedAt) => {
      await acquire({ ...one, orderedAt });
      await acquire({ ...two, orderedAt });

      const at = (await context.laneTurns.read(REPOSITORY, 'network'))?.last?.at ?? '';
      expect(Date.parse(at)).toBeLessThanOrEqual(Date.now());
    },
  );

  test('by what GitHub says of the commits, when this host has not fetched them', async () => {
    await applied(two);
    const mirrors = { isKnownAncestor: async () => Promise.resolve(undefined) };
    const after = { repository: REPOSITORY, jobId: 'j1', plan: CHANGES, isReviewed: false };
    const asking = (comparison: Comparison) => ({
      ...context,
      mirrors,
      forge: { commits: { compare: async () => comparison } },
    });

    const behind = acquireTurn(asking('behind'), { ...after, deployment: one });
    await expect(behind).rejects.toMatchObject({ code: 'OUTDATED' });
    await acquireTurn(asking('ahead'), { ...after, deployment: deploymentAt(4, halts) });
  });

  test('in a lane of its own, whatever another lane does', async () => {
    await acquire(one);
    await begun(one);

    await acquire({ ...two, root: { ...two.root, name: 'dns' } });
  });
});

describe('a deployment waits for its turn', () => {
  beforeEach(async () => {
    await acquire(one);
    await begun(one);
  });

  test('while another one of its lane is applied', async () => {
    await expect(acquire(two)).rejects.toMatchObject({
      code: 'NOT_ITS_TURN',
      message: expect.stringContaining('host h1'),
    });
  });

  test('until the lane was unlocked, where nobody knows how that one ended', async () => {
    await recorded(one, 'apply-outcome-unknown');

    await expect(acquire(two)).rejects.toMatchObject(LOCKED);
    await unlock();
    await acquire(two);
  });

  test('until the lane was unlocked, where storage lost how that one ended', async () => {
    const begunMs = Date.now();
    jest.useFakeTimers({ now: begunMs + 29 * 3_600_000, doNotFake: [...NOT_FAKED] });
    await expect(acquire(two)).rejects.toMatchObject({ code: 'NOT_ITS_TURN' });
    jest.useFakeTimers({ now: begunMs + 31 * 3_600_000, doNotFake: [...NOT_FAKED] });

    await expect(acquire(two)).rejects.toMatchObject(LOCKED);
    await unlock();
    await acquire(two);
  });

  test('even where somebody recorded that the other one never began', async () => {
    await recorded(one, 'cancelled');

    await expect(acquire(two)).rejects.toMatchObject(LOCKED);
  });
});

test('the last deployment with success is remembered, whatever failed since', async () => {
  await applied(one);
  await applied(two, FAILED);
  await acquire(byHand, { isReviewed: true });

  const turn = await context.laneTurns.read(REPOSITORY, 'network');

  expect(turn).toMatchObject({ applied: { id: two.id }, deployed: { id: one.id } });
});

test('a deployment that has no turn takes it from nobody', async () => {
  await acquire(byHand);

  await begun(byHand);
  await completed(byHand, APPLIED);
  await applied(deploymentAt(4, { ...halts, trigger: 'manual' }));
  await acquire(deploymentAt(5, { ...halts, trigger: 'manual' }));

  await expect(acquire(deploymentAt(6, halts))).rejects.toMatchObject(LOCKED);
  expect(await context.begunApplies.of(DEFAULT_POOL).read(deploymentAt(5).id)).toBeUndefined();
});

describe('a commit that does not contain the one that was applied', () => {
  beforeEach(() => applied(deploymentAt(5, halts)));

  test('has its turn only if a person approved its plan: history was rewritten', async () => {
    await expect(acquire(two)).rejects.toMatchObject({ code: 'OUTDATED' });
    await acquire(two, { isReviewed: true });
  });

  test('is not applied by a re-run', async () => {
    const rerun = { ...two, trigger: 'manual', rerun: true } as const;

    await expect(acquire(rerun, { isReviewed: true })).rejects.toMatchObject({ code: 'OUTDATED' });
  });

  test('is told by git, not by its position: a branch that was pulled before it was pushed may have fewer', async () => {
    const { revision } = deploymentAt(6);

    await acquire(deploymentAt(6, { ...halts, revision: { ...revision, position: 3 } }));
  });
});

describe('a plan that was reviewed before the merge', () => {
  const acquireIf = (deployment: Deployment, lane: string | undefined) =>
    acquire(deployment, { isReviewed: true, lane });
  const position = () => lanePosition(context, REPOSITORY, 'network');

  test('has its turn while the lane stands where it stood, and again in another job', async () => {
    await applied(one);
    const lane = await position();

    await acquireIf(two, lane);

    await expect(acquire(two, { jobId: 'j2', isReviewed: true, lane })).resolves.toEqual({ hasBegun: false });
  });

  test.each<[string, () => Promise<unknown>]>([
    ['another one was applied', () => applied(two)],
    ['another one had permission', () => acquire(two)],
    [
      'another one is under way',
      async () => {
        await acquire(two);
        await begun(two);
      },
    ],
  ])('has no turn once %s since', async (_what, happens) => {
    await applied(one);
    const lane = await position();
    await happens();

    await expect(acquireIf(deploymentAt(3, halts), lane)).rejects.toMatchObject({
      code: 'REVIEW_OUTDATED',
      message: expect.stringContaining('was applied to this root since'),
    });
    expect((await context.laneTurns.read(REPOSITORY, 'network'))?.last?.deployment.id).toBe(two.id);
  });

  test('cannot be told where the lane stands while an apply is under way, or after one that nobody knows', async () => {
    expect(await position()).toBe('never applied');
    await acquire(one);
    await begun(one);
    expect(await position()).toBeUndefined();
    await completed(one, { kind: 'unknown', why: 'nobody knows' });
    expect(await position()).toBeUndefined();
    await completed(one, APPLIED);
    expect(await position()).toBe(`${one.id} applied`);
  });
});
