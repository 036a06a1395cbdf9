import { describe, expect, test } from '@jest/globals';
import { parseComment } from './comment-command.ts';

describe('parseComment', () => {
  test('apply without names means the roots that the pull request modifies', () => {
    const command = parseComment('nereid apply');

    expect(command).toEqual({ kind: 'roots', action: 'apply', rootNames: [] });
  });

  test('names are taken once, wherever the flag is', () => {
    const command = parseComment('nereid apply network -f  database network');

    expect(command).toEqual({ kind: 'roots', action: 'apply_force', rootNames: ['network', 'database'] });
  });

  test('the verb may be written in any case, a name may not', () => {
    const command = parseComment('Nereid Unlock Network');

    expect(command).toEqual({ kind: 'roots', action: 'unlock', rootNames: ['Network'] });
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
    expect(parseComment('nereid plan network dns')).toEqual({
      kind: 'roots',
      action: 'plan',
      rootNames: ['network', 'dns'],
    });
    expect(parseComment('nereid plan -destroy')).toEqual({
      kind: 'help',
      why: 'nereid plan has no flag -destroy: flags belong in var_files and steps',
    });
  });

  test('force-unlock takes a root and the id of one lock', () => {
    expect(parseComment('nereid force-unlock network 594d17c1-7d4f-5256-08d1-4d67a8754dbd')).toEqual({
      kind: 'root-and-lock',
      action: 'force_unlock',
      rootName: 'network',
      lockId: '594d17c1-7d4f-5256-08d1-4d67a8754dbd',
    });
  });

  test.each([
    ['nereid force-unlock', 'and no root is named'],
    ['nereid force-unlock -force 1', 'and no root is named'],
    ['nereid force-unlock network', 'and the id is missing: the check that met the lock names it'],
    ['nereid force-unlock network 1 2', 'and there are more words'],
    ['nereid force-unlock network -force', 'and -force is none'],
    ['nereid force-unlock network $(id)', 'and $(id) is none'],
    [`nereid force-unlock network ${'1'.repeat(129)}`, `and ${'1'.repeat(129)} is none`],
  ])('force-unlock with other words is answered with why: %j', (line, found) => {
    const why = `nereid force-unlock takes a root and the id of its lock, ${found}`;

    expect(parseComment(line)).toEqual({ kind: 'help', why });
  });

  test.each(['plan', 'cancel'])('%s is a command', (verb) => {
    expect(parseComment(`nereid ${verb}`)).toMatchObject({ action: verb });
  });
});
