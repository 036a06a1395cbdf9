import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { aLock, aPlan } from '../testing/samples.ts';
import { deploymentAt, NOW as AT } from '../testing.ts';
import { askGate, stoppingGate, closedGates, gatesAt, isDoorOpen, type GateFacts } from './gates.ts';

const NOW = Date.parse(AT);

const OPEN: GateFacts = {
  turn: { deployment: deploymentAt(1), lock: undefined },
  order: { kind: 'ready' },
  stop: { stops: [] },
  window: {},
  age: { plannedAt: AT },
  policy: { plan: aPlan().made.body, overrides: undefined },
  review: { isRequired: false, answer: undefined, rules: undefined },
};

const DENIED = { name: 'cost', enforce: 'required', verdict: 'denied', denials: [], warnings: [] } as const;

const LOCKED: Partial<GateFacts> = { turn: { deployment: deploymentAt(1), lock: aLock('failed') } };
const WAITING: Partial<GateFacts> = { order: { kind: 'waiting', sentence: 'waits for dns' } };
const OBJECTED: Partial<GateFacts> = {
  policy: { plan: aPlan({ policies: [DENIED] }).made.body, overrides: undefined },
};
const UNREVIEWED: Partial<GateFacts> = { review: { isRequired: true, answer: undefined, rules: [{ users: ['ada'] }] } };
const HALF_REVIEWED: Partial<GateFacts> = {
  review: { ...OPEN.review, isRequired: true, people: { count: 2, eachOf: [] }, approvals: [{ by: 'bob', byId: 7 }] },
};
const REJECTED: Partial<GateFacts> = { review: { isRequired: true, answer: 'rejected', rules: undefined } };
const FAILED: Partial<GateFacts> = { order: { kind: 'failed', sentence: 'dns failed' } };

const SHUT: Partial<GateFacts> = {
  window: {
    closed: { because: 'change freeze “Year end”', opens: { at: NOW + 60_000, said: 'Mon 08:00 Europe/Berlin' } },
  },
};
const SEALED: Partial<GateFacts> = { window: { closed: { because: 'outside of “Office hours”' } } };

const at = (...changes: readonly Partial<GateFacts>[]): GateFacts => Object.assign({}, OPEN, ...changes) as GateFacts;

test('a deployment that nothing holds back passes every door', () => {
  for (const door of ['plan', 'confirm', 'apply'] as const) expect(closedGates(door, OPEN, NOW)).toEqual([]);
});

test('before its plan, a deployment waits for the lane and for others; before its apply, for everything again', () => {
  expect(gatesAt('plan')).toEqual(['turn', 'order', 'stop', 'window']);
  expect(gatesAt('confirm')).toEqual(['policy', 'review']);
  expect(gatesAt('apply')).toEqual(['turn', 'order', 'stop', 'window', 'age', 'policy', 'review']);
});

describe('a closed gate says what the deployment waits for, and who can end that', () => {
  test.each([
    ['turn', LOCKED, expect.stringMatching(/^the lane is locked by a failed apply of/), ['unlock']],
    ['order', WAITING, 'waits for dns', ['other lanes']],
    ['window', SEALED, "Closed until the server's file opens it (outside of “Office hours”)", ['operators']],
    ['policy', OBJECTED, expect.stringContaining('the policy cost denies this plan'), ['override']],
    ['review', UNREVIEWED, "this plan waits for @ada's review", ['confirm', 'reject']],
    ['review', HALF_REVIEWED, 'this plan waits for one more person; 1 of 2 confirmed (@bob)', ['confirm', 'reject']],
  ] as const)('%s', (gate, changes, sentence, who) => {
    expect(stoppingGate('apply', at(changes), NOW)).toEqual({ gate, kind: 'waits', sentence, who });
  });
});

