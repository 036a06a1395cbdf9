import { describe, expect, test } from '@jest/globals';
import { dueReminders, NEVER_REMINDED, remindedOf, type Reminders } from './due-reminders.ts';

const HOUR_MS = 3_600_000;

const reminders: Reminders = {
  remindMs: [4 * HOUR_MS, 24 * HOUR_MS],
  escalate: { afterMs: 24 * HOUR_MS, to: 'acme/leads' },
};

describe('of a review that nobody has given', () => {
  test('nobody is reminded before the first time', () => {
    expect(dueReminders(reminders, NEVER_REMINDED, 4 * HOUR_MS - 1)).toEqual([]);
  });

  test('people are reminded once it has waited for so long', () => {
    expect(dueReminders(reminders, NEVER_REMINDED, 4 * HOUR_MS)).toEqual([{ afterMs: 4 * HOUR_MS }]);
  });

  test('a team is asked after them', () => {
    const said = { remindedMs: 24 * HOUR_MS, isEscalated: false };

    expect(dueReminders(reminders, said, 25 * HOUR_MS)).toEqual([{ afterMs: 24 * HOUR_MS, team: 'acme/leads' }]);
  });

  test('only the latest of several reminders is said that nobody looked for in time', () => {
    expect(dueReminders(reminders, NEVER_REMINDED, 48 * HOUR_MS)).toEqual([
      { afterMs: 24 * HOUR_MS },
      { afterMs: 24 * HOUR_MS, team: 'acme/leads' },
    ]);
  });

  test('each is said once', () => {
    const first = dueReminders(reminders, NEVER_REMINDED, 4 * HOUR_MS);
    const said = remindedOf(NEVER_REMINDED, first);

    expect(dueReminders(reminders, said, 5 * HOUR_MS)).toEqual([]);

    const all = remindedOf(said, dueReminders(reminders, said, 24 * HOUR_MS));

    expect(all).toEqual({ remindedMs: 24 * HOUR_MS, isEscalated: true });
    expect(dueReminders(reminders, all, 1_000 * HOUR_MS)).toEqual([]);
  });

  test('nothing is due when its beginning is not known', () => {
    expect(dueReminders(reminders, NEVER_REMINDED, Number.NaN)).toEqual([]);
    expect(dueReminders({ remindMs: [] }, NEVER_REMINDED, 5 * HOUR_MS)).toEqual([]);
  });
});
