import { describe, expect, test } from '@jest/globals';
import { describeChecks, isCheckDue, stateOfChecks, type CheckResult } from './wave-checks.ts';

const MINUTE = 60_000;
const SINCE = Date.parse('2026-01-31T14:00:00.000Z');
const UNTIL = SINCE + 10 * MINUTE;
const ERRORS = { name: 'errors', everyMs: MINUTE, failures: 3 };
const PAGE = { name: 'page', everyMs: MINUTE, failures: 1 };

function result(check: string, at: number, failures = 0): CheckResult {
  return { check, at: new Date(at).toISOString(), failures, answer: failures === 0 ? 'answered 200' : 'answered 500' };
}

const soak = (...results: readonly CheckResult[]) => ({ since: SINCE, until: UNTIL, results });

describe('a check is due', () => {
  test.each<[string, readonly CheckResult[], number, boolean]>([
    ['at first', [], SINCE, true],
    ['not before its time', [result('errors', SINCE)], SINCE + MINUTE - 1, false],
    ['at its time', [result('errors', SINCE)], SINCE + MINUTE, true],
    ['once more at the end of the soak, whatever its time', [result('errors', UNTIL - 1)], UNTIL, true],
    ['not after it has passed there', [result('errors', UNTIL)], UNTIL + 10 * MINUTE, false],
    ['again after it has failed there, at its time', [result('errors', UNTIL, 1)], UNTIL + MINUTE, true],
    ['not sooner than that', [result('errors', UNTIL, 1)], UNTIL + MINUTE - 1, false],
    ['whatever came of another one', [result('page', SINCE)], SINCE, true],
  ])('%s', (_when, results, now, expected) => {
    expect(isCheckDue(ERRORS, soak(...results), now)).toBe(expected);
  });
});

describe('the checks of a wave', () => {
  test.each<[string, readonly CheckResult[], object]>([
    ['are not over before each was asked', [result('page', UNTIL)], { state: 'checking' }],
    [
      'are not over by what passed before the end',
      [result('page', UNTIL), result('errors', UNTIL - 1)],
      { state: 'checking' },
    ],
    ['are not over while one fails', [result('page', UNTIL), result('errors', UNTIL, 2)], { state: 'checking' }],
    ['pass once each has passed after the soak', [result('page', UNTIL), result('errors', UNTIL)], { state: 'passed' }],
    [
      'halt the rollout by one that failed too often',
      [result('errors', SINCE, 3)],
      { state: 'halted', haltedBy: 'errors' },
    ],
    ['halt it by one that may never fail', [result('page', UNTIL, 1)], { state: 'halted', haltedBy: 'page' }],
    ['know nothing of others', [result('gone', UNTIL, 9)], { state: 'checking' }],
  ])('%s', (_what, results, expected) => {
    expect(stateOfChecks([ERRORS, PAGE], { until: UNTIL, results })).toEqual(expected);
  });

  test.each<[readonly CheckResult[], number, string]>([
    [[], SINCE, 'the check errors has not answered yet'],
    [[result('errors', SINCE), result('page', SINCE)], SINCE, 'its checks pass so far'],
    [[result('errors', SINCE), result('page', SINCE)], UNTIL, 'the check errors has not answered yet'],
    [[result('errors', SINCE, 2)], SINCE, 'the check errors has failed 2 of 3 times: answered 500'],
  ])('are described: %j', (results, now, expected) => {
    expect(describeChecks([ERRORS, PAGE], soak(...results), now)).toBe(expected);
  });

  test('are described by the one that is nearest to halting the rollout', () => {
    const results = [result('errors', SINCE, 1), result('traffic', SINCE, 1)];

    const said = describeChecks([ERRORS, { ...ERRORS, name: 'traffic', failures: 2 }], soak(...results), SINCE);

    expect(said).toBe('the check traffic has failed 1 of 2 times: answered 500');
  });
});
