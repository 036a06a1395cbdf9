import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { fixture, gone, patienceUntil, temporaryFolder } from '../fixtures/fixture.ts';
import { runCommand } from './run-command.ts';
import { StopRequest } from './stop-cause.ts';

const env = { PATH: '/usr/bin:/bin' };

test('what a command says is captured, stdout apart from stderr', async () => {
  const result = await runCommand({ argv: ['sh', '-c', 'echo out; echo err >&2; exit 3'], env, cwd: '/' });

  expect(result).toMatchObject({ kind: 'exited', exitCode: 3, stdout: 'out\n', stderr: 'err\n', outputBytes: 8 });
});

test('the environment is exactly the one given', async () => {
  const result = await runCommand({ argv: ['/usr/bin/env'], env: { ONLY: 'this' }, cwd: '/' });

  expect(result.stdout).toBe('ONLY=this\n');
});

test('a program that is not in the PATH given could not start', async () => {
  const result = await runCommand({ argv: ['no-such-program'], env, cwd: '/' });

  expect(result).toMatchObject({ kind: 'could-not-start', why: 'no-such-program is not in PATH' });
});

test('a working directory that is not there is named', async () => {
  const result = await runCommand({ argv: ['true'], env, cwd: '/no/such/folder' });

  expect(result).toMatchObject({
    kind: 'could-not-start',
    why: 'its working directory /no/such/folder is not a directory',
  });
});

test('a command that dies by a signal was killed', async () => {
  const result = await runCommand({ argv: [fixture('dies-by-signal')], env, cwd: '/' });

  expect(result).toMatchObject({ kind: 'killed', signal: 'SIGTERM' });
});

test('a command that says more than the limit is stopped, and no more than the limit is kept', async () => {
  const result = await runCommand({
    argv: [fixture('prints-100mb')],
    env,
    cwd: '/',
    outputLimitBytes: 100_000,
    patience: patienceUntil('sigint'),
  });

  expect(result).toMatchObject({ kind: 'stopped', cause: 'output-limit' });
  expect(result.stdout.length).toBeLessThanOrEqual(100_000);
});

test('a command that says more than the limit and is over before anybody could listen was stopped all the same', async () => {
  const argv = ['echo', 'more than ten bytes'] as const;
  const answer = runCommand({ argv, env, cwd: '/', outputLimitBytes: 10 });
  const result = await besideALateListener(answer);

  expect(result).toMatchObject({ kind: 'stopped', cause: 'output-limit', stdout: '' });
});

test('a command that runs longer than its time is stopped', async () => {
  const result = await runCommand({
    argv: [fixture('hangs')],
    env,
    cwd: '/',
    timeoutMs: 200,
    patience: patienceUntil('sigkill'),
  });

  expect(result).toMatchObject({ kind: 'stopped', cause: 'timed-out' });
});

test('a command whose signal is aborted already never runs', async () => {
  await using folder = await temporaryFolder();
  const signal = AbortSignal.abort(new StopRequest('host-shutting-down'));

  const result = await runCommand({ argv: ['touch', 'made'], env, cwd: folder.path, signal });

  expect(result).toMatchObject({ kind: 'stopped', cause: 'host-shutting-down', stoppedBy: 'before-start' });
  await expect(readFile(path.join(folder.path, 'made'))).rejects.toThrow('ENOENT');
});

test('a child that it leaves behind ends with it', async () => {
  const result = await runCommand({ argv: [fixture('leaves-a-child')], env, cwd: '/' });

  expect(await gone(Number(result.stdout))).toBe(true);
});

test('stdout can go into a file', async () => {
  await using folder = await temporaryFolder();
  const stdoutFile = { path: path.join(folder.path, 'out'), limitBytes: 100 };

  const result = await runCommand({ argv: ['echo', 'hello'], env, cwd: '/', stdoutFile });

  expect(result.stdout).toBe('');
  expect(await readFile(stdoutFile.path, 'utf8')).toBe('hello\n');
});

test('a command that prints more than its file may hold is stopped, and the file holds no more', async () => {
  await using folder = await temporaryFolder();
  const stdoutFile = { path: path.join(folder.path, 'out'), limitBytes: 100_000 };
  const argv = [fixture('prints-100mb')] as const;

  const result = await runCommand({ argv, env, cwd: '/', stdoutFile, patience: patienceUntil('sigint') });

  expect(result).toMatchObject({ kind: 'stopped', cause: 'output-limit' });
  expect((await stat(stdoutFile.path)).size).toBe(100_000);
});

test('a command that prints exactly what its file may hold is not stopped', async () => {
  await using folder = await temporaryFolder();
  const stdoutFile = { path: path.join(folder.path, 'out'), limitBytes: 6 };

  const result = await runCommand({ argv: ['echo', 'hello'], env, cwd: '/', stdoutFile });

  expect(result).toMatchObject({ kind: 'exited', exitCode: 0 });
});

/** In each turn this process is busy for long enough that its next one finds all that a short command has to say at once. */
async function besideALateListener<T>(answer: Promise<T>): Promise<T> {
  const busyMs = 100;
  const still = Symbol('still running');
  const clock = new Int32Array(new SharedArrayBuffer(4));
  for (;;) {
    Atomics.wait(clock, 0, 0, busyMs);
    const turn = new Promise<typeof still>((resolve) => {
      setImmediate(resolve, still);
    });
    if ((await Promise.race([answer, turn])) !== still) return answer;
  }
}
