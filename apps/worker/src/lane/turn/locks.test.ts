import { describe, expect, test } from '@jest/globals';
import { deploymentAt, NOW, REPOSITORY } from '@nereid/domain/testing';
import { lockByTurns } from './end-of-turn.ts';
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
  FAILED,
  LOCKED,
} from './testing.ts';

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
    await begun(one);
    await recorded(one, 'apply-outcome-unknown');
    await unlock();
    await completed(one, FAILED);

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
    await begun(byHand);
    await completed(byHand, FAILED);

    await expect(acquire(deploymentAt(4, halts))).rejects.toMatchObject(LOCKED);
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
    await begun(byHand);

    expect(await lock()).toMatchObject({ kind: 'manual', deploymentId: byHand.id });
  });
});