describe('a window that is closed', () => {
  test('says until when, and opens by itself then', () => {
    const sentence = 'Closed until Mon 08:00 Europe/Berlin (change freeze “Year end”)';

    expect(stoppingGate('apply', at(SHUT), NOW)).toMatchObject({ gate: 'window', sentence, until: NOW + 60_000 });
    expect(stoppingGate('apply', at(SHUT), NOW + 59_999)).toBeDefined();
    expect(stoppingGate('apply', at(SHUT), NOW + 60_000)).toBeUndefined();
  });

  test('keeps nobody from confirming', () => {
    expect(stoppingGate('confirm', at(SHUT, SEALED), NOW)).toBeUndefined();
  });
});

describe('a stop', () => {
  const stops = [
    { by: 'ada', reason: 'the registry is down', until: NOW + 60_000, said: 'Sat 14:01 UTC' },
    { by: 'bob', reason: 'a migration', until: NOW + 90_000, said: 'Sat 14:02 UTC' },
    { by: 'eve', reason: 'it is over', until: NOW, said: 'Sat 14:00 UTC' },
  ];

  test('of several, the one that lasts longest is said, with who made it, and why', () => {
    expect(closedGates('plan', at({ stop: { stops } }), NOW)).toEqual([
      {
        gate: 'stop',
        kind: 'waits',
        sentence: 'Stopped by bob until Sat 14:02 UTC: a migration. A thaw of the repository ends that',
        who: ['thaw'],
        until: NOW + 90_000,
      },
    ]);
  });

  test('ends by itself', () => {
    expect(isDoorOpen('apply', at({ stop: { stops } }), NOW + 90_000)).toBe(true);
  });

  test('keeps nobody from confirming', () => {
    expect(stoppingGate('confirm', at({ stop: { stops } }), NOW)).toBeUndefined();
  });
});

test.each([
  ['as old as it may be', { plannedAt: AT, limitMs: 3_600_000 }, 3_600_000, undefined],
  ['older', { plannedAt: AT, limitMs: 3_600_000 }, 3_600_001, 'the plan is older than 1h'],
  ['without a time', { plannedAt: undefined, limitMs: 5_400_000 }, 0, 'the plan is older than 90m'],
  ['of any age, where nothing limits it', { plannedAt: undefined }, 0, undefined],
])('a plan may be applied while it is not too old: %s', (_what, age, laterMs, sentence) => {
  expect(stoppingGate('apply', at({ age }), NOW + laterMs)?.sentence).toBe(sentence);
});

describe('a gate that refuses ends the deployment', () => {
  test.each([
    ['order', FAILED, 'refused'],
    ['policy', { policy: { ...OPEN.policy, unjudged: 'cost has not judged this plan' } }, 'refused'],
    ['review', REJECTED, 'rejected'],
  ] as const)('%s', (gate, changes, status) => {
    expect(stoppingGate('apply', at(changes), NOW)).toMatchObject({ gate, kind: 'refuses', status });
  });

  test('even while it waits at a gate before', () => {
    expect(stoppingGate('apply', at(LOCKED, OBJECTED, REJECTED), NOW)).toMatchObject({ gate: 'review' });
  });
});

test('of several gates at which it waits, a deployment stops at the first', () => {
  expect(stoppingGate('apply', at(UNREVIEWED, OBJECTED, WAITING, LOCKED), NOW)).toMatchObject({ gate: 'turn' });
  expect(closedGates('apply', at(UNREVIEWED, OBJECTED, WAITING, LOCKED), NOW)).toHaveLength(4);
});

test('a plan that a person has confirmed waits for no review', () => {
  expect(askGate('review', { isRequired: true, answer: 'approved', rules: undefined }, NOW)).toEqual({
    kind: 'passes',
  });
});

test('whatever closes at a door, every wait has a sentence and somebody who can end it', () => {
  const some = fc.subarray([LOCKED, WAITING, OBJECTED, UNREVIEWED, HALF_REVIEWED, REJECTED, FAILED]);

  fc.assert(
    fc.property(some, (changes) => {
      for (const gate of closedGates('apply', at(...changes), NOW)) {
        expect(gate.sentence).not.toBe('');
        if (gate.kind === 'waits') expect(gate.who).not.toEqual([]);
      }
    }),
  );
});
