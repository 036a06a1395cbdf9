/** All gates together, with any facts at any time. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { aLock, aPlan } from '../testing/samples.ts';
import { deploymentAt, NOW as AT, REPOSITORY } from '../testing.ts';
import { askGate, closedGates, gatesAt, isDoorOpen, stoppingGate, type GateFacts, type GateName } from './gates.ts';

const NOW = Date.parse(AT);
const DAY_MS = 86_400_000;

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

const time = fc.integer({ min: NOW - 30 * DAY_MS, max: NOW + 30 * DAY_MS });

/** One row for each gate: it does not compile without. */
const ANY: { readonly [Name in GateName]: fc.Arbitrary<GateFacts[Name]> } = {
  turn: fc.constantFrom(OPEN.turn, { deployment: deploymentAt(1), lock: aLock('failed') }),
  order: fc.constantFrom<GateFacts['order']>(
    { kind: 'ready' },
    { kind: 'waiting', sentence: 'waits for dns' },
    { kind: 'failed', sentence: 'dns failed' },
  ),
  stop: fc.record({
    stops: fc.array(
      time.map((until) => ({
        repository: REPOSITORY,
        by: 'ada',
        reason: 'the registry is down',
        until,
        said: 'Mon 08:00 UTC',
      })),
      { maxLength: 3 },
    ),
    hasUnknown: fc.boolean(),
  }),
  window: fc.oneof(
    fc.constant({}),
    fc.constant({ closed: { because: 'outside of “Office hours”' } }),
    time.map((at) => ({ closed: { because: 'change freeze “Year end”', opens: { at, said: 'Mon 08:00 UTC' } } })),
  ),
  age: fc.record({
    plannedAt: fc.option(
      time.map((at) => new Date(at).toISOString()),
      { nil: undefined },
    ),
    limitMs: fc.option(fc.integer({ min: 600_000, max: 30 * DAY_MS }), { nil: undefined }),
  }),
  policy: fc.constantFrom(
    OPEN.policy,
    { plan: aPlan({ policies: [DENIED] }).made.body, overrides: undefined },
    { ...OPEN.policy, unjudged: 'cost has not judged this plan' },
  ),
  review: fc.record({
    isRequired: fc.boolean(),
    answer: fc.constantFrom('approved' as const, 'rejected' as const, undefined),
    rules: fc.constant(undefined),
  }),
};

const facts = fc.record(ANY) as fc.Arbitrary<GateFacts>; // Each of its own gate.

test('nothing is applied while any gate at the door waits or refuses', () => {
  fc.assert(
    fc.property(facts, time, (known, now) => {
      const answers = gatesAt('apply').map((gate) => askGate<GateName>(gate, known[gate], now).kind);

      expect(isDoorOpen('apply', known, now)).toBe(answers.every((kind) => kind === 'passes'));
      expect(stoppingGate('apply', known, now) === undefined).toBe(isDoorOpen('apply', known, now));
    }),
  );
});

test('every wait has a sentence, and somebody who can end it or a time at which it ends by itself', () => {
  fc.assert(
    fc.property(facts, time, (known, now) => {
      for (const closed of closedGates('apply', known, now)) {
        expect(closed.sentence).not.toBe('');
        if (closed.kind === 'refuses') continue;
        expect(closed.who.length > 0 || closed.until !== undefined).toBe(true);
        if (closed.until === undefined) continue;
        expect(closed.until).toBeGreaterThan(now);
        expect(askGate<GateName>(closed.gate, known[closed.gate], closed.until).kind).toBe('passes');
      }
    }),
  );
});

test('more permission never closes a gate: no gate depends on the facts of another', () => {
  fc.assert(
    fc.property(facts, time, fc.constantFrom(...gatesAt('apply')), (known, now, opened) => {
      const before = closedGates('apply', known, now).map(({ gate }) => gate);
      const after = closedGates('apply', { ...known, [opened]: OPEN[opened] }, now).map(({ gate }) => gate);

      expect(after.filter((gate) => gate !== opened)).toEqual(before.filter((gate) => gate !== opened));
    }),
  );
});
