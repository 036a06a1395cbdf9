import { describe, expect, test } from '@jest/globals';
import { parseComment } from './comment-command.ts';

describe('parseComment', () => {
  test('apply without names means the roots that the pull request modifies', () => {
    const command = parseComment('nereid apply');

    expect(command).toEqual({ kind: 'apply', rootNames: [], force: false });
  });

  test('names are taken once, wherever the flag is', () => {
    const command = parseComment('nereid apply network -f  database network');

    expect(command).toEqual({ kind: 'apply', rootNames: ['network', 'database'], force: true });
  });

  test('the verb may be written in any case, a name may not', () => {
    const command = parseComment('Nereid Unlock Network');

    expect(command).toEqual({ kind: 'unlock', rootNames: ['Network'] });
  });

  test.each(['nereid', 'nereid help', 'nereid destroy network', 'nereid apply --force', 'nereid unlock -f', ''])(
    'what is no command is a call for help: %j',
    (line) => {
      const command = parseComment(line);

      expect(command).toEqual({ kind: 'help' });
    },
  );

  test.each(['plan', 'cancel'])('%s is a command', (verb) => {
    const command = parseComment(`nereid ${verb}`);

    expect(command.kind).toBe(verb);
  });
});
