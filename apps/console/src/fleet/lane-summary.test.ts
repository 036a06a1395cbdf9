import { describe, expect, test } from '@jest/globals';
import { githubPages } from '@nereid/github-pages';
import { UNDEPLOYED_LIMIT } from '@nereid/domain/lane';
import { shaAt } from '@nereid/domain/testing';
import type { FleetLane } from './fleet-lane.ts';
import { behindRevisionsOf, laneSummaryOf } from './lane-summary.ts';
import { aFleetDeployment, aFleetLane, anUndeployed, AT, latestAs, lockOf } from './testing.ts';

const GITHUB = githubPages('https://github.example');
const summaryOf = (more: Partial<FleetLane>) => laneSummaryOf(aFleetLane(more), GITHUB);

describe('the state of a lane', () => {
  const deployment = aFleetDeployment;
  const left = { undeployed: [anUndeployed(2)] };

  test.each<[string, string, Partial<FleetLane>]>([
    ['idle', 'without anything', {}],
    ['idle', 'with its deployed revision', { latest: latestAs('succeeded') }],
    ['idle', 'when a person ended what was left', { undeployed: [anUndeployed(2, { status: 'rejected' })] }],
    ['planning', 'while a host is claimed', { running: deployment({ status: 'preparing' }) }],
    ['waiting', 'while no host is free', { running: deployment({ status: 'preparing', waitsFor: 'host' }) }],
    ['waiting', 'while something outside holds it up', { running: deployment({ status: 'blocked' }) }],
    ['waiting', 'when nothing may run yet', { waiting: [deployment()], ...left }],
    ['review', 'in review', { running: deployment({ status: 'awaiting-review' }) }],
    ['applying', 'whatever locks it', { running: deployment({ status: 'applying' }), lock: lockOf('failed') }],
    ['locked', 'by hand, whatever failed before', { lock: lockOf('manual'), ...left }],
    ['failed', 'when that halted it', { lock: lockOf('failed') }],
    ['failed', 'as its last apply', { latest: latestAs('apply-failed'), ...left }],
    ['failed', 'as its last apply was interrupted', { latest: latestAs('apply-outcome-unknown') }],
    ['outcome-unknown', 'while that locks it', { lock: lockOf('outcome-unknown') }],
    ['undeployed', 'after a plan that failed', { latest: latestAs('succeeded'), ...left }],
    ['stuck', 'whatever it does', { isStuck: true, running: deployment({ status: 'applying' }) }],
    ['unreadable', 'whatever else is known', { isUnreadable: true, lock: lockOf('manual') }],
  ])('a lane is %s %s', (state, _when, more) => {
    expect(summaryOf(more).state).toBe(state);
  });
});

describe('it is so since', () => {
  const running = aFleetDeployment({ status: 'awaiting-review', receivedAt: '2026-11-22T08:00:00.000Z' });

  test('the person was asked, and for as long as the review is open', () => {
    const reviewWait = { since: '2026-11-22T09:00:00.000Z', endsAt: '2026-11-29T09:00:00.000Z' };

    expect(summaryOf({ running: { ...running, reviewWait } })).toMatchObject({
      since: reviewWait.since,
      endsAt: reviewWait.endsAt,
    });
  });

  test('the deployment was asked for, where its workflow does not say more', () => {
    expect(summaryOf({ running }).since).toBe(running.receivedAt);
    expect(summaryOf({ running })).not.toHaveProperty('endsAt');
  });

  test('the failure that left it undeployed', () => {
    expect(summaryOf({ latest: latestAs('succeeded'), undeployed: [anUndeployed(1, { at: AT })] }).since).toBe(AT);
  });
});

describe('how far it is behind its branch:', () => {
  const waiting = [aFleetDeployment({ revision: { ...aFleetDeployment().revision, sha: shaAt(9), position: 9 } })];

  test('what was left and what waits, with the newest', () => {
    const lane = { latest: latestAs('succeeded', 1), undeployed: [anUndeployed(2)], waiting };

    expect(summaryOf(lane).behind).toEqual({
      revisions: 2,
      isAtLeast: false,
      newest: { sha: shaAt(9), title: 'Change 1' },
    });
    expect(behindRevisionsOf(aFleetLane(lane), 1)).toEqual([
      { sha: shaAt(9), title: 'Change 1', status: 'queued', path: 'deployments/1?lane=acme%2Finfra%2Fnetwork' },
    ]);
    expect(behindRevisionsOf(aFleetLane(lane), 2)[1]).toMatchObject({
      status: 'plan-failed',
      path: 'deployments/left-2?lane=acme%2Finfra%2Fnetwork',
    });
  });

  test('nothing, when all is deployed', () => {
    expect(summaryOf({ latest: latestAs('succeeded', 2) }).behind).toEqual({ revisions: 0, isAtLeast: false });
  });

  test('at least as many as a lane remembers', () => {
    const undeployed = Array.from({ length: UNDEPLOYED_LIMIT }, (_, index) => anUndeployed(index + 1));

    expect(summaryOf({ undeployed }).behind).toMatchObject({ revisions: UNDEPLOYED_LIMIT, isAtLeast: true });
  });

  test('not known, while its record cannot be read', () => {
    expect(summaryOf({ isUnreadable: true })).not.toHaveProperty('behind');
  });
});
