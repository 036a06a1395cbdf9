import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { describeReview } from '../describe-rule.ts';
import { describePeople, describeStanding } from './describe-standing.ts';
import { asksSeveral, newestOfEach, standingOf, strictestReview, type Approval } from './standing.ts';

const SRE = 'acme/sre';
const DBA = 'acme/dba';
const TWO = { count: 2, eachOf: [] };
const EACH = { count: 2, eachOf: [SRE, DBA] };

/** The forge's id is another one for each first letter. */
function by(login: string, teams: readonly string[] = [], byId = login.toLowerCase().charCodeAt(0)): Approval {
  return { by: login, teams, byId };
}

describe('a plan that two people have to confirm', () => {
  test.each([
    ['nobody', [], 2],
    ['one person', [by('bob')], 1],
    ['one person twice', [by('bob'), by('bob')], 1],
    ['one person under a login in other letters', [by('bob'), by('Bob')], 1],
    ['one person under another login', [by('bob', [], 7), by('robert', [], 7)], 1],
    ['one person, of whose answers one has no id', [{ by: 'bob' }, by('robert', [], 7)], 1],
    ['two people', [by('bob'), by('carol')], 0],
    ['two people, of whom one has the former login of the other', [by('bob', [], 7), by('bob', [], 8)], 0],
  ])('a plan is confirmed by %s: so many are missing', (_who, answers, missing) => {
    expect(standingOf(TWO, answers)).toMatchObject({ missing, teams: [] });
  });
});

describe('a plan that somebody of each team has to confirm', () => {
  test.each([
    ['nobody', [], [SRE, DBA], 2],
    ['somebody of one', [by('bob', [SRE])], [DBA], 1],
    ['two people of one', [by('bob', [SRE]), by('carol', [SRE])], [DBA], 1],
    ['people of none', [by('bob'), by('carol')], [SRE, DBA], 2],
    ['somebody of both, who counts for one', [by('bob', [SRE, DBA])], [DBA], 1],
    ['somebody of each', [by('bob', [DBA]), by('carol', [SRE])], [], 0],
    ['somebody of both and somebody of the first', [by('bob', [SRE, DBA]), by('carol', [SRE])], [], 0],
    ['somebody of a team in other letters', [by('bob', ['Acme/SRE']), by('carol', [DBA])], [], 0],
  ])('a plan is confirmed by %s: these are missing', (_who, answers, teams, missing) => {
    expect(standingOf(EACH, answers)).toMatchObject({ teams, missing });
  });

  test('takes more people where the count is higher', () => {
    const both = [by('bob', [DBA]), by('carol', [SRE])];

    expect(standingOf({ ...EACH, count: 3 }, both)).toMatchObject({ missing: 1, teams: [] });
    expect(standingOf({ ...EACH, count: 3 }, [...both, by('dan')]).missing).toBe(0);
  });
});

test('the newest answer of a person counts', () => {
  expect(newestOfEach([by('bob', [SRE]), by('carol'), by('bob', [DBA])])).toEqual([by('bob', [DBA]), by('carol')]);
});

const LOGINS = ['ada', 'bob', 'carol', 'dan'];
const answer = fc
  .record({ login: fc.constantFrom(...LOGINS), teams: fc.subarray([SRE, DBA, 'acme/ops']) })
  .map(({ login, teams }) => by(login, teams));
const rules = fc.record({ count: fc.integer({ min: 1, max: 4 }), eachOf: fc.subarray([SRE, DBA, 'acme/ops']) });

test('a confirmed plan has enough people, of whom a different one is of each team, and one more answer takes nobody away', () => {
  fc.assert(
    fc.property(rules, fc.array(answer, { maxLength: 8 }), answer, (asked, answers, more) => {
      const { confirmed, counted, missing, total } = standingOf(asked, answers);
      expect(counted.length + missing).toBe(total);
      expect(missing).toBeGreaterThanOrEqual(asked.count - confirmed.length);
      expect(total).toBe(Math.max(asked.count, asked.eachOf.length));
      const isNew = !confirmed.some((one) => one.by === more.by);
      if (missing === 0) {
        expect(confirmed.length).toBeGreaterThanOrEqual(asked.count);
        expect(hasOneForEach(asked.eachOf, confirmed)).toBe(true);
      }
      if (isNew) expect(standingOf(asked, [...answers, more]).missing).toBeLessThanOrEqual(missing);
      expect(standingOf(asked, [...answers, ...answers])).toEqual({
        ...standingOf(asked, answers),
        confirmed: expect.anything(),
        counted: expect.anything(),
      });
    }),
  );
});

