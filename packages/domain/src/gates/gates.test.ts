import { describe, expect, test } from '@jest/globals';
import { GATE_NAMES } from '../deployment/wait-reason.ts';
import { aBreakGlass } from '../testing/envelopes.ts';
import { aLock, aPlan } from '../testing/samples.ts';
import { deploymentAt, NOW as AT, REPOSITORY } from '../testing.ts';
import { ALL_POOLS } from './clock/stop.ts';
import { askGate, stoppingGate, closedGates, gatesAt, isDoorOpen, waitAtApply, type GateFacts } from './gates.ts';

const NOW = Date.parse(AT);

const BROKEN = { pool: ALL_POOLS, file: 'stops/pools.json' };

const OPEN: GateFacts = {
  turn: { deployment: deploymentAt(1), lock: undefined },
  order: { kind: 'ready' },
  stop: { stops: [] },
  window: {},
  soak: {},
  age: { plannedAt: AT },
  policy: { plan: aPlan().made.body, overrides: undefined },
  budget: {},
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
const FULL: Partial<GateFacts> = {
  budget: {
    full: {
      name: 'aws-prod',
      door: 'apply',
      limit: 3,
      holders: [{ rootName: 'dns', deploymentId: 'd1' }],
      others: 2,
      ahead: 1,
    },
  },
};
const SEALED: Partial<GateFacts> = { window: { closed: { because: 'outside of “Office hours”' } } };

type WaveStanding = NonNullable<GateFacts['soak']['before']>['standing'];
const soakOf = (standing: WaveStanding, more: { readonly isFurtherAhead?: true } = {}): Partial<GateFacts> => ({
  soak: { before: { name: 'canary', number: 1, of: 3, soak: '30m', standing, ...more } },
});

const at = (...changes: readonly Partial<GateFacts>[]): GateFacts => Object.assign({}, OPEN, ...changes) as GateFacts;

test('a deployment that nothing holds back passes every door', () => {
  for (const door of ['plan', 'confirm', 'apply'] as const) expect(closedGates(door, OPEN, NOW)).toEqual([]);
});

test('before its plan, a deployment waits for the lane and for others; before its apply, for everything again', () => {
  expect(gatesAt('plan')).toEqual(['turn', 'stop', 'window', 'soak', 'order', 'budget']);
  expect(gatesAt('confirm')).toEqual(['policy', 'review']);
  expect(gatesAt('apply')).toEqual(['stop', 'window', 'soak', 'order', 'budget', 'age', 'policy', 'review', 'turn']);
});

test('the list of all gates, which the API and the metrics show, is in the order in which they are asked', () => {
  const asked = new Set([...gatesAt('plan'), ...gatesAt('apply'), ...gatesAt('confirm')]);

  expect(GATE_NAMES).toEqual([...asked]);
});

test('a person who breaks the glass lets a deployment pass stops, but not a record of stops that cannot be read', () => {
  const until = NOW + 60_000;
  const stop = { repository: REPOSITORY, by: 'ada', reason: 'an audit', until, said: 'Mon 08:00 UTC' };
  const glass = aBreakGlass();

  expect(isDoorOpen('apply', at({ stop: { stops: [stop] } }), NOW)).toBe(false);
  expect(isDoorOpen('apply', at({ stop: { stops: [stop], glass } }), NOW)).toBe(true);
  const ofAll = { pool: ALL_POOLS, by: 'ada', reason: 'an audit', until, said: 'Mon 08:00 UTC' };
  expect(isDoorOpen('apply', at({ stop: { stops: [ofAll] } }), NOW)).toBe(false);
  expect(isDoorOpen('apply', at({ stop: { stops: [ofAll], glass } }), NOW)).toBe(true);
  expect(isDoorOpen('apply', at({ stop: { stops: [], unreadable: BROKEN, glass } }), NOW)).toBe(false);
});

describe('a closed gate says what the deployment waits for, and who can end that', () => {
  test.each([
    ['turn', LOCKED, expect.stringMatching(/^the lane is locked by a failed apply of/), ['unlock']],
    ['order', WAITING, 'waits for dns', ['other lanes']],
    ['window', SEALED, 'Closed, with no opening in sight (outside of “Office hours”)', ['operators']],
    [
      'budget',
      FULL,
      '3 of 3 applies on aws-prod: dns and 2 of other repositories. One deployment comes first (when last asked)',
      ['other lanes'],
    ],
    [
      'soak',
      soakOf({ kind: 'open', rootNames: ['network', 'dns', 'app'] }),
      'waits for wave 1 of 3 (canary): network, dns, and 1 more; then it soaks for 30m',
      ['other lanes', 'skip_soak'],
    ],
    [
      'soak',
      soakOf({ kind: 'halted', rootName: 'network', how: 'failed to apply' }),
      expect.stringMatching(/^is halted by wave 1 of 3 \(canary\): network failed to apply\. A merged fix/),
      ['rerun', 'skip_soak'],
    ],
    [
      'soak',
      soakOf({
        ...{ kind: 'check-failed', check: 'errors', failures: 3, said: 'Mon 12:30 UTC' },
        answer: 'answered 500, expected 200 to 299',
      }),
      'is halted by wave 1 of 3 (canary): its check errors failed 3 times in a row, last at Mon 12:30 UTC, and answered 500, expected 200 to 299. A merged fix of one of its roots, or Re-run on the check run of one, resumes the rollout',
      ['rerun', 'skip_soak'],
    ],
    [
      'soak',
      soakOf({ kind: 'checking', checks: 'the check errors has not answered yet' }),
      'waits for the checks of wave 1 of 3 (canary), which has soaked; the check errors has not answered yet',
      ['operators', 'skip_soak'],
    ],
    ['soak', { soak: { unreadable: 'broken' } }, expect.stringContaining('the log of the worker'), ['operators']],
    ['budget', { budget: { unreadable: 'broken' } }, expect.stringContaining('the log of the worker'), ['operators']],
    ['policy', OBJECTED, expect.stringContaining('the policy cost denies this plan'), ['override']],
    ['review', UNREVIEWED, "this plan waits for @ada's review", ['confirm', 'reject']],
    ['review', HALF_REVIEWED, 'this plan waits for one more person; 1 of 2 confirmed (@bob)', ['confirm', 'reject']],
  ] as const)('%s', (gate, changes, sentence, who) => {
    expect(stoppingGate('apply', at(changes), NOW)).toMatchObject({ gate, kind: 'waits', sentence, who });
  });
});

test('a wait for a wave names it by its number, for people who may skip it', () => {
  const standing = { kind: 'open', rootNames: ['network'] } as const;

  expect(stoppingGate('plan', at(soakOf(standing)), NOW)).toMatchObject({ gate: 'soak', wave: 1 });
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
    { repository: REPOSITORY, by: 'ada', reason: 'the registry is down', until: NOW + 60_000, said: 'Sat 14:01 UTC' },
    { repository: REPOSITORY, by: 'bob', reason: 'a migration', until: NOW + 90_000, said: 'Sat 14:02 UTC' },
    { repository: REPOSITORY, by: 'eve', reason: 'it is over', until: NOW, said: 'Sat 14:00 UTC' },
  ];

  test('of several, all that are in force are said, the one that lasts longest first, with who made each, and why', () => {
    expect(closedGates('plan', at({ stop: { stops } }), NOW)).toEqual([
      {
        gate: 'stop',
        kind: 'waits',
        sentence:
          'Stopped by bob until Sat 14:02 UTC: a migration. Stopped by ada until Sat 14:01 UTC: the registry is down. nereid thaw acme/infra ends all of them',
        who: ['thaw'],
        until: NOW + 90_000,
      },
    ]);
  });

  test('of a repository and of a pool, everybody is named who can end one of them', () => {
    const ofPool = { pool: 'gpu', by: 'ops', reason: 'x'.repeat(200), until: NOW + 30_000, said: 'Sat 14:00 UTC' };

    expect(stoppingGate('apply', at({ stop: { stops: [...stops, ofPool] } }), NOW)).toMatchObject({
      sentence: expect.stringMatching(
        /^Stopped by bob .* Stopped for the pool gpu by ops until Sat 14:00 UTC: x{60}…\. nereid thaw acme\/infra and nereid thaw --pool gpu end all of them$/,
      ),
      who: ['thaw', 'thaw_pool'],
    });
  });

  test('beyond three, the others are counted', () => {
    const many = Array.from({ length: 5 }, (_none, place) => ({
      ...{ repository: REPOSITORY, by: `p${place}`, reason: 'x'.repeat(200), said: 'Sat 14:02 UTC' },
      until: NOW + 90_000 - place,
    }));

    const { sentence = '' } = stoppingGate('apply', at({ stop: { stops: many } }), NOW) ?? {};

    expect(sentence).toMatch(/by p2 .*There are 2 more: nereid stops lists them\. nereid thaw acme\/infra ends all/);
    expect(sentence.length).toBeLessThan(600);
  });

  test.each([
    [ALL_POOLS, 'Stopped for all repositories by bob until Sat 14:02 UTC: a migration. nereid thaw --all ends it'],
    ['gpu', 'Stopped for the pool gpu by bob until Sat 14:02 UTC: a migration. nereid thaw --pool gpu ends it'],
  ])('of the pool %s says what an operator can do', (pool, sentence) => {
    const stop = { pool, by: 'bob', reason: 'a migration', until: NOW + 90_000, said: 'Sat 14:02 UTC' };

    expect(stoppingGate('apply', at({ stop: { stops: [stop] } }), NOW)).toMatchObject({
      sentence,
      who: ['thaw_pool'],
    });
  });

  test.each([
    [BROKEN, /: stops\/pools\.json is broken; the log .* says why\. nereid thaw --all replaces it/, 'thaw_pool'],
    [
      { repository: REPOSITORY, file: 'stops/acme/infra.json' },
      /: stops\/acme\/infra\.json is broken; the log .* says why\. nereid thaw acme\/infra replaces it/,
      'thaw',
    ],
  ])('that cannot be read (%j) holds everything back, with no end of its own', (unreadable, sentence, who) => {
    expect(stoppingGate('apply', at({ stop: { stops, unreadable } }), NOW + 90_000)).toEqual({
      gate: 'stop',
      kind: 'waits',
      sentence: expect.stringMatching(sentence),
      who: [who],
    });
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

test.each<[string, Partial<GateFacts>]>([
  ['stop', { stop: { stops: [], unreadable: 'away' } }],
  ['soak', { soak: { unreadable: 'away' } }],
  ['budget', { budget: { unreadable: 'away' } }],
])('the gate %s passes nobody while storage is away, says so, and is asked again soon', (gate, changes) => {
  expect(stoppingGate('apply', at(changes), NOW)).toEqual({
    ...{ gate, kind: 'waits', who: ['operators'], askAgain: 'soon' },
    sentence: expect.stringMatching(/^Nereid cannot read .*, because storage.* does not answer; the log .* It goes on/),
  });
});

describe('a budget that was made smaller', () => {
  const full = { name: 'aws-prod', door: 'apply', limit: 1, others: 3, ahead: 1 } as const;
  const holders = ['network', 'dns'].map((rootName) => ({ rootName, deploymentId: `of ${rootName}` }));

  test('says how many it allows by now', () => {
    expect(askGate('budget', { full: { ...full, holders } }, NOW)).toMatchObject({
      sentence:
        '5 applies on aws-prod, whose limit is 1 by now: network, dns and 3 of other repositories. One deployment comes first (when last asked)',
    });
  });
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
  expect(stoppingGate('plan', at(WAITING, LOCKED), NOW)).toMatchObject({ gate: 'turn' });
  expect(stoppingGate('apply', at(UNREVIEWED, OBJECTED, WAITING, LOCKED), NOW)).toMatchObject({ gate: 'order' });
  expect(closedGates('apply', at(UNREVIEWED, OBJECTED, WAITING, LOCKED), NOW)).toHaveLength(4);
});

test('a gate at which a deployment keeps waiting is asked before those that end it', () => {
  const waits = gatesAt('apply').map(waitAtApply);

  expect(waits.lastIndexOf('keeps waiting')).toBeLessThan(waits.indexOf('ends it'));
});

test('the turn is asked last, because it is taken: a deployment that waits elsewhere leaves it to others', () => {
  expect(gatesAt('apply').at(-1)).toBe('turn');
});

test('whoever knows the facts of some gates hears of those', () => {
  expect(closedGates('apply', { ...LOCKED, ...SHUT }, NOW).map(({ gate }) => gate)).toEqual(['window', 'turn']);
  expect(closedGates('apply', {}, NOW)).toEqual([]);
});

test('a plan that a person has confirmed waits for no review', () => {
  expect(askGate('review', { isRequired: true, answer: 'approved', rules: undefined }, NOW)).toEqual({
    kind: 'passes',
  });
});

test('a wave that soaks lets the next one begin at its time, but not the one after it', () => {
  const standing = { kind: 'soaking', until: NOW + 60_000, said: 'Mon 12:30 UTC' } as const;
  const sentence = 'waits for wave 1 of 3 (canary), which soaks until Mon 12:30 UTC';
  const waits = { kind: 'waits', sentence, wave: 1 };
  const { soak: next = {} } = soakOf(standing);
  const { soak: later = {} } = soakOf(standing, { isFurtherAhead: true });

  expect(askGate('soak', next, NOW)).toEqual({ ...waits, who: ['skip_soak'], until: NOW + 60_000 });
  expect(askGate('soak', next, NOW + 60_000)).toEqual({ kind: 'passes' });
  expect(askGate('soak', later, NOW + 60_000)).toMatchObject(waits);
});

test('a wave that has checks lets the next one not begin at its time: they are asked once more then', () => {
  const checks = 'its checks pass so far';
  const { soak = {} } = soakOf({ kind: 'soaking', until: NOW + 60_000, said: 'Mon 12:30 UTC', checks });

  expect(askGate('soak', soak, NOW + 60_000)).toMatchObject({
    kind: 'waits',
    sentence: 'waits for wave 1 of 3 (canary), which soaks until Mon 12:30 UTC; its checks pass so far',
  });
});
