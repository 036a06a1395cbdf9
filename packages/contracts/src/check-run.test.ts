import { describe, expect, test } from '@jest/globals';
import {
  buttonIdentifier,
  BUTTONS,
  checkRunName,
  CONFIG_CHECK_RUN_NAME,
  parseButtonIdentifier,
  parseCheckRunName,
  type PressedButton,
} from './check-run.ts';

const DIGEST = '0123456789abcdef0123';

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
    [{ kind: 'confirm', digest: DIGEST }, 'confirm.0123456789ab'],
    [{ kind: 'reject', digest: DIGEST }, 'reject.0123456789ab'],
    [{ kind: 'merge', digest: DIGEST }, 'merge.0123456789ab'],
    [{ kind: 'override', digest: DIGEST }, 'override.0123456789a'],
    [{ kind: 'unlock' }, 'unlock'],
  ])('%j is %s, and taken apart as it was built', (button, identifier) => {
    const [, digest] = identifier.split('.');
    const carried = digest === undefined ? button : { ...button, digest };

    expect(buttonIdentifier(button)).toBe(identifier);
    expect(parseButtonIdentifier(identifier)).toEqual(carried);
  });

  test.each([
    'confirm',
    'confirm.',
    'confirm.xyz',
    'merge',
    'unlock.0123456789ab',
    'confirm.0123456789a',
    'override.0123456789ab',
    'toString',
    'delete',
    '',
    'reject.0123456789abc',
  ])('%j is none', (identifier) => {
    expect(parseButtonIdentifier(identifier)).toBeUndefined();
  });

  test("fits GitHub's limits", () => {
    for (const { label, description } of Object.values(BUTTONS)) {
      expect(label.length).toBeLessThanOrEqual(20);
      expect(description.length).toBeLessThanOrEqual(40);
    }
  });
});
