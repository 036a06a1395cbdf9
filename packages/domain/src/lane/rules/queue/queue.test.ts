import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { aLock } from '../../../testing/samples.ts';
import fc from 'fast-check';
import type { Lock } from '../../../deployment/lock.ts';
import type { Deployment } from '../../../deployment/model.ts';
import {
  countAhead,
  emptyQueue,
  enqueue,
  first as firstOpen,
  inOrder,
  length,
  putBack,
  QUEUE_LIMIT,
  remove,
  update,
  type Queue,
} from './queue.ts';
import { bytesOfAll } from '../../../bytes.ts';
import { isDoorOpen } from '../../../gates/gates.ts';
import { deploymentAt, NOW } from '../../../testing.ts';

/** As a lane asks whose turn it is. */
const first = (queue: Queue, lock: Lock | undefined) =>
  firstOpen(queue, (deployment) =>
    isDoorOpen(
      'plan',
      { turn: { deployment, lock }, order: { kind: 'ready' }, stop: { stops: [] }, window: {}, soak: {}, budget: {} },
      Date.parse(NOW),
    ),
  );

/** Up to 30 deployments that come one after the other, each with its number as its id. */
const arrivals = fc
  .array(fc.record({ position: fc.nat(20), trigger: fc.constantFrom('merge' as const, 'manual' as const) }), {
    maxLength: 30,
  })
  .map((all) => all.map(({ position, trigger }, index) => deploymentAt(position, { trigger, id: String(index) })));

describe('who goes first', () => {
  test('the merged revision that is first on the branch, whenever it came', () => {
    const queue = queueOf(merged(2), merged(1));

    expect(first(queue, undefined)?.id).toBe('1');
  });

  test('a manual deployment, before merged ones that came earlier', () => {
    const queue = queueOf(merged(1), manual(9));

    expect(first(queue, undefined)?.id).toBe('9');
  });

  test('the manual deployment that came first, wherever it stands', () => {
    const queue = queueOf(manual(9), manual(3));

    expect(first(queue, undefined)?.id).toBe('9');
  });

  test('nobody, while the lane is locked and only merged revisions wait', () => {
    const queue = queueOf(merged(1), merged(2));

    expect(first(queue, aLock())).toBeUndefined();
  });

  test('a rerun of what the lock is about, before merged ones that the lock holds back', () => {
    const lock = aLock('failed');
    const rerun = deploymentAt(5, { rerun: true, revision: { ...deploymentAt(5).revision, sha: lock.revision } });
    const queue = queueOf(merged(1), rerun);

    expect(first(queue, lock)?.id).toBe('5');
  });
});

describe('where a root deploys the newest of what waits', () => {
  const newest = { root: { ...deploymentAt(1).root, queue: 'newest' } } as const;
  const queue = queueOf(merged(1), deploymentAt(3, newest), deploymentAt(2, newest));

  test('the newest goes first, those it carries wait for nobody but manual ones', () => {
    expect(first(queue, undefined)?.id).toBe('3');
    expect([...countAhead(queue, undefined).values()]).toEqual([0, 0, 0]);
  });

  test('a manual deployment goes before it', () => {
    const both = queueOf(manual(9), ...inOrder(queue));

    expect(first(both, undefined)?.id).toBe('9');
    expect([...countAhead(both, undefined)]).toEqual([
      ['9', 0],
      ['1', 1],
      ['2', 1],
      ['3', 1],
    ]);
  });

  test('it waits while the lane is locked, and lets a rerun of what the lock is about pass', () => {
    const lock = aLock('failed');
    const rerun = deploymentAt(0, { rerun: true, revision: { ...deploymentAt(0).revision, sha: lock.revision } });

    expect(first(queue, lock)).toBeUndefined();
    expect(first(queueOf(rerun, ...inOrder(queue)), lock)?.id).toBe('0');
  });

  test('the newest decides: one that came under the other setting goes by itself', () => {
    expect(first(queueOf(deploymentAt(1, newest), merged(2)), undefined)?.id).toBe('1');
  });
});

test('a manual deployment that waits for other lanes is passed, and a merged one is not: positions say so', () => {
  const waits = (deployment: Deployment) => ({
    ...deployment,
    progress: { ...deployment.progress, reason: 'waits for network, which awaits its review' },
  });
  const queue = queueOf(waits(manual(8)), manual(9), waits(merged(1)), merged(2));

  expect([...countAhead(queue, undefined)]).toEqual([
    ['8', 0],
    ['9', 0],
    ['1', 1],
    ['2', 2],
  ]);
});

