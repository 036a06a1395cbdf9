import { describe, expect, test } from '@jest/globals';
import type { ApplyOutcome, PlannedOnHost } from '@nereid/domain/deployment';
import { claimOf, planned, plannedOn } from '@nereid/domain/deployment-testing';
import type { Claim, WaitExplained } from '@nereid/domain/host';
import type { Signed } from '@nereid/domain/signed';
import { readApply, readAtWork, readClaim, readExplained, readPlanned } from './answers.ts';

/** What somebody answers who poses as a host. */
const ODD: readonly unknown[] = [
  undefined,
  null,
  7,
  'h1',
  {},
  { hostId: 'h1' },
  { kind: 'went-well' },
  { body: null },
  { kind: 'planned' },
  { kind: 'failed' },
  { kind: 'applied' },
  { kind: 'constructor' },
];

/** Temporal takes no such name, and the workflow that asked for it would hang. */
const NO_QUEUES = ['h'.repeat(2_000), 'h\u0000', '/_sys/h'].map((hostId) => ({ body: { hostId } }));

const PLANNED = plannedOn('d1', 'h1', planned());

describe('an answer of a host', () => {
  test('goes on as it came', () => {
    const claim = claimOf('d1', 'h1');
    const outcome: ApplyOutcome = { kind: 'not-begun' };

    expect(readClaim(claim)).toBe(claim);
    expect(readPlanned(PLANNED)).toBe(PLANNED);
    expect(readApply(outcome)).toBe(outcome);
  });

  test.each([...ODD, { body: { hostId: '' } }, { body: { hostId: 7 } }, ...NO_QUEUES])(
    'that is %j is no claim',
    (odd) => {
      expect(() => readClaim(odd as Signed<Claim>)).toThrow(expect.objectContaining({ type: 'FORGED' }));
    },
  );

  test.each([
    ...ODD,
    ...ODD.flatMap((odd) => [
      { ...PLANNED, claim: odd },
      { ...PLANNED, outcome: odd },
    ]),
    { ...PLANNED, since: 7 },
  ])('that is %j is no plan', (odd) => {
    expect(() => readPlanned(odd as PlannedOnHost)).toThrow(expect.objectContaining({ type: 'FORGED' }));
  });

  test.each([...ODD, { since: 'then' }, { hostId: '', since: 'then' }])('that is %j names no host at work', (odd) => {
    expect(readAtWork(odd)).toBeUndefined();
  });

  test.each(ODD)('that is %j leaves the outcome of an apply unknown, since it may have begun', (odd) => {
    expect(readApply(odd as ApplyOutcome)).toMatchObject({ kind: 'unknown' });
  });
});

describe('what control says of a wait', () => {
  const atWork = { kind: 'at work', hostId: 'h1', since: '2026-01-31T14:00:00.000Z' } as const;

  test.each<WaitExplained>([atWork, { kind: 'waits', why: 'all slots are in use' }])(
    'goes on as it came: %j',
    (said) => {
      expect(readExplained(said)).toBe(said);
    },
  );

  test.each([...ODD, { kind: 'at work' }, { ...atWork, hostId: 7 }, { kind: 'waits' }])(
    'that is %j explains nothing',
    (odd) => {
      expect(readExplained(odd as WaitExplained)).toEqual({ kind: 'waits', why: 'Waiting for a host' });
    },
  );
});
