/** All gates together, with any facts at any time and at each door; and what it takes to permit more. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { rowOfRule } from '../actions/actions.ts';
import { defined } from '../defined.ts';
import { aBreakGlass } from '../testing/envelopes.ts';
import { aLock, aPlan } from '../testing/samples.ts';
import { deploymentAt, NOW as AT, REPOSITORY } from '../testing.ts';
import type { Unblocker } from '../deployment/wait-reason.ts';
import { ALL_POOLS } from './clock/stop.ts';
import type { Door, GateAnswer } from './gate.ts';
import { askGate, closedGates, gatesAt, isDoorOpen, stoppingGate, type GateFacts, type GateName } from './gates.ts';

const NOW = Date.parse(AT);
const DAY_MS = 86_400_000;
const DOORS: readonly Door[] = ['plan', 'confirm', 'apply'];

const DENIED = (name: string) => ({ name, enforce: 'required', verdict: 'denied', denials: [], warnings: [] }) as const;
const POLICIES = ['cost', 'tags'];
const DENIED_PLAN = aPlan({ policies: POLICIES.map(DENIED) }).made.body;

const TEAMS = ['acme/sre', 'acme/dba'];
const PEOPLE = [
  { by: 'ada', byId: 1, teams: TEAMS },
  { by: 'bob', byId: 2, teams: ['acme/sre'] },
  { by: 'carol', byId: 3, teams: ['acme/dba'] },
  { by: 'dan', byId: 4 },
];

const time = fc.integer({ min: NOW - 30 * DAY_MS, max: NOW + 30 * DAY_MS });
const isoTime = time.map((at) => new Date(at).toISOString());
const lengthMs = fc.integer({ min: 0, max: 30 * DAY_MS });
const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });

const ORDERS = [
  { kind: 'failed', sentence: 'dns failed' },
  { kind: 'waiting', sentence: 'waits for dns' },
  { kind: 'ready' },
] as const satisfies readonly GateFacts['order'][];

const WAVE = { name: 'canary', number: 1, of: 3, soak: '30m' };
const STANDINGS = [
  { kind: 'open', rootNames: ['network'] },
  { kind: 'halted', rootName: 'network', how: 'failed to apply' },
  { kind: 'check-failed', check: 'errors', failures: 3, answer: 'answered 500', said: 'Mon 12:30 UTC' },
  { kind: 'checking', checks: 'the check errors has not answered yet' },
  { kind: 'soaking', until: NOW, said: 'Mon 12:30 UTC', checks: 'its checks pass so far' },
] as const;

const soaks = ({ until, isFurtherAhead }: { readonly until: number; readonly isFurtherAhead?: true | undefined }) => ({
  ...{ ...WAVE, standing: { kind: 'soaking', until, said: 'Mon 12:30 UTC' } as const },
  ...(isFurtherAhead && { isFurtherAhead }),
});

const override = (policies: readonly string[]) =>
  ({
    body: { version: 1, requestId: 'r', deploymentId: '1', digest: DENIED_PLAN.digest, by: 'ada', at: AT, policies },
    signature: 'a..b',
  }) as const;

const fullBudget = fc.record({
  name: fc.constant('aws-prod'),
  door: fc.constantFrom('plan' as const, 'apply' as const),
  limit: fc.integer({ min: 1, max: 5 }),
  holders: fc.subarray(['network', 'dns'].map((rootName) => ({ rootName, deploymentId: `of ${rootName}` }))),
  others: fc.nat({ max: 3 }),
  ahead: fc.nat({ max: 300 }),
});

const unreadable = fc.record({ unreadable: fc.constantFrom('away' as const, 'broken' as const) });

const GLASS = aBreakGlass();

const STOPPED = [{ repository: REPOSITORY }, { pool: 'default' }, { pool: ALL_POOLS }];

const opening = time.map((at) => ({ at, said: 'Mon 08:00 UTC' }));

/** One row for each gate: it does not compile without. */
const ANY: { readonly [Name in GateName]: fc.Arbitrary<GateFacts[Name]> } = {
  turn: fc.constantFrom(undefined, aLock('failed')).map((lock) => ({ deployment: deploymentAt(1), lock })),
  stop: fc.record(
    {
      stops: fc.array(
        fc.tuple(time, fc.constantFrom(...STOPPED)).map(([until, of]) => ({
          by: 'ada',
          reason: 'the registry is down',
          until,
          said: 'Mon 08:00 UTC',
          ...of,
        })),
        { maxLength: 3 },
      ),
      unreadable: fc.constantFrom('away' as const, { pool: ALL_POOLS, file: 'stops/pools.json' }),
      glass: fc.constant(GLASS),
    },
    { requiredKeys: ['stops'] },
  ),
  window: fc.oneof(
    fc.constant({}),
    fc.constant({ closed: { because: 'outside of “Office hours”' } }),
    opening.map((opens) => ({ closed: { because: 'change freeze “Year end”', opens } })),
  ),
  soak: fc.record({
    before: fc.option(
      fc.oneof(
        fc.constantFrom(...STANDINGS).map((standing) => ({ ...WAVE, standing })),
        fc
          .record({ until: time, isFurtherAhead: fc.constantFrom(undefined, true as const) })
          .map((soaking) => soaks(soaking)),
      ),
      { nil: undefined },
    ),
    unreadable: fc.constantFrom(undefined, 'away', 'broken'),
  }) as fc.Arbitrary<GateFacts['soak']>, // Without what is undefined, or with it.
  order: fc.constantFrom(...ORDERS),
  age: fc.record({ plannedAt: optional(isoTime), limitMs: optional(lengthMs) }),
  policy: fc.record({
    plan: fc.constantFrom(aPlan().made.body, DENIED_PLAN),
    overrides: optional(fc.array(fc.subarray(POLICIES).map(override), { maxLength: 2 })),
    unjudged: fc.constantFrom(undefined, 'size has not judged this plan'),
  }),
  budget: fc.oneof(fc.constant({}), fc.record({ full: fullBudget }), unreadable),
  review: fc.record({
    isRequired: fc.boolean(),
    answer: fc.constantFrom('approved' as const, 'rejected' as const, undefined),
    rules: fc.constantFrom(undefined, [{ users: ['ada'] }]),
    people: optional(fc.record({ count: fc.integer({ min: 1, max: 4 }), eachOf: fc.subarray(TEAMS) })),
    approvals: optional(fc.array(fc.constantFrom(...PEOPLE), { maxLength: 4 })),
  }),
};

