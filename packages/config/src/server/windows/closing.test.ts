import { describe, expect, test } from '@jest/globals';
import type { Deployment } from '@nereid/domain/deployment';
import { aBreakGlass, aDeployment, aPlan } from '@nereid/domain/testing';
import { serverWith } from '../repository-policy/policy.fixture.ts';
import { closingFor, windowAhead } from './closing.ts';

const OFFICE = `{ name: Office hours, kind: allow, rrule: "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", dtstart: 2026-01-05T08:00, duration: 10h, timezone: Europe/Berlin }`;
const FREEZE = `{ name: Year end, kind: deny, dtstart: 2026-12-18T18:00, duration: 62h, timezone: Europe/Berlin }`;
const LONG = `{ name: Year end, kind: deny, dtstart: 2026-12-18T18:00, duration: 16d, timezone: Europe/Berlin }`;
const GOODBYE = `{ name: Until we move, kind: allow, dtstart: 2026-12-01T00:00, duration: 12d, timezone: UTC }`;

const WAITING = aDeployment({ status: 'awaiting-review', plan: aPlan() });

function closing(windows: readonly string[], at: string, deployment: Deployment = WAITING) {
  const server = serverWith(`repositories: [{ match: acme/* }]\nwindows: [${windows.join(', ')}]`);
  return closingFor(server, 'acme/infra', deployment, Date.parse(at));
}

const sentence = (windows: readonly string[], at: string) => closing(windows, at)?.sentence;

describe('a window that closes is announced', () => {
  test.each([
    [
      'with the freeze that begins, and the end of it',
      [FREEZE],
      '2026-12-18T09:00:00Z',
      'Closes Fri 18:00 Europe/Berlin (change freeze “Year end”): an apply that has not begun by then waits until Mon 08:00',
    ],
    [
      'with the date of an opening that is far off',
      [LONG],
      '2026-12-18T09:00:00Z',
      'Closes Fri 18:00 Europe/Berlin (change freeze “Year end”): an apply that has not begun by then waits until Sun 3 Jan 2027 18:00',
    ],
    [
      'with the end of the time that is allowed',
      [OFFICE],
      '2026-12-18T09:00:00Z',
      'Closes Fri 18:00 Europe/Berlin (end of “Office hours”): an apply that has not begun by then waits until Mon 08:00',
    ],
    [
      'with both, where it opens only once both allow it',
      [OFFICE, LONG],
      '2026-12-18T09:00:00Z',
      'Closes Fri 18:00 Europe/Berlin (change freeze “Year end”): an apply that has not begun by then waits until Mon 4 Jan 2027 08:00',
    ],
    [
      'as the last one, where it never opens again',
      [GOODBYE],
      '2026-12-12T09:00:00Z',
      'Closes Sun 00:00 UTC (end of “Until we move”): an apply that has not begun by then waits with no opening in sight',
    ],
  ])('%s', (_how, windows, at, expected) => {
    expect(sentence(windows, at)).toBe(expected);
  });

  test('24 hours before, and until it closes', () => {
    const at = Date.parse('2026-12-18T17:00:00Z');
    const isSaid = (ms: number) => closing([FREEZE], new Date(at + ms).toISOString()) !== undefined;

    expect([-86_400_001, -86_400_000, -1, 0].map(isSaid)).toEqual([false, true, true, false]);
  });

  test('by its name and its time, so that each closing is known', () => {
    expect(closing([FREEZE], '2026-12-18T09:00:00Z')).toMatchObject({
      window: 'Year end',
      at: Date.parse('2026-12-18T17:00:00Z'),
    });
  });
});

describe('nothing is announced', () => {
  test.each([
    ['without windows', []],
    ['of another root', [FREEZE.replace('}', ', roots: [other/**] }')]],
    ['of plans alone', [FREEZE.replace('}', ', doors: [plan] }')]],
    ['while another one keeps it closed', [FREEZE, FREEZE.replace('2026-12-18T18:00', '2026-12-18T08:00')]],
  ])('%s', (_what, windows) => {
    const named = windows.map((one, index) => one.replace('Year end', `Year end ${index}`));

    expect(closing(named, '2026-12-18T09:00:00Z')).toBeUndefined();
  });

  test.each([
    ['is being applied', aDeployment({ status: 'applying', plan: aPlan() })],
    ['has ended', aDeployment({ status: 'rejected', plan: aPlan() })],
    ['applies nothing', aDeployment({ status: 'blocked', plan: aPlan({ hasChanges: false }) })],
    ['may pass all windows', aDeployment({ status: 'blocked', plan: aPlan(), glass: aBreakGlass() })],
    ['is a plan of a pull request', { ...aDeployment({ status: 'queued' }), trigger: 'preview' as const }],
  ])('to a deployment that %s', (_what, deployment) => {
    expect(closing([FREEZE], '2026-12-18T09:00:00Z', deployment)).toBeUndefined();
  });
});

describe('people who are asked to confirm a plan read', () => {
  const ahead = (windows: readonly string[], at: string, deployment: Deployment = WAITING) => {
    const server = serverWith(`repositories: [{ match: acme/* }]\nwindows: [${windows.join(', ')}]`);
    return windowAhead(server, 'acme/infra', deployment, Date.parse(at));
  };

  test('that the root is closed, and until when', () => {
    expect(ahead([FREEZE], '2026-12-19T09:00:00Z')).toBe(
      'Closed until Mon 08:00 Europe/Berlin (change freeze “Year end”): the apply waits until then, also once it is confirmed',
    );
    expect(ahead([GOODBYE], '2026-12-19T09:00:00Z')).toBe(
      'Closed, with no opening in sight (outside of “Until we move”): the apply waits, also once it is confirmed',
    );
  });

  test('that it closes soon', () => {
    expect(ahead([FREEZE], '2026-12-18T09:00:00Z')).toBe(sentence([FREEZE], '2026-12-18T09:00:00Z'));
  });

  test('nothing while it is open, or where the plan changes nothing', () => {
    const unchanged = aDeployment({ status: 'awaiting-review', plan: aPlan({ hasChanges: false }) });

    expect(ahead([FREEZE], '2026-12-01T09:00:00Z')).toBeUndefined();
    expect(ahead([FREEZE], '2026-12-19T09:00:00Z', unchanged)).toBeUndefined();
  });

  test('nothing more once it waits for the window: that says so itself', () => {
    const waiting = aDeployment({ status: 'blocked', plan: aPlan() });

    expect(ahead([FREEZE], '2026-12-19T09:00:00Z', waiting)).toBeUndefined();
  });
});
