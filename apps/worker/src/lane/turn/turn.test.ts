import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { Deployment, EndedApply, Progress } from '@nereid/domain/deployment';
import type { Comparison } from '@nereid/domain/lane';
import { DEFAULT_POOL } from '@nereid/domain/root';
import { deploymentAt, NOW, progressAs, REPOSITORY } from '@nereid/domain/testing';
import { createBegunApplies, createDeploymentRecords, createLaneTurns, openObjectStore } from '@nereid/storage';
import { lockByTurns } from './end-of-turn.ts';
import { lanePosition } from './lane-position.ts';
import { allowUnlock, acquireTurn, type AskedTurn, type TurnContext } from './turn.ts';

const CHANGES = { hasChanges: true } as const;
const JOB = { hostId: 'h1', jobId: 'j1' };
const APPLIED: EndedApply = { kind: 'applied', counts: { added: 1, changed: 0, destroyed: 0, imported: 0 } };
const FAILED: EndedApply = { kind: 'failed', failure: { body: { summary: 'no', lines: [] } } };
const LOCKED = { code: 'LANE_LOCKED', message: expect.stringMatching(/^[^@]+: unlock it, then press Re-run/) };

let folder: string;
let context: TurnContext;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nereid-turn-'));
  const store = await openObjectStore(`file:${folder}`);
  context = {
    laneTurns: createLaneTurns(store),
    begunApplies: createBegunApplies(store),
    deploymentRecords: createDeploymentRecords(store),
    // Each commit contains those with a smaller SHA.
    mirrors: { isKnownAncestor: async (_repository, ancestor, descendant) => ancestor <= descendant },
    forge: { commits: { compare: async () => Promise.reject(new Error('the mirror knows')) } },
  };
});

/** All but the date: storage waits for the disk. */
const NOT_FAKED = ['nextTick', 'setImmediate', 'setInterval', 'setTimeout', 'queueMicrotask', 'performance'] as const;

afterEach(async () => {
  jest.useRealTimers();
  await rm(folder, { recursive: true });
});

const acquire = (
  deployment: Deployment,
  { isReviewed = false, jobId = 'j1', plan = CHANGES }: Partial<AskedTurn> = {},
) => acquireTurn(context, { repository: REPOSITORY, deployment, jobId, plan, isReviewed });

const halts = { root: { ...deploymentAt(1).root, onFailure: 'halt' } } as const;
const one = deploymentAt(1, halts);
const two = deploymentAt(2, halts);
const byHand = deploymentAt(3, { ...halts, trigger: 'manual' });

async function applied(
  deployment: Deployment,
  outcome: EndedApply = APPLIED,
  asked: Partial<AskedTurn> = {},
): Promise<void> {
  await acquire(deployment, asked);
  await context.begunApplies.of(DEFAULT_POOL).begin(deployment.id, JOB);
  await context.begunApplies.of(DEFAULT_POOL).complete(deployment.id, outcome);
}

async function recorded(deployment: Deployment, status: Progress['status']): Promise<void> {
  const ended = { ...deployment, progress: progressAs(status) };
  await context.deploymentRecords.write({ version: 1, repository: REPOSITORY, deployment: ended, endedAt: NOW });
}

const unlock = (at = new Date().toISOString()) => allowUnlock(context, REPOSITORY, 'network', { by: 'grace', at });

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
    await context.begunApplies.of(DEFAULT_POOL).begin(one.id, JOB);

    await acquire({ ...two, root: { ...two.root, name: 'dns' } });
  });
});

describe('a plan of another state than the one that was left takes a person', () => {
  const made = (stateVersion: string, hasChanges = true) => ({ plan: { hasChanges, stateVersion } });
  const refused = { code: 'OTHER_STATE', message: expect.stringContaining('move its state and press Re-run') };

  test.each([
    ['one that is empty after an apply made one', '0 ', '0 '],
    ['one that is empty', '7 aaaa', '0 '],
    ['one of another lineage', '7 aaaa', '9 bbbb'],
  ])('%s', async (_what, before, stateVersion) => {
    await applied(one, APPLIED, made(before));

    await expect(acquire(two, made(stateVersion))).rejects.toMatchObject(refused);
    await acquire(two, { ...made(stateVersion), isReviewed: true });
  });

  test('not one that is newer, or that nobody knows', async () => {
    await applied(one, APPLIED, made('7 aaaa'));
    await applied(two, APPLIED, made('8 aaaa'));
    await acquire(deploymentAt(4, halts));
  });

  test('not one that is empty still, since there was nothing to make', async () => {
    await applied(one, APPLIED, made('0 ', false));

    await acquire(two, made('0 '));
  });

  test('whatever came between: failed applies, plans of other jobs, and deployments that never began', async () => {
    await applied(one, APPLIED, made('7 aaaa'));
    await applied(deploymentAt(2), FAILED, { ...made('0 '), isReviewed: true });
    const later = deploymentAt(4);

    await expect(acquire(later, made('0 '))).rejects.toMatchObject(refused);
    await acquire(later, made('8 aaaa'));
    await expect(acquire(later, { ...made('0 '), jobId: 'j2' })).rejects.toMatchObject(refused);
    await expect(acquire(deploymentAt(5), made('0 '))).rejects.toMatchObject(refused);
  });
});

