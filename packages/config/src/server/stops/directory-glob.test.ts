import { expect, test } from '@jest/globals';
import { directoryGlobOf } from './directory-glob.ts';
import { matchesRoot } from '../glob.ts';

test.each([
  ['prod/', 'prod'],
  ['prod/**/', 'prod/**'],
  ['./prod//net/', 'prod/net'],
  ['.', '.'],
  ['./', '.'],
  ['*', '**'],
  ['./**', '**'],
  ['p*/{a,b}', 'p*/{a,b}'],
])('%s is matched as %s', (text, glob) => {
  expect(directoryGlobOf(text)).toBe(glob);
});

test.each(['*', './**', '**/', '.'])('%s is about a root at the top', (text) => {
  expect(matchesRoot(directoryGlobOf(text) ?? '', { name: 'top', dirs: ['.'] })).toBe(true);
});

test.each(['', '/', '/prod', '..', 'prod/../dev', 'name:prod', '!prod', 'a b', 'x'.repeat(201)])(
  '%j can match no directory',
  (text) => {
    expect(directoryGlobOf(text)).toBeUndefined();
  },
);
