import { describe, expect, test } from '@jest/globals';
import { problemsOf, type Machine } from './check-machine.ts';

const FIT: Machine = { platform: 'linux', isRoot: true, lacks: [], hasWritableGroups: true };

test('a machine that can have a node has no problem', () => {
  expect(problemsOf(FIT)).toEqual([]);
});

describe('a machine that cannot have a node is told so, and what to do', () => {
  test.each([
    ['without Linux', { platform: 'darwin' }, 'expected Linux, .* found darwin; use a virtual machine'],
    ['without root', { isRoot: false }, 'expected root, .*; run it with sudo'],
    ['without programs', { lacks: ['ip', 'gcc'] }, 'with ip, gcc, found none; run apt-get install iproute2 gcc'],
    [
      'without namespaces',
      { noNamespaces: 'unshare failed' },
      'refuses them \\(unshare failed\\); a container has to be',
    ],
    ['without groups', { hasWritableGroups: false }, '/sys/fs/cgroup to be writable, .*; a container has to be'],
  ])('%s', (_what, change, words) => {
    expect(problemsOf({ ...FIT, ...change })).toEqual([expect.stringMatching(words)]);
  });
});