/** Other facts of the same gate, which permit more, or the same. */
const MORE: { readonly [Name in GateName]: (facts: GateFacts[Name]) => fc.Arbitrary<GateFacts[Name]> } = {
  turn: (facts) => fc.constant({ ...facts, lock: undefined }),
  /** Fewer stops, and shorter ones, or a person who lets it pass. */
  stop: ({ stops, glass }) =>
    fc.tuple(fc.subarray([...stops]), lengthMs, fc.constantFrom(glass, GLASS)).map(([fewer, lessMs, broken]) => ({
      stops: fewer.map((stop) => ({ ...stop, until: stop.until - lessMs })),
      ...defined({ glass: broken }),
    })),
  /** It opens earlier. */
  window: ({ closed }) => {
    if (closed === undefined) return fc.constant({});
    const { opens } = closed;
    const earlier = opens === undefined ? opening : lengthMs.map((lessMs) => ({ ...opens, at: opens.at - lessMs }));
    return fc.oneof(
      fc.constant({}),
      earlier.map((sooner) => ({ closed: { ...closed, opens: sooner } })),
    );
  },
  /** The wave is over, or soaks for a shorter time. */
  soak: ({ before }) => {
    if (before?.standing.kind !== 'soaking' || before.isFurtherAhead) return fc.constant({});
    const { until } = before.standing;
    return fc
      .oneof(
        fc.constant({}),
        lengthMs.map((lessMs) => soaks({ until: until - lessMs })),
      )
      .map((one) => ('standing' in one ? { before: one } : {}));
  },
  order: ({ kind }) => fc.constantFrom(...ORDERS.slice(ORDERS.findIndex((order) => order.kind === kind))),
  /** The plan is younger, or may be older. */
  age: ({ plannedAt, limitMs = Infinity }) =>
    fc.record({
      plannedAt: plannedAt === undefined ? optional(isoTime) : lengthMs.map((moreMs) => isoAfter(plannedAt, moreMs)),
      limitMs: limitMs === Infinity ? fc.constant(undefined) : optional(lengthMs.map((moreMs) => limitMs + moreMs)),
    }),
  /** One more policy is overridden, or has judged the plan. */
  policy: (facts) =>
    fc
      .tuple(fc.subarray(POLICIES), fc.constantFrom(facts.unjudged, undefined))
      .map(([names, unjudged]) => ({ ...facts, unjudged, overrides: [...(facts.overrides ?? []), override(names)] })),
  /** Fewer come first, or there is a lease. */
  budget: ({ full }) =>
    fc.constantFrom<GateFacts['budget']>({}, full === undefined ? {} : { full: { ...full, ahead: 0 } }),
  /** One more person has confirmed it, or fewer have to. */
  review: (facts) =>
    fc
      .record({
        isRequired: fc.constantFrom(facts.isRequired, false),
        answer: fc.constant('approved' as const),
        approvals: fc.constantFrom(...PEOPLE).map((person) => [...(facts.approvals ?? []), person]),
        people: fc.constantFrom(facts.people, facts.people && { ...facts.people, eachOf: [] }),
      })
      .map((more) => ({ ...facts, ...more })),
};

