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

  test.each(['nereid', 'nereid help', ''])('is a call for help: %j', (line) => {
    expect(parseComment(line)).toEqual({ kind: 'help' });
  });

  test.each([
    ['nereid destroy network', 'nereid has no command destroy'],
    ['nereid apply --force', 'nereid apply has no flag --force'],
    ['tf unlock -f', 'tf unlock has no flag -f'],
  ])('what is no command is answered with why: %j', (line, why) => {
    expect(parseComment(line)).toEqual({ kind: 'help', why });
  });

  test('plan takes roots, and no flags', () => {
    expect(parseComment('nereid plan network dns')).toEqual({ kind: 'plan', rootNames: ['network', 'dns'] });
    expect(parseComment('nereid plan -destroy')).toEqual({
      kind: 'help',
      why: 'nereid plan takes no flags such as -destroy: they belong into var_files and steps',
    });
  });

  test.each(['plan', 'cancel'])('%s is a command', (verb) => {
    const command = parseComment(`nereid ${verb}`);

    expect(command.kind).toBe(verb);
  });
});
