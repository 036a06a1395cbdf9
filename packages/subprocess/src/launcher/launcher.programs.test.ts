import { execFile, spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { createOutput, eventually, fixture, gone, temporaryFolder } from '../../fixtures/fixture.ts';
import { runCommand } from '../run-command.ts';
import { supervise, type SuperviseOptions } from '../supervise.ts';
import { launch } from './launcher.ts';

const env = { PATH: '/usr/bin:/bin' };

async function launcherPid(): Promise<number> {
  const { stdout } = await runCommand({ argv: ['sh', '-c', 'echo $PPID'], env, cwd: '/' });
  return Number(stdout);
}

test('commands are started by another process than this one, the same for all', async () => {
  const [one, another] = [await launcherPid(), await launcherPid()];

  expect(one).toBe(another);
  expect(one).not.toBe(process.pid);
});

test('what a command reads is what it is given', async () => {
  const result = await runCommand({ argv: ['cat'], env, cwd: '/', input: 'line\n' });

  expect(result).toMatchObject({ kind: 'exited', stdout: 'line\n' });
});

test('a signal that its whole group gets does not end it', async () => {
  const before = await launcherPid();

  process.kill(before, 'SIGINT');

  expect(await launcherPid()).toBe(before);
});

test('a short command is lost with it, and the next one is started by a new one', async () => {
  const pid = await launcherPid();
  const lost = runCommand({ argv: ['sh', '-c', `kill -KILL ${pid}; sleep 5`], env, cwd: '/' });

  expect((await lost).kind).toBe('lost');
  expect(await launcherPid()).not.toBe(pid);
});

test('of output that its file does not take, as on a full disk, it says why', async () => {
  const command = { program: '/bin/echo', args: ['hello'], cwd: '/', env };
  const output = { kind: 'captured', stdoutFile: { path: '/dev/full', limitBytes: 100 } } as const;

  const launched = await launch({ ...command, output });

  const ended = launched.kind === 'launched' ? await launched.ended : launched;
  expect(ended).toMatchObject({ kind: 'exited', whyNotWritten: expect.stringContaining('no space left on device') });
});

test('a command has no file that the worker was started with', async () => {
  await using folder = await temporaryFolder();
  const file = path.join(folder.path, 'of-the-service-manager');
  await writeFile(file, 'secret');
  // Behind a gap: Node closes only what follows the standard streams without one.
  const worker = ['exec 240<"$0" && exec "$@"', file, process.execPath, fixture('captures.ts')];
  const listing = ['sh', '-c', 'readlink /proc/$$/fd/*; echo listed'];

  const { stdout } = await promisify(execFile)('bash', ['-c', ...worker, ...listing]);

  expect(stdout).toContain('listed');
  expect(stdout).not.toContain(file);
});

test('a supervised command goes on without it, and is followed to its end', async () => {
  await using folder = await temporaryFolder();
  const told = path.join(folder.path, 'told');
  const pid = await launcherPid();
  const output = createOutput();
  const supervised = supervise({
    argv: [fixture('counts-until-told'), told],
    env,
    cwd: '/',
    folder: folder.path,
    name: 'apply',
    onOutput: output.onOutput,
  });
  await output.matching(/^1$/m);

  process.kill(pid, 'SIGKILL');

  await output.matching(/^5$/m);
  await writeFile(told, '');
  expect(await supervised).toMatchObject({ kind: 'exited', exitCode: 7 });
  expect(output.text()).toBe(await readFile(path.join(folder.path, 'apply.output'), 'utf8'));
});

test('a short command is killed, with its children, when the process that wants its answer dies', async () => {
  await using folder = await temporaryFolder();
  const pids = path.join(folder.path, 'pids');
  const script = `sleep 600 & echo "$$ $!" > '${pids}'; wait`;
  const worker = spawn(process.execPath, [fixture('captures.ts'), 'sh', '-c', script], { stdio: 'ignore' });
  const found = await eventually(
    'the command runs',
    async () => /^(\d+) (\d+)\n/.exec(await readFile(pids, 'utf8').catch(() => '')) ?? undefined,
  );

  worker.kill('SIGKILL');

  expect(await Promise.all(found.slice(1).map(async (pid) => gone(Number(pid))))).toEqual([true, true]);
});

test('a supervised command that was interrupted before is not interrupted again without it, and the cause is kept', async () => {
  await using folder = await temporaryFolder();
  const told = path.join(folder.path, 'told');
  const pid = await launcherPid();
  const timeoutMs = 200;
  const { supervised, output } = await interrupted({
    argv: ['sh', '-c', 'trap "echo interrupted" INT; until [ -e "$0" ]; do sleep 0.05; done; exit 7', told],
    folder: folder.path,
    timeoutMs,
    patience: { afterSigintMs: 120_000, afterSecondSigintMs: 120_000 },
  });

  process.kill(pid, 'SIGKILL');
  // Long enough that a time that began again would be over.
  await sleep(3 * timeoutMs);
  await writeFile(told, '');

  const result = await supervised;
  expect(result).toMatchObject({ kind: 'stopped', cause: 'timed-out', stoppedBy: 'sigint', exitCode: 7 });
  expect(output.text()).toBe('interrupted\n');
});

test('stopping a supervised command goes on without it where it was', async () => {
  await using folder = await temporaryFolder();
  const pid = await launcherPid();
  const { supervised, output } = await interrupted({
    argv: ['sh', '-c', 'trap "echo interrupted" INT; while :; do sleep 0.05; done'],
    folder: folder.path,
    timeoutMs: 200,
    // A machine that stalls lets the command say that it was interrupted again, before it is killed.
    patience: { afterSigintMs: 1_000, afterSecondSigintMs: 15_000 },
  });

  process.kill(pid, 'SIGKILL');

  expect(await supervised).toMatchObject({ kind: 'stopped', cause: 'timed-out', stoppedBy: 'sigkill' });
  expect(output.text()).toBe('interrupted\ninterrupted\n');
});

/** A command that was interrupted at work. One whose machine stalls may be interrupted before it can trap that: another is started. */
async function interrupted(options: Pick<SuperviseOptions, 'argv' | 'folder' | 'timeoutMs' | 'patience'>) {
  for (let attempt = 1; ; attempt += 1) {
    const output = createOutput();
    const supervised = supervise({ ...options, env, cwd: '/', name: `apply-${attempt}`, onOutput: output.onOutput });
    const ended = supervised.then(() => false);
    if (
      await Promise.race([
        ended,
        output.matching(/interrupted/).then(
          () => true,
          () => ended,
        ),
      ])
    )
      return { supervised, output };
  }
}
