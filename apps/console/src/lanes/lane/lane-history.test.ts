import { beforeEach, describe, expect, test } from '@jest/globals';
import type { DeploymentStatus } from '@nereid/domain/deployment';
import { aDeployment } from '@nereid/domain/testing';
import { BrokenRecordError, type EndBound, type EndPlace } from '@nereid/storage';
import { pino } from 'pino';
import { createLaneHistory, type LaneHistory } from './lane-history.ts';

const LANE = { owner: 'acme', name: 'infra', rootName: 'network' };

/** The minute of a day in which the deployment with this number ended. */
const at = (minute: number) => new Date(Date.parse('2026-11-22T00:00:00.000Z') + minute * 60_000).toISOString();

let statuses: DeploymentStatus[];
let reads: string[];
let lists: number;
let history: LaneHistory;

beforeEach(() => {
  [statuses, reads, lists] = [[], [], 0];
  history = createLaneHistory({ endsBefore, readAt }, pino({ level: 'silent' }));
});

describe('the history of a lane', () => {
  test('comes in pages, each of which goes on where the one before ended', async () => {
    statuses = ['succeeded', 'rejected', 'apply-failed', 'no-changes', 'skipped'];

    const first = await history.page(LANE, undefined, 2);
    const second = await history.page(LANE, first.next && { before: first.next }, 2);
    const last = await history.page(LANE, second.next && { before: second.next }, 2);

    expect([first, second, last].map(({ items }) => items.map(({ id }) => id).join(''))).toEqual(['43', '21', '0']);
    expect(last).not.toHaveProperty('next');
  });

  test('has no further page when the last one is full', async () => {
    statuses = ['succeeded', 'rejected'];

    expect(await history.page(LANE, undefined, 2)).not.toHaveProperty('next');
  });

  test('goes on although a record cannot be read, and counts it', async () => {
    statuses = ['succeeded', 'refused', 'rejected'];
    const broken = createLaneHistory(
      {
        endsBefore,
        readAt: (lane, rootName, place) =>
          place.id === '1' ? Promise.reject(new BrokenRecordError('key', 'no JSON')) : readAt(lane, rootName, place),
      },
      pino({ level: 'silent' }),
    );

    expect(await broken.page(LANE, undefined, 9)).toMatchObject({ items: [{ id: '2' }, { id: '0' }], unreadable: 1 });
  });

  test('leaves out a record that has left its place meanwhile, and one that has not ended', async () => {
    statuses = ['succeeded', 'queued', 'rejected'];
    const moved = createLaneHistory(
      {
        endsBefore,
        readAt: (lane, rootName, place) =>
          place.id === '0' ? Promise.resolve(undefined) : readAt(lane, rootName, place),
      },
      pino({ level: 'silent' }),
    );

    expect(await moved.page(LANE, undefined, 9)).toMatchObject({ items: [{ id: '2' }], unreadable: 0 });
  });

  test('is read once for all who ask at the same time, and records once for a while', async () => {
    statuses = ['succeeded', 'rejected'];

    await Promise.all([history.page(LANE, undefined, 2), history.page(LANE, undefined, 2)]);
    await history.page(LANE, { by: at(9) }, 2);

    expect(lists).toBe(2);
    expect(reads.toSorted()).toEqual(['0', '1']);
  });

  test('is asked for again after a failure', async () => {
    statuses = ['succeeded'];
    let fails = true;
    const away = createLaneHistory(
      {
        endsBefore: (...asked) => (fails ? Promise.reject(new Error('away')) : endsBefore(...asked)),
        readAt,
      },
      pino({ level: 'silent' }),
    );

    await expect(away.page(LANE, undefined, 2)).rejects.toThrow('away');
    fails = false;

    expect((await away.page(LANE, undefined, 2)).items).toHaveLength(1);
  });
});

describe('at any time, there was deployed', () => {
  test('what had taken effect last, whatever ended since', async () => {
    statuses = ['succeeded', 'no-changes', 'rejected', 'plan-failed', 'succeeded'];

    expect(await history.deployedBy(LANE, at(3))).toMatchObject({ kind: 'deployed', latest: { deploymentId: '1' } });
    expect(await history.deployedBy(LANE, at(4))).toMatchObject({ kind: 'deployed', latest: { deploymentId: '4' } });
  });

  test('what an apply brought that went wrong, too: it is said of it', async () => {
    statuses = ['succeeded', 'apply-failed'];

    expect(await history.deployedBy(LANE, at(9))).toMatchObject({
      kind: 'deployed',
      latest: { deploymentId: '1', status: 'apply-failed' },
    });
  });

  test('nothing, before the first of all', async () => {
    statuses = ['rejected', 'succeeded'];

    expect(await history.deployedBy(LANE, at(0))).toEqual({ kind: 'nothing' });
  });

  test('what is many pages back', async () => {
    statuses = ['succeeded', ...Array.from({ length: 400 }, () => 'skipped' as const)];

    expect(await history.deployedBy(LANE, at(1_000))).toMatchObject({ latest: { deploymentId: '0' } });
  });

  test('nobody knows what, where a thousand in a row brought nothing: it says how far it looked', async () => {
    statuses = ['succeeded', ...Array.from({ length: 1_200 }, () => 'skipped' as const)];

    expect(await history.deployedBy(LANE, at(2_000))).toEqual({ kind: 'not-found', searchedTo: at(201) });
    expect(reads).toHaveLength(1_000);
    expect(await history.deployedBy(LANE, at(201))).toMatchObject({ latest: { deploymentId: '0' } });
  });
});

function endsBefore(_lane: unknown, _rootName: string, bound: EndBound | undefined, limit: number) {
  lists += 1;
  const all = statuses.map((_status, minute): EndPlace => ({ endedAt: at(minute), id: String(minute) })).reverse();
  const found = all.filter(({ endedAt }) => {
    if (bound === undefined) return true;
    return 'by' in bound ? endedAt <= bound.by : endedAt < bound.before.endedAt;
  });
  return Promise.resolve(found.slice(0, limit));
}

function readAt(_lane: unknown, _rootName: string, { endedAt, id }: EndPlace) {
  reads.push(id);
  const status = statuses[Number(id)] ?? 'queued';
  const deployment = { ...aDeployment({ status }), id };
  return Promise.resolve({ version: 1, repository: { ...LANE, installationId: 1 }, deployment, endedAt } as const);
}