function isoAfter(iso: string, ms: number): string {
  return new Date(Date.parse(iso) + ms).toISOString();
}

const facts = fc.record(ANY) as fc.Arbitrary<GateFacts>; // Each of its own gate.
const door = fc.constantFrom(...DOORS);

test('a door is open exactly while none of its gates waits or refuses, and else says at which a deployment stops', () => {
  fc.assert(
    fc.property(door, facts, time, (at, known, now) => {
      const closed = gatesAt(at).filter((gate) => askGate<GateName>(gate, known[gate], now).kind !== 'passes');

      expect(closedGates(at, known, now).map(({ gate }) => gate)).toEqual(closed);
      expect(isDoorOpen(at, known, now)).toBe(closed.length === 0);
      const stopping = stoppingGate(at, known, now);
      if (stopping?.kind === 'refuses') expect(closed).toContain(stopping.gate);
      else expect(stopping?.gate).toBe(closed[0]);
    }),
  );
});

/** The name of what a person presses, or of those whom no action names. */
function nameOf(who: Unblocker): string {
  return who === 'other lanes' || who === 'operators' ? who : rowOfRule(who).label;
}

test('every wait has a sentence, somebody who can end it and has a name, and ends at its time, not before', () => {
  fc.assert(
    fc.property(door, facts, time, (at, known, now) => {
      for (const closed of closedGates(at, known, now)) {
        expect(closed.sentence).not.toBe('');
        if (closed.kind === 'refuses') continue;
        expect(closed.who).not.toEqual([]);
        for (const who of closed.who) expect(nameOf(who)).not.toBe('');
        if (closed.until === undefined) continue;
        expect(closed.until).toBeGreaterThan(now);
        const { gate, until } = closed;
        expect(askGate<GateName>(gate, known[gate], until - 1).kind).toBe('waits');
        expect(askGate<GateName>(gate, known[gate], until).kind).toBe('passes');
      }
    }),
  );
});

/** From the best for a deployment to the worst: `kind`, then how long a wait lasts. */
function howClosed(answer: GateAnswer): readonly [number, number] {
  switch (answer.kind) {
    case 'passes':
      return [0, 0];
    case 'waits':
      return [1, answer.until ?? Infinity];
    case 'refuses':
      return [2, Infinity];
  }
}

/** Of the gate that is tried. */
type Facts = GateFacts[GateName];

test.each(Object.keys(ANY) as readonly GateName[])(
  'one approval more, a shorter stop, a later limit: whatever permits more never closes the gate %s, and no wait gets longer',
  (name) => {
    const any = ANY[name] as fc.Arbitrary<Facts>;
    const moreThan = MORE[name] as (less: Facts) => fc.Arbitrary<Facts>;
    const both = any.chain((less) => moreThan(less).map((more) => ({ less, more })));

    fc.assert(
      fc.property(both, time, ({ less, more }, now) => {
        const [kindBefore, untilBefore] = howClosed(askGate(name, less, now));
        const [kind, until] = howClosed(askGate(name, more, now));

        expect(kind).toBeLessThanOrEqual(kindBefore);
        expect(until).toBeLessThanOrEqual(untilBefore);
      }),
    );
  },
);