/** By trying everything. */
function hasOneForEach([team, ...others]: readonly string[], people: readonly Approval[]): boolean {
  if (team === undefined) return true;
  return people.some(
    (one) =>
      one.teams?.includes(team) &&
      hasOneForEach(
        others,
        people.filter((other) => other !== one),
      ),
  );
}

describe('of two rules, the strictest counts', () => {
  test('with the higher count, the teams of both, and the shorter wait', () => {
    const one = { count: 3, eachOf: [SRE], expiresMs: 100 };
    const other = { count: 2, eachOf: [SRE, DBA], expiresMs: 50 };

    expect(strictestReview(one, other)).toEqual({ count: 3, eachOf: [SRE, DBA], expiresMs: 50 });
    expect(strictestReview({ ...TWO, count: 1, eachOf: [SRE] }, { count: 1, eachOf: [DBA] })).toEqual(EACH);
  });

  test('and one alone counts as it is', () => {
    expect(strictestReview(undefined, TWO)).toEqual(TWO);
    expect(strictestReview(TWO, undefined)).toEqual(TWO);
    expect(strictestReview(undefined, undefined)).toBeUndefined();
  });
});

test('one person of no team in particular is not several', () => {
  expect(asksSeveral(undefined)).toBe(false);
  expect(asksSeveral({ count: 1, eachOf: [], expiresMs: 1 })).toBe(false);
  expect(asksSeveral({ count: 1, eachOf: [SRE] })).toBe(true);
  expect(asksSeveral(TWO)).toBe(true);
});

describe('how far a plan is confirmed is said', () => {
  test.each([
    [TWO, [], '0 of 2 confirmed; waits for 2 people'],
    [TWO, [by('bob')], '1 of 2 confirmed (@bob); waits for one more person'],
    [EACH, [], '0 of 2 confirmed; waits for somebody of acme/sre and somebody of acme/dba'],
    [EACH, [by('bob', [SRE])], '1 of 2 confirmed (@bob); waits for somebody of acme/dba'],
    [
      EACH,
      [by('eve')],
      '0 of 2 confirmed (not counted: @eve); waits for somebody of acme/sre and somebody of acme/dba',
    ],
    [EACH, [by('eve'), by('bob', [SRE])], '1 of 2 confirmed (@bob; not counted: @eve); waits for somebody of acme/dba'],
    [EACH, [by('bob', [SRE, DBA])], '1 of 2 confirmed (@bob); waits for somebody of acme/dba'],
    [EACH, [by('bob', [SRE, DBA]), by('carol', [SRE])], '2 of 2 confirmed (@bob, @carol)'],
    [EACH, [by('eve'), by('bob', [SRE]), by('carol', [DBA])], '2 of 2 confirmed (@bob, @carol; not counted: @eve)'],
    [
      { ...EACH, count: 3 },
      [by('eve')],
      '1 of 3 confirmed (@eve); waits for somebody of acme/sre and somebody of acme/dba',
    ],
    [
      { ...EACH, count: 3 },
      [by('eve'), by('fay'), by('bob', [SRE])],
      '2 of 3 confirmed (@eve, @bob; not counted: @fay); waits for somebody of acme/dba',
    ],
    [
      { ...EACH, count: 4 },
      [by('bob', [SRE])],
      '1 of 4 confirmed (@bob); waits for somebody of acme/dba and 2 more people',
    ],
    [TWO, [by('bob'), by('carol')], '2 of 2 confirmed (@bob, @carol)'],
  ])('%j %j', (asked, answers, words) => {
    expect(describeStanding(asked, answers)).toBe(words);
  });

  test('with the people whom it takes', () => {
    expect(describePeople(TWO)).toBe('2 people');
    expect(describePeople(EACH)).toBe('2 people, among them a member of acme/sre and a member of acme/dba');
    expect(describePeople({ count: 1, eachOf: [SRE] })).toBe('a member of acme/sre');
  });

  test('as the end of "Waiting for"', () => {
    expect(describeReview([{ users: ['ada'] }], TWO)).toBe('a review by 2 people');
    expect(describeReview([{ users: ['ada'] }], TWO, [])).toBe('2 people; 0 of 2 confirmed');
    expect(describeReview([], EACH, [by('bob', [SRE])])).toBe('somebody of acme/dba; 1 of 2 confirmed (@bob)');
  });
});