describe('a deployment waits for its turn', () => {
  beforeEach(async () => {
    await acquire(one);
    await context.begunApplies.of(DEFAULT_POOL).begin(one.id, JOB);
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

  await context.begunApplies.of(DEFAULT_POOL).begin(byHand.id, JOB);
  await context.begunApplies.of(DEFAULT_POOL).complete(byHand.id, APPLIED);
  await applied(deploymentAt(4, { ...halts, trigger: 'manual' }));
  await acquire(deploymentAt(5, { ...halts, trigger: 'manual' }));

  await expect(acquire(deploymentAt(6, halts))).rejects.toMatchObject(LOCKED);
  expect(await context.begunApplies.of(DEFAULT_POOL).read(deploymentAt(5).id)).toBeUndefined();
});

describe('a lock holds, whatever the lane says,', () => {
  test('after a manual deployment, until a person lifts it', async () => {
    await applied(byHand);
    const next = deploymentAt(4, halts);

    await expect(acquire(next)).rejects.toMatchObject(LOCKED);
    await unlock('2020-01-01T00:00:00.000Z');
    await expect(acquire(next)).rejects.toMatchObject(LOCKED);
    await unlock();
    await acquire(next);
  });

  test('after a failed apply of a root that halts; what is asked for by hand passes, and a re-run lifts it', async () => {
    await applied(one, FAILED);

    await expect(acquire(two)).rejects.toMatchObject(LOCKED);
    await applied(deploymentAt(1, { ...halts, id: 'again', trigger: 'manual', rerun: true }));
    await acquire(two);
  });

  test('although a deployment that passed it did not begin', async () => {
    await applied(one, FAILED);
    await acquire(byHand);

    await expect(acquire(two)).rejects.toMatchObject(LOCKED);
  });

  test('for the first deployment under a new name, by the lock of the name before', async () => {
    const lock = { kind: 'failed', deploymentId: 'd0', revision: 'r0', by: 'ada', at: NOW } as const;
    const renamed = { ...one, formerly: { rootName: 'before', lock } };

    await expect(acquire(renamed)).rejects.toMatchObject(LOCKED);
    await unlock();
    await acquire(renamed);
  });
});

describe('a lock that a person lifted', () => {
  test('stays lifted, however late the host tells the outcome', async () => {
    await acquire(one);
    await context.begunApplies.of(DEFAULT_POOL).begin(one.id, JOB);
    await recorded(one, 'apply-outcome-unknown');
    await unlock();
    await context.begunApplies.of(DEFAULT_POOL).complete(one.id, FAILED);

    await acquire(two);
  });

  test('while the manual deployment was planned is not set by its apply', async () => {
    const asked = { ...byHand, orderedAt: new Date(Date.now() - 60_000).toISOString() };
    await applied(one);
    await unlock();

    await applied(asked);
    await acquire(deploymentAt(4, halts));
  });

  test.each([
    ['was ordered later, whatever its workflow says', { orderedAt: new Date(Date.now() + 60_000).toISOString() }],
    ['does not say when it was ordered', {}],
  ])('is set again by a manual deployment that came after it and %s', async (_what, order) => {
    await applied(one);
    await unlock(new Date(Date.now() - 1_000).toISOString());

    await applied({ ...byHand, ...order, receivedAt: new Date(Date.now() - 60_000).toISOString() });

    await expect(acquire(deploymentAt(4, halts))).rejects.toMatchObject(LOCKED);
  });

  test('while that was applied is set by its failure', async () => {
    await acquire(byHand);
    await unlock(new Date(Date.now() - 40_000).toISOString());
    await context.begunApplies.of(DEFAULT_POOL).begin(byHand.id, JOB);
    await context.begunApplies.of(DEFAULT_POOL).complete(byHand.id, FAILED);

    await expect(acquire(deploymentAt(4, halts))).rejects.toMatchObject(LOCKED);
  });
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
    acquireTurn(context, { repository: REPOSITORY, deployment, jobId: 'j1', plan: CHANGES, isReviewed: true, lane });
  const position = () => lanePosition(context, REPOSITORY, 'network');

  test('has its turn while the lane stands where it stood, and again in another job', async () => {
    await applied(one);
    const lane = await position();

    await acquireIf(two, lane);

    await expect(
      acquireTurn(context, {
        repository: REPOSITORY,
        deployment: two,
        jobId: 'j2',
        plan: CHANGES,
        isReviewed: true,
        lane,
      }),
    ).resolves.toEqual({ hasBegun: false });
  });

  test.each<[string, () => Promise<unknown>]>([
    ['another one was applied', () => applied(two)],
    ['another one had permission', () => acquire(two)],
    [
      'another one is under way',
      async () => {
        await acquire(two);
        await context.begunApplies.of(DEFAULT_POOL).begin(two.id, JOB);
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
    await context.begunApplies.of(DEFAULT_POOL).begin(one.id, JOB);
    expect(await position()).toBeUndefined();
    await context.begunApplies.of(DEFAULT_POOL).complete(one.id, { kind: 'unknown', why: 'nobody knows' });
    expect(await position()).toBeUndefined();
    await context.begunApplies.of(DEFAULT_POOL).complete(one.id, APPLIED);
    expect(await position()).toBe(`${one.id} applied`);
  });
});

describe('the lock that storage knows of a lane', () => {
  const lock = () => lockByTurns(context, REPOSITORY, 'network');

  test('is that of its last turn', async () => {
    expect(await lock()).toBeUndefined();
    await applied(one);
    expect(await lock()).toBeUndefined();

    await applied(two, FAILED);

    expect(await lock()).toMatchObject({ kind: 'failed', deploymentId: two.id });
  });

  test('is gone once a person may lift it', async () => {
    await applied(two, FAILED);

    await unlock();

    expect(await lock()).toBeUndefined();
  });

  test('is that of a deployment by hand while it is applied', async () => {
    await acquire(byHand);
    await context.begunApplies.of(DEFAULT_POOL).begin(byHand.id, JOB);

    expect(await lock()).toMatchObject({ kind: 'manual', deploymentId: byHand.id });
  });
});
