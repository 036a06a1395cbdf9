import { expect, test } from '@jest/globals';
import { withLockFileHint } from './lock-file-hint.ts';

test('an init that the lock file stopped gets the command that adds the hashes of the hosts', () => {
  const lines = [
    'Error: Failed to install provider from shared cache',
    'Error while importing hashicorp/time v0.6.0 from the shared cache directory: the provider cache has a copy',
    "that doesn't match any of the",
    'checksums recorded in the dependency lock file.',
  ];
  const failure = { summary: lines[0] ?? '', lines };

  expect(withLockFileHint(failure, 'tofu').lines.at(-1)).toMatch(/run "tofu providers lock -platform=\w+_\w+" in/);
});

test('another failure stays as it is', () => {
  const failure = { summary: 'Error: Unsupported block type', lines: [] };

  expect(withLockFileHint(failure, 'terraform')).toBe(failure);
});
