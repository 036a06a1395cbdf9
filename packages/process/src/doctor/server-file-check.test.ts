import { expect, test } from '@jest/globals';
import { diagnose } from '@nereid/doctor';
import { serverFileCheck } from './server-file-check.ts';

test('a file that could not be reloaded is a failure: since when, what is wrong with it, and what to do', async () => {
  const line = { path: 'waves.0.max', message: 'expected a number, found "x"; correct it', line: 12 };
  const problems = [{ ...line, file: '/etc/nereid.server.yaml' }];
  const outdated = () => ({ file: '/etc/nereid.server.yaml', since: new Date().toISOString(), problems });

  const { isHealthy, examined } = await diagnose('worker', [serverFileCheck({ outdated })]);

  expect(isHealthy).toBe(false);
  expect(examined).toEqual([
    {
      name: 'server file',
      outcome: 'fail',
      found: expect.stringMatching(/broken since the reload of [A-Z][a-z]{2} \d\d:\d\d UTC: /),
      remedy: 'correct the file, check it with nereid config check /etc/nereid.server.yaml, and send SIGHUP',
    },
    {
      name: 'server file',
      outcome: 'fail',
      found: expect.stringMatching(/^\/etc\/nereid\.server\.yaml:12.*expected a number, found "x"$/),
      remedy: 'correct it',
    },
  ]);
});

test('a file that is in force is fine', async () => {
  const { isHealthy } = await diagnose('worker', [serverFileCheck({ outdated: () => undefined })]);

  expect(isHealthy).toBe(true);
});
