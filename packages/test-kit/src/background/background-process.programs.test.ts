import { expect, test } from '@jest/globals';
import { hasErrorCode } from '@nereid/subprocess';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { folderOfThisFile } from '../testing/folders.ts';
import { freePort, isFreePort } from './free-port.ts';
import { startInBackground } from './background-process.ts';
import { ServerStartError, startUntilReady } from './server.ts';

const folder = folderOfThisFile();

test('a server that is stopped gets SIGTERM and the time to put things in order', async () => {
  const script = 'trap "echo in order; exit 0" TERM; echo $$; while :; do sleep 0.05; done';
  const server = await started(script, 'orderly', DEADLINE_MS);

  await server.stop();

  expect(await readFile(server.logFile, 'utf8')).toMatch(/in order/);
  expect(server.ending()).toEqual({ kind: 'exited', exitCode: 0 });
});

test('a server that ignores SIGTERM is killed after the grace', async () => {
  const server = await started('trap "" TERM; echo $$; while :; do sleep 0.05; done', 'stubborn');

  await server.stop();

  expect(isRunning(server.pid)).toBe(false);
});

test('a server that ends by itself tells with which exit code', async () => {
  const server = await started('echo $$; sleep 0.2; exit 3', 'mortal');

  await expect(server.ended).resolves.toEqual({ kind: 'exited', exitCode: 3 });
});

test('a server that is killed tells by which signal', async () => {
  const server = await started('echo $$; while :; do sleep 0.05; done', 'killed');

  process.kill(server.pid, 'SIGKILL');

  await expect(server.ended).resolves.toEqual({ kind: 'killed', signal: 'SIGKILL' });
});

test('a large server that was killed has left its port', async () => {
  const port = await freePort();
  const script = `s = __import__("socket").create_server(("127.0.0.1", ${port})); m = bytearray(b"x") * 800_000_000; print("1", flush=True); input()`;
  const logFile = path.join(folder, 'large.log');
  const argv = ['/usr/bin/env', 'python3', '-c', script, 'large'] as const;
  const keep = `sleep 600 | "$@"`;
  const server = await startInBackground({
    argv: ['/bin/sh', '-c', keep, ...argv],
    env: { PATH: process.env['PATH'] ?? '' },
    cwd: folder,
    logFile,
  });
  await pidIn(logFile);

  await server.kill();

  expect(await isFreePort(port)).toBe(true);
});

test('a server is gone soon after whoever started it was killed', async () => {
  const starter = path.join(folder, 'starter.ts');
  const module = JSON.stringify(new URL('background-process.ts', import.meta.url).href);
  const options = JSON.stringify(shell('echo $$; while :; do sleep 0.05; done', 'orphan'));
  await writeFile(
    starter,
    `import { startInBackground } from ${module};\nawait startInBackground(${options});\nsetInterval(() => {}, 1000);\n`,
  );
  const parent = spawn(process.execPath, [starter], { stdio: 'inherit' });
  const pid = await pidIn(path.join(folder, 'orphan.log'));

  parent.kill('SIGKILL');
  await once(parent, 'exit');

  await until(() => !isRunning(pid), 'the server is gone');
});

test('a server that ends before it is ready is an error with the end of its log', async () => {
  const start = startUntilReady({
    name: 'server',
    process: shell('echo no such database >&2; exit 3', 'broken'),
    isReady: () => Promise.resolve(false),
    readyTimeoutMs: 120_000,
  });

  await expect(start).rejects.toThrow(ServerStartError);
  await expect(start).rejects.toThrow(/server ended with exit code 3 before it was ready[^]*no such database/);
});

test('a start that is aborted ends the server at once, also one that would ignore SIGTERM', async () => {
  const interruption = new AbortController();
  const start = startUntilReady({
    name: 'server',
    process: shell('trap "" TERM; echo $$; while :; do sleep 0.05; done', 'aborted'),
    isReady: () => new Promise(() => undefined),
    readyTimeoutMs: 120_000,
    signal: interruption.signal,
  });
  const pid = await pidIn(path.join(folder, 'aborted.log'));

  interruption.abort(new Error('Ctrl-C'));

  await expect(start).rejects.toThrow('Ctrl-C');
  await until(() => !isRunning(pid), 'the server is gone');
});

test('a server that is not ready in time is stopped, and the error has the end of its log', async () => {
  const start = startUntilReady({
    name: 'server',
    process: shell('echo $$; while :; do sleep 0.05; done', 'slow'),
    // It runs, and that is all.
    isReady: () => pidIn(path.join(folder, 'slow.log')).then(() => false),
    readyTimeoutMs: 1_000,
  });

  await expect(start).rejects.toThrow(/server was not ready within 1000 ms[^]*\d+/);
  expect(isRunning(await pidIn(path.join(folder, 'slow.log')))).toBe(false);
});

function shell(script: string, name: string, graceMs = 1_000) {
  const logFile = path.join(folder, `${name}.log`);
  const argv: [string, ...string[]] = ['/bin/sh', '-c', script];
  return { argv, env: { PATH: '/usr/bin:/bin' }, cwd: folder, logFile, graceMs };
}

/** Starts a script whose first line of output is its pid. */
async function started(script: string, name: string, graceMs?: number) {
  const options = shell(script, name, graceMs);
  const server = await startInBackground(options);
  return { ...server, logFile: options.logFile, pid: await pidIn(options.logFile) };
}

async function pidIn(logFile: string): Promise<number> {
  const readPid = async () => Number((await readFile(logFile, 'utf8').catch(() => '')).split('\n')[0]);
  await until(async () => (await readPid()) > 0, `${logFile} begins with a pid`);
  return readPid();
}

/** Only what hangs takes minutes. */
const DEADLINE_MS = 120_000;

async function until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const deadline = performance.now() + DEADLINE_MS;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`expected within ${DEADLINE_MS} ms: ${what}`);
    await pause(20);
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    if (hasErrorCode(error, 'ESRCH')) return false;
    throw error;
  }
}
