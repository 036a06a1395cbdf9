import { describe, expect, test } from '@jest/globals';
import { ACTIONS } from '../actions/actions.ts';
import {
  CONFIG_CHECK_RUN_NAME,
  buttonIdentifier,
  checkRunName,
  isButtonOf,
  parseButtonIdentifier,
  parseCheckRunName,
  planButton,
  type PressedButton,
} from './check-run.ts';

describe("a check run's name", () => {
  test('is taken apart as it was built', () => {
    expect(parseCheckRunName(checkRunName('prod.network'))).toBe('prod.network');
  });

  test.each([CONFIG_CHECK_RUN_NAME, checkRunName(''), 'build'])('%s is no deployment', (name) => {
    expect(parseCheckRunName(name)).toBeUndefined();
  });
});

describe('a button', () => {
  test.each<[PressedButton, string]>([
    [{ kind: 'confirm', mark: 'Aq3_-89xYzB0' }, 'confirm.Aq3_-89xYzB0'],
    [{ kind: 'reject', mark: 'Aq3_-89xYzB0' }, 'reject.Aq3_-89xYzB0'],
    [{ kind: 'merge', mark: 'Aq3_-89xYzB0' }, 'merge.Aq3_-89xYzB0'],
    [{ kind: 'override', mark: 'Aq3_-89xYzB' }, 'override.Aq3_-89xYzB'],
    [{ kind: 'unlock' }, 'unlock'],
  ])('%j is %s, and taken apart as it was built', (button, identifier) => {
    expect(buttonIdentifier(button)).toBe(identifier);
    expect(parseButtonIdentifier(identifier)).toEqual(button);
  });

  test.each([
    'confirm',
    'confirm.',
    'confirm.xyz',
    'confirm.Aq3_-89xYzB+',
    'merge',
    'unlock.Aq3_-89xYzB0',
    'confirm.Aq3_-89xYzB',
    'override.Aq3_-89xYzB0',
    'toString',
    'delete',
    '',
    'reject.Aq3_-89xYzB00',
  ])('%j is no button', (identifier) => {
    expect(parseButtonIdentifier(identifier)).toBeUndefined();
  });

  test.each(['confirm', 'reject', 'merge', 'override'] as const)(
    '%s of a plan carries how its signature begins, and is none of another plan',
    (kind) => {
      const bytes = `${'Aq3_-89xYzB0'.padEnd(85, 'x')}A`;
      const plan = { digest: 'a'.repeat(64), signature: `header..${bytes}` };
      const button = planButton(kind, plan);
      const other = `${'bq3_-89xYzB0'.padEnd(85, 'x')}A`;
      const respelt = `${bytes.slice(0, -1)}B`;
      // A verifier would take none of the later ones.
      const others = [
        `header..${other}`,
        '',
        `header..${other} .${bytes}`,
        `header..${bytes}.`,
        `header..${bytes} `,
        `header..${respelt}`,
      ];

      expect(button).toEqual({ kind, mark: 'Aq3_-89xYzB0'.slice(0, kind === 'override' ? 11 : 12) });
      expect(button && isButtonOf(button, plan)).toBe(true);
      for (const signature of others) expect(button && isButtonOf(button, { signature })).toBe(false);
      expect(button && isButtonOf(button, {})).toBe(false);
      expect(isButtonOf({ kind, mark: '' }, {})).toBe(false);
    },
  );

  test("fits GitHub's limits", () => {
    for (const { label, description } of Object.values(ACTIONS)) {
      expect(label.length).toBeLessThanOrEqual(20);
      expect(description.length).toBeLessThanOrEqual(40);
    }
  });
});
