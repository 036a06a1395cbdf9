/** What `nereid doctor` says to operators. */
import { expect, test } from '@jest/globals';
import { aConsole, TOKEN } from '@nereid/console/testing';
import { fail, ok, type Check, type Finding } from '@nereid/doctor';
import { createWorkerDiagnoses } from '@nereid/storage';
import { nereidInside } from './testing/run.ts';

const HOSTILE = '\u001b]0;owned\u0007\u202eevil\u009b2J';

const onTerminal = { terminal: { columns: 80 }, env: { NO_COLOR: '1' } };

test('the doctor is a table that fits the terminal, with what to do below each problem, and ends with 1 when something failed', async () => {
  const check = (name: string, ...findings: readonly Finding[]): Check => ({
    name,
    run: () => Promise.resolve(findings),
  });
  const checks = [
    check('temporal', ok('127.0.0.1:7233 has the namespace default')),
    check(
      'storage: logs',
      fail(`expected the bucket logs, found none of this name${HOSTILE}; create it`),
      fail('expected 12h, found 12; write it like 12h'),
    ),
  ];
  const console = await aConsole({ isLocal: true, checks });

  const { status, stdout } = await nereidInside(['doctor'], { console, ...onTerminal });

  expect(stdout).toContain(`OUTCOME  CHECK          FOUND
ok       temporal       127.0.0.1:7233 has the namespace default
fail     storage: logs  expected the bucket logs, found none of this
                        name�]0;owned��evil�2J
                        → create it
fail     storage: logs  expected 12h, found 12
                        → write it like 12h
`);
  expect(stdout).not.toContain('\u001b]');
  expect(status).toBe(1);
});

test('the doctor says of each worker what is to do, and ends with 1 when one has something that failed', async () => {
  const console = await aConsole({ isLocal: true, checks: [] });
  const worker = { version: 1, roles: ['terraform'], at: new Date().toISOString(), tookMs: 9 } as const;
  const git = { name: 'git', outcome: 'ok', found: 'git 2.39' } as const;
  const disk = { name: 'disk', outcome: 'fail', found: `expected room${HOSTILE}`, remedy: 'make room' } as const;
  const diagnoses = createWorkerDiagnoses(console.store);
  await diagnoses.write({ ...worker, hostId: 'h1', examined: [git] });
  await diagnoses.write({ ...worker, hostId: 'h2', examined: [git, disk] });

  const { status, stdout } = await nereidInside(['doctor'], { console, ...onTerminal });

  expect(stdout).toContain('Worker h1 (terraform): nothing to do');
  expect(stdout).toMatch(
    /Worker h2 \(terraform\): to do:\n(?:.*\n)?.*\nfail +disk +expected room[^\n]*\n +→ make room\n/,
  );
  expect(stdout).not.toContain('\u001b]');
  expect(status).toBe(1);
});

test('the doctor says that no worker has examined itself yet', async () => {
  const console = await aConsole({ isLocal: true, checks: [] });

  const { status, stdout } = await nereidInside(['doctor'], { console });

  expect([status, stdout]).toEqual([
    0,
    expect.stringMatching(/^No worker has examined itself yet: each does so [^\n]+\n$/),
  ]);
});

test('the doctor says who may ask it to somebody who may not', async () => {
  const console = await aConsole({ checks: [], login: { policy: { mode: 'github', clientId: 'Iv23liNereid' } } });

  const { status, stderr } = await nereidInside(['doctor'], { console, env: { NEREID_TOKEN: TOKEN } });

  expect([status, stderr]).toEqual([3, expect.stringMatching(/^expected you to be an operator, .*console\.operators/)]);
});
