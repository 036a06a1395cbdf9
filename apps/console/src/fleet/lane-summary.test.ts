import { describe, expect, test } from '@jest/globals';
import type { Latest, Lock } from '@nereid/contracts';
import { deploymentAt } from '@nereid/lane/testing';
import { briefly, type FleetDeployment, type FleetLane } from './fleet.ts';
import { laneSummaryOf } from './lane-summary.ts';
import { listLanes } from './list-lanes.ts';

const GITHUB = 'https://github.example';
const AT = '2026-11-22T12:00:00.000Z';
const deployment = (more: Partial<FleetDeployment> = {}): FleetDeployment => ({ ...briefly(deploymentAt(1)), ...more });
const lock = (kind: Lock['kind']): Lock => ({ kind, deploymentId: 'd0', revision: 'a'.repeat(40), by: 'bob', at: AT });
const latest = (status: Latest['status']): Latest => ({
  ...{ deploymentId: 'd0', revision: 'a'.repeat(40), trigger: 'merge', at: AT },
  status,
});

const lane = (more: Partial<FleetLane> = {}): FleetLane => ({
  ...{ owner: 'acme', name: 'infra', rootName: 'network', waiting: [], stamp: '1' },
  ...more,
});

describe('a lane is', () => {
  test.each<[string, Partial<FleetLane>, string | undefined]>([
    ['idle', {}, undefined],
    ['idle', { latest: latest('succeeded') }, undefined],
    ['planning', { running: deployment({ status: 'preparing' }) }, 'Preparing: '],
    [
      'review',
      { running: deployment({ status: 'awaiting-review' }), waiting: [deployment()] },
      'one deployment waits behind it',
    ],
    ['applying', { running: deployment({ status: 'applying' }), lock: lock('failed') }, 'by @'],
    [
      'locked',
      { lock: lock('manual'), waiting: [deployment(), deployment()] },
      'by @bob; 2 deployments wait behind it.',
    ],
    ['failed', { lock: lock('failed') }, 'Locked by a failed apply of aaaaaaa.'],
    ['failed', { latest: latest('apply-failed') }, 'The apply of aaaaaaa failed.'],
    ['outcome-unknown', { lock: lock('outcome-unknown') }, 'whose outcome is unknown'],
    ['waiting', { waiting: [deployment()], waitsFor: 'GitHub cannot be asked' }, 'One deployment waits: GitHub cannot'],
    ['waiting', { running: deployment({ status: 'blocked', reason: 'Cannot see it' }) }, 'Cannot see it'],
    ['failed', { latest: latest('apply-outcome-unknown') }, 'The apply of aaaaaaa was interrupted.'],
    ['unreadable', { isUnreadable: true, lock: lock('manual') }, 'cannot be read'],
  ])('%s', (state, more, sentence) => {
    const found = laneSummaryOf(lane(more), GITHUB);

    expect(found.state).toBe(state);
    if (sentence === undefined) expect(found).not.toHaveProperty('sentence');
    else expect(found.sentence).toContain(sentence);
  });
});

describe('the list', () => {
  const lanes = ['app', 'database', 'network'].map((rootName, index) =>
    lane({
      rootName,
      ...(index === 1 && { lock: lock('manual') }),
      running: deployment({ id: rootName, requestedBy: rootName, status: 'planning' }),
    }),
  );
  const picture = { lanes: [...lanes, lane({ name: 'other', rootName: 'idle' })], unavailable: [], departed: [] };
  const rootsOf = (query: Partial<Parameters<typeof listLanes>[1]>) =>
    listLanes(picture, { limit: 10, ...query }, GITHUB).items.map(({ rootName }) => rootName);

  test('has what the filters say', () => {
    expect(rootsOf({ repository: 'acme/other' })).toEqual(['idle']);
    expect(rootsOf({ state: 'planning' })).toEqual(['app', 'database', 'network']);
    expect(rootsOf({ text: 'INFRA data' })).toEqual(['database']);
    expect(rootsOf({ text: 'nobody' })).toEqual([]);
  });

  test('counts the states of what the other filters leave over', () => {
    expect(listLanes(picture, { limit: 1, state: 'idle', repository: 'acme/infra' }, GITHUB)).toMatchObject({
      items: [],
      counts: { planning: 3 },
    });
  });

  test('goes on behind a lane that is gone meanwhile', () => {
    const first = listLanes(picture, { limit: 2 }, GITHUB);
    const left = { ...picture, lanes: picture.lanes.filter(({ rootName }) => rootName !== 'database') };

    const rest = listLanes(left, { limit: 2, ...(first.next !== undefined && { cursor: first.next }) }, GITHUB);

    expect([...first.items, ...rest.items].map(({ rootName }) => rootName)).toEqual([
      'app',
      'database',
      'network',
      'idle',
    ]);
    expect(rest).not.toHaveProperty('next');
  });
});
