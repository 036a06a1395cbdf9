import { describe, expect, test } from '@jest/globals';
import type { ApplyOutcome, PlanOutcome } from '@nereid/domain/deployment';
import { claimOf, planned } from '@nereid/domain/deployment-testing';
import type { Claim } from '@nereid/domain/host';
import type { Signed } from '@nereid/domain/signed';
import { readApply, readClaim, readPlan } from './answers.ts';

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

describe('an answer of a host', () => {
  test('goes on as it came', () => {
    const claim = claimOf('d1', 'h1');
    const outcome: ApplyOutcome = { kind: 'not-begun' };

    expect(readClaim(claim)).toBe(claim);
    expect(readPlan(planned())).toEqual(planned());
    expect(readApply(outcome)).toBe(outcome);
  });

  test.each([...ODD, { body: { hostId: '' } }, { body: { hostId: 7 } }])('that is %j is no claim', (odd) => {
    expect(() => readClaim(odd as Signed<Claim>)).toThrow(expect.objectContaining({ type: 'FORGED' }));
  });

  test.each(ODD)('that is %j is no plan', (odd) => {
    expect(() => readPlan(odd as PlanOutcome)).toThrow(expect.objectContaining({ type: 'FORGED' }));
  });

  test.each(ODD)('that is %j leaves the outcome of an apply unknown, since it may have begun', (odd) => {
    expect(readApply(odd as ApplyOutcome)).toMatchObject({ kind: 'unknown' });
  });
});
