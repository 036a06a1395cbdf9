import { describe, expect, test } from '@jest/globals';
import { createRandom } from '../random.ts';
import { eventsOf } from './events-of-week.ts';
import { MADE_UP_REPOSITORIES } from './made-up-repositories.ts';
import { makeWeek } from './make-week.ts';
import { recordsOfWeek } from './records-of-week.ts';

const NOW_MS = Date.parse('2026-11-25T17:30:00.000Z');

const random = createRandom(1);
const weeks = MADE_UP_REPOSITORIES.map((repository) => {
  const week = makeWeek(repository, { random, hosts: { present: 'host-1', lost: 'host-2' }, nowMs: NOW_MS });
  return { week, ...recordsOfWeek(week, 7, (number) => String(number).padStart(40, '0')) };
});
const lanes = weeks.flatMap((week) => week.lanes);

test('a lane that somebody has to look after is locked as its rules say', () => {
  const locks = lanes.flatMap(({ rootName, lock }) => (lock ? [[rootName, lock.kind, lock.by]] : []));

  expect(Object.fromEntries(locks.map(([rootName, ...lock]) => [rootName, lock]))).toMatchObject({
    warehouse: ['failed', 'dave'],
    cdn: ['outcome-unknown', 'frank'],
    checkout: ['manual', 'erin'],
  });
  expect(lanes.find(({ rootName }) => rootName === 'emails')).toMatchObject({ latest: { status: 'apply-failed' } });
});

test('a merge that was rejected, or could not be planned, is left undeployed', () => {
  const left = lanes.map(({ rootName, undeployed }) => [rootName, undeployed?.map(({ status }) => status)] as const);

  expect(Object.fromEntries(left)).toMatchObject({ prices: ['rejected'], tls: ['plan-failed'] });
  expect(lanes.find(({ rootName }) => rootName === 'warehouse')).not.toHaveProperty('undeployed');
});

test('all lanes rest, so that nobody resumes them', () => {
  for (const { running, manual, merged, ended } of lanes)
    expect([running, ...manual, ...merged, ended]).toEqual([undefined, undefined]);
});

test('a deployment by hand is of the branch of its pull request, all others are of the default branch', () => {
  for (const { deployments } of weeks) {
    for (const { deployment } of deployments) {
      const isByHand = deployment.trigger === 'manual' && !deployment.rerun;
      expect(deployment.revision.branch === 'main').toBe(!isByHand);
    }
  }
});

describe('the audit trail', () => {
  const events = weeks.flatMap(({ week, deployments }) =>
    deployments.flatMap((record, index) => {
      const made = week.deployments[index];
      return made === undefined ? [] : eventsOf(made, record);
    }),
  );

  test('has an end of each apply, after its beginning', () => {
    const states = Map.groupBy(
      events.flatMap(({ event }) => ('jobId' in event ? [event] : [])),
      ({ jobId }) => jobId,
    );

    for (const ofJob of states.values())
      expect(ofJob).toMatchObject([{ state: 'RUNNING' }, { endedAt: expect.any(String) }]);
  });

  test('has no event twice', () => {
    expect(new Set(events.map(({ event }) => event.id)).size).toBe(events.length);
  });

  test('has what people did: reviews, re-runs, deployments by hand, and refusals', () => {
    const actions = events.flatMap(({ event }) => ('pressedAt' in event ? [`${event.action} ${event.state}`] : []));

    expect([...new Set(actions)].sort()).toEqual([
      'apply REVIEWED',
      'confirm REFUSED',
      'confirm REVIEWED',
      'reject REVIEWED',
      'rerun REVIEWED',
    ]);
  });
});
