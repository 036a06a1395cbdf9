import { expect, test } from '@jest/globals';
import type { Deployment, Lock, Presentation, Progress } from '@nereid/domain/deployment';
import { aPlan, aPress, deploymentAt, progressAs, REPOSITORY } from '@nereid/domain/testing';
import { endedEvents, stateEvents } from './state-events.ts';

const RECEIVED = deploymentAt(3).receivedAt;
const LATER = '2027-01-01T00:00:00.000Z';
const LOCK: Lock = { kind: 'manual', deploymentId: 'other', revision: 'b'.repeat(40), by: 'alice', at: LATER };

const as = (progress: Partial<Progress>, changes: Partial<Deployment> = {}): Presentation => {
  const deployment = deploymentAt(3);
  return { deployment: { ...deployment, ...changes, progress: { ...deployment.progress, ...progress } } };
};

const eventsOf = (...presentations: readonly Presentation[]) => stateEvents(REPOSITORY, presentations);

test('a deployment that waits says why, since when, and for whom, in the words of its check run', () => {
  const waiting = { status: 'preparing', waitsFor: 'host', reason: 'Waiting for a host: no host is running' } as const;

  expect(eventsOf(as({ ...waiting, times: { queued: RECEIVED, preparing: LATER } }))).toMatchObject([
    { kind: 'waits', reason: 'host', since: LATER, sentence: 'Waiting for a host: no host is running' },
  ]);
});

test('a deployment that a lock holds back waits since the lock was set, and the event names who set it', () => {
  expect(eventsOf({ ...as({ times: { queued: RECEIVED } }), ahead: 0, lock: LOCK })).toMatchObject([
    {
      kind: 'waits',
      reason: 'turn',
      since: LATER,
      sentence: 'Locked by a manual deployment of bbbbbbb by @alice',
    },
  ]);
});

test('a plan that waits for its review says whose, and who has confirmed it, once', () => {
  const { root } = deploymentAt(3);
  const review = { count: 2, eachOf: ['acme/sre', 'acme/dba'] };
  const bob = aPress({ by: 'bob', byId: 7, teams: ['acme/sre'] });
  const waiting = as({ status: 'awaiting-review', plan: aPlan(), approvals: [bob] }, { root: { ...root, review } });

  expect(eventsOf(waiting)).toMatchObject([
    {
      kind: 'waits',
      reason: 'review',
      sentence:
        'Plan: 2 to add, 1 to change, 2 to destroy; this plan waits for somebody of acme/dba; 1 of 2 confirmed (@bob)',
    },
  ]);
});

test('another place in the queue is the same event, and another reason is another one', () => {
  const idOf = (presentation: Presentation) => eventsOf(presentation)[0]?.id;
  const lanes = (reason: string) => as({ status: 'queued', reason });

  expect(idOf({ ...as({}), ahead: 3 })).toBe(idOf({ ...as({}), ahead: 2 }));
  expect(idOf(lanes('waits for network'))).not.toBe(idOf(lanes('waits for dns')));
});

test.each([
  ['queued', 'queued'],
  ['preparing', 'planning'],
  ['planning', 'planning'],
  ['applying', 'applying'],
] as const)('a deployment that is %s and waits for nothing is %s', (status, kind) => {
  expect(eventsOf(as({ status }))).toMatchObject([{ kind }]);
});

test('previews are no events, and neither are ends before they are stored', () => {
  expect(eventsOf(as({}, { trigger: 'preview' }), as(progressAs('succeeded')))).toEqual([]);
});

test('an end that is stored is an event in the words of its check run', () => {
  const { deployment } = as({ ...progressAs('succeeded'), times: { succeeded: LATER } });
  const record = { version: 1, repository: REPOSITORY, deployment, endedAt: LATER } as const;

  expect(endedEvents(record)).toMatchObject([
    { kind: 'ended', status: 'succeeded', since: LATER, sentence: 'Applied' },
  ]);
});
