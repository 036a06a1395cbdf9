import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { fixture } from '../../fixtures/fixture.ts';
import { failureFrom } from './failure.ts';
import { stateLockIn } from './state-lock.ts';

const TITLE = 'Error: Error acquiring the state lock';
const ID = '520bcbee-01df-ce27-8464-fb358bce25a3';

test('a lock that the backend describes is told with its id, its holder and its time', async () => {
  const said = await readFile(fixture('terraform-1.11.4-locked-local.txt'));

  expect(failureFrom(said, '').stateLock).toEqual({
    id: '594d17c1-7d4f-5256-08d1-4d67a8754dbd',
    who: 'root@vm',
    created: '2026-11-24 21:58:26.911333997 +0000 UTC',
  });
});

test('the backend http describes its own request, so the lock that it met is taken from the message', async () => {
  const said = await readFile(fixture('terraform-1.11.4-locked-http.txt'));

  expect(failureFrom(said, '').stateLock).toEqual({ id: '8a048411-8b94-c90d-666e-5e73af588e74' });
});

test('an error about something else is about no lock', async () => {
  const said = await readFile(fixture('terraform-1.11.4-error.txt'));

  expect(failureFrom(said, '')).not.toHaveProperty('stateLock');
});

describe('no lock is told', () => {
  test.each([
    ['without an id', [TITLE, 'Lock Info:', '  Who:       root@vm']],
    ['of an id that is a flag', [TITLE, 'Lock Info:', '  ID:        -force']],
    ['of an id with more than letters, digits and marks', [TITLE, 'Lock Info:', '  ID:        $(id)']],
    ['of an id that is too long', [TITLE, 'Lock Info:', `  ID:        ${'a'.repeat(129)}`]],
    ['without the title', ['Error: other', 'Lock Info:', `  ID:        ${ID}`]],
  ])('a message %s tells no lock', (_what, lines) => {
    expect(stateLockIn(lines)).toBeUndefined();
  });
});

test('a long name is cut', () => {
  const lines = [TITLE, 'Lock Info:', `  ID:        ${ID}`, `  Who:       ${'x'.repeat(500)}`];

  expect(stateLockIn(lines)?.who).toHaveLength(100);
});