describe('a queue takes less of what is large: a lane is stored whole', () => {
  const extraArgs = ['-var=' + 'é'.repeat(10_000)];
  const large = { ...deploymentAt(1).root, steps: { plan: [{ kind: 'plan', extraArgs }], apply: [] } } as const;
  const all = Array.from({ length: 60 }, (_, index) => deploymentAt(index, { root: large }));

  test('by its bytes, which are more than its characters', () => {
    expect(enqueue({ manual: [], merged: all.slice(0, 40) }, deploymentAt(60, { root: large })).kind).toBe('queued');
    expect(enqueue({ manual: [], merged: all }, deploymentAt(60, { root: large })).kind).toBe('full');
  });

  test('also where what comes is small, and what waits is not', () => {
    expect(enqueue({ manual: [], merged: all }, deploymentAt(60)).kind).toBe('full');
  });
});

test(`${QUEUE_LIMIT} usual ones fit into a queue: signed, and with their check runs`, () => {
  const usual = (position: number) =>
    deploymentAt(position, {
      ...{ id: randomUUID(), requestId: `${randomUUID()}:root-01`, requestedById: 1_004, installationId: 1_006 },
      ...{
        orderedAt: '2026-01-31T14:00:00.000Z',
        order: 'e'.repeat(201),
        checkRuns: [{ id: 5_932, completed: false }],
      },
    });
  const merges = Array.from({ length: QUEUE_LIMIT - 1 }, (_, index) => usual(index));

  expect(enqueue({ manual: [], merged: merges }, usual(QUEUE_LIMIT)).kind).toBe('queued');
  expect(bytesOfAll(merges)).toBeGreaterThan(1_000_000);
});

test(`a queue of ${QUEUE_LIMIT} takes no more`, () => {
  const merges = Array.from({ length: QUEUE_LIMIT }, (_, index) => merged(index));

  expect(enqueue({ manual: [], merged: merges }, manual(QUEUE_LIMIT))).toEqual({ kind: 'full' });
});

test('merged revisions at the same position keep the order in which they came', () => {
  const queue = queueOf(deploymentAt(1, { id: 'a' }), deploymentAt(1, { id: 'b' }));

  expect(ids(queue)).toEqual(['a', 'b']);
});

describe('a deployment that was put back', () => {
  test('goes before all others where it is a manual one', () => {
    const deployment = manual(9);
    const queue = putBack(queueOf(merged(1), manual(2)), deployment);

    expect(first(queue, undefined)).toBe(deployment);
  });

  test('has its place on the branch where it is a merged one, before those of the same position', () => {
    const queue = putBack(queueOf(merged(1), merged(3), deploymentAt(2, { id: 'other' })), merged(2));

    expect(ids(queue)).toEqual(['1', '2', 'other', '3']);
  });
});

test('a change reaches the deployment of that id, and no other', () => {
  const queue = update(queueOf(merged(1), manual(2)), '1', (deployment) => ({ ...deployment, requestedBy: 'carol' }));

  expect(inOrder(queue).map(({ requestedBy }) => requestedBy)).toEqual(['alice', 'carol']);
});

describe('for every sequence of arrivals and departures', () => {
  test('manual deployments stand before merged ones, and those in the order of the branch', () => {
    fc.assert(
      fc.property(arrivals, (coming) => {
        const queue = queueOf(...coming);
        const positions = queue.merged.map(({ revision }) => revision.position);

        expect(inOrder(queue)).toEqual([...queue.manual, ...queue.merged]);
        expect(queue.manual.map(({ id }) => id)).toEqual(idsOf(coming, 'manual'));
        expect(positions).toEqual(positions.toSorted((one, other) => one - other));
      }),
    );
  });

  test('everything that came in and was not removed is there, once', () => {
    fc.assert(
      fc.property(arrivals, fc.array(fc.nat(29)), (coming, removed) => {
        const gone = new Set(removed.map(String));
        const queue = remove(queueOf(...coming), gone);
        const left = coming.map(({ id }) => id).filter((id) => !gone.has(id));

        expect(ids(queue).toSorted()).toEqual(left.toSorted());
        expect(length(queue)).toBe(left.length);
      }),
    );
  });

  test('a locked lane lets no merged revision go but a rerun', () => {
    fc.assert(
      fc.property(arrivals, fc.constantFrom('manual', 'failed'), (coming, kind) => {
        const next = first(queueOf(...coming), aLock(kind));

        expect(next?.trigger).not.toBe('merge');
      }),
    );
  });
});

function merged(position: number): Deployment {
  return deploymentAt(position);
}

function manual(position: number): Deployment {
  return deploymentAt(position, { trigger: 'manual' });
}

function queueOf(...all: readonly Deployment[]): Queue {
  return all.reduce((queue, deployment) => {
    const enqueued = enqueue(queue, deployment);
    if (enqueued.kind === 'full') throw new Error('the queue of this test is full');
    return enqueued.queue;
  }, emptyQueue);
}

function ids(queue: Queue): string[] {
  return inOrder(queue).map(({ id }) => id);
}

function idsOf(deployments: readonly Deployment[], trigger: Deployment['trigger']): string[] {
  return deployments.filter((deployment) => deployment.trigger === trigger).map(({ id }) => id);
}
