import { expect, test } from '@jest/globals';
import { ConfigurationError } from '@nereid/config';
import type { Check, Finding } from './check.ts';
import { diagnose } from './diagnose.ts';
import { fail, ok, skip, warn } from './findings.ts';
import { renderDiagnosis } from './render-diagnosis.ts';
import { runDoctor } from './run-doctor.ts';

const check = (name: string, run: Check['run']): Check => ({ name, run });
const found = (name: string, ...findings: readonly Finding[]) => check(name, () => Promise.resolve(findings));

/** For what never comes. */
const SHORT = { limitMs: 20 };

test('checks run at once, and stay in their order', async () => {
  const { promise: both, resolve } = Promise.withResolvers<Finding>();

  const { examined, isHealthy } = await diagnose('worker', [
    check('waits for the next', () => both),
    check('lets the first end', () => {
      resolve(ok('came'));
      return Promise.resolve(ok('ended'));
    }),
  ]);

  expect(examined.map(({ name }) => name)).toEqual(['waits for the next', 'lets the first end']);
  expect(isHealthy).toBe(true);
});

test('a check that hangs fails with a sentence, and is told to stop', async () => {
  let isStopped = false;
  const hangs = check('temporal', (signal) => {
    signal.addEventListener('abort', () => (isStopped = true));
    return new Promise(() => undefined);
  });

  const { examined, isHealthy } = await diagnose('worker', [hangs], SHORT);

  expect(examined).toMatchObject([
    { name: 'temporal', outcome: 'fail', found: expect.stringMatching(/^expected an /) },
  ]);
  expect([isStopped, isHealthy]).toEqual([true, false]);
});

test('a check that throws fails with what the error is called: neither its message nor its stack is shown', async () => {
  const secret = 'postgres://user:hunter2@db';
  const throws = check('storage', () => Promise.reject(Object.assign(new TypeError(secret), { code: 'ECONNREFUSED' })));
  const throwsAtOnce = check('audit', () => {
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- a library may throw anything
    throw secret;
  });

  const diagnosis = await diagnose('worker', [throws, throwsAtOnce]);

  expect(diagnosis.examined.map(({ found: text }) => text)).toEqual([
    'expected to find this out, found TypeError ECONNREFUSED',
    'expected to find this out, found an error without a name',
  ]);
  expect(JSON.stringify(diagnosis)).not.toContain('hunter2');
});

test('of a configuration, all problems are told, each with its place', async () => {
  const problems = [
    { path: 'PLAN_KEY', message: 'expected base64 of 32 bytes, found 16; make another' },
    {
      path: 'audit.to',
      file: 'server.yaml',
      line: 3,
      column: 5,
      message: 'expected an address, found "x"; correct it',
    },
  ];

  const { examined } = await diagnose('worker', [
    check('configuration', () => Promise.reject(new ConfigurationError(problems))),
  ]);

  expect(examined).toEqual([
    {
      name: 'configuration',
      outcome: 'fail',
      found: 'PLAN_KEY: expected base64 of 32 bytes, found 16',
      remedy: 'make another',
    },
    {
      name: 'configuration',
      outcome: 'fail',
      found: 'server.yaml:3:5 audit.to: expected an address, found "x"',
      remedy: 'correct it',
    },
  ]);
});

test('what was found may have semicolons, and advice a second way', () => {
  expect(fail('expected a key, found: one; and two; set it; or leave it out')).toEqual({
    outcome: 'fail',
    found: 'expected a key, found: one; and two',
    remedy: 'set it; or leave it out',
  });
});

const CHECKS = [
  found('configuration', ok('the environment and nereid.server.yaml can be used')),
  found(
    'keys',
    fail('expected POOL_PUBLIC_KEY to have the public half of POOL_KEY, found that of another key; give all the same'),
    fail('expected another thing, found nothing; set it'),
  ),
  found('disk', warn('expected 20.0 GB of room, found\u001b[31m 3.0 GB; make room')),
  found('audit', skip('audit.to is not set')),
];

test('a diagnosis is a table, with what to do below each finding', async () => {
  const table = renderDiagnosis({ ...(await diagnose('worker', CHECKS)), tookMs: 1_234 }, 80);

  expect(table).toBe(`      CHECK          FOUND
ok    configuration  the environment and nereid.server.yaml can be used
FAIL  keys           expected POOL_PUBLIC_KEY to have the public half of
                     POOL_KEY, found that of another key
                     → give all the same
FAIL                 expected another thing, found nothing
                     → set it
warn  disk           expected 20.0 GB of room, found\ufffd[31m 3.0 GB
                     → make room
-     audit          audit.to is not set

The worker cannot work like this: 2 failed, 1 to look at, 1 fine, in 1.2 s.
`);
});

async function doctor(args: readonly string[], checks: readonly Check[]) {
  const [written, complained]: [string[], string[]] = [[], []];
  const into = (lines: string[]) => ({
    write: (text: string | Uint8Array, ...rest: readonly unknown[]) => {
      lines.push(String(text));
      const [done] = rest.filter((each) => typeof each === 'function');
      done?.();
      return true;
    },
  });
  const code = await runDoctor({
    process: 'worker',
    args,
    stdout: into(written),
    stderr: into(complained),
    open: () => Promise.resolve(checks),
  });
  return { code, stdout: written.join(''), stderr: complained.join('') };
}

test('its exit code says whether something failed', async () => {
  expect((await doctor([], CHECKS)).code).toBe(1);
  expect((await doctor([], CHECKS.slice(2))).code).toBe(0);
});

test('programs read it as JSON', async () => {
  const { stdout } = await doctor(['--json'], CHECKS);

  expect(JSON.parse(stdout)).toMatchObject({
    process: 'worker',
    isHealthy: false,
    examined: expect.arrayContaining([{ name: 'audit', outcome: 'skip', found: 'audit.to is not set' }]),
  });
});

test('whoever types something else learns what can be typed', async () => {
  expect(await doctor(['--yaml'], CHECKS)).toEqual({
    code: 2,
    stdout: '',
    stderr: 'expected nothing or --json, found "--yaml"; leave it out\n',
  });
});
