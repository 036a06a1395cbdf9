import { expect, test } from '@jest/globals';
import { stateLockHelp } from './state-lock-help.ts';

test('a lock whose holder is not known is named, with the command that frees it, in the words of this server', () => {
  const help = stateLockHelp({ id: '1700000000000000' }, 'network', 'tf');

  expect(help).toContain('Somebody holds the lock `1700000000000000`.');
  expect(help).toContain('```text\ntf force-unlock network 1700000000000000\n```');
});

test('an id that is none is shown as it is, and stands in no command', () => {
  const help = stateLockHelp({ id: '-force `x`' }, 'network');

  expect(help).not.toContain('force-unlock');
});
