import { once } from 'node:events';
import { spawn, type ChildProcess } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { createOutput, eventually, fixture, gone, patienceUntil, temporaryFolder } from '../fixtures/fixture.ts';
import { attach } from './attach.ts';
import { commandFiles, readIdentity, runningCommands } from './command-files.ts';
import { supervise } from './supervise.ts';

const name = 'command';
const ignore = () => undefined;

test('a command survives SIGKILL of the process that started it, and another gets all its output and its true exit code', async () => {
  await using folder = await temporaryFolder();
  const stop = path.join(folder.path, 'stop');
  const output = createOutput();

  await killWorkerOf(folder.path, fixture('counts-until-told'), stop);
  const attached = attach({ folder: folder.path, name, ...output });
  await output.matching(/^1\n2\n3\n/);
  await writeFile(stop, '');

  expect(await attached).toMatchObject({ kind: 'exited', exitCode: 7 });
  expect(output.text()).toMatch(/^1\n2\n3\n[\d\n]*done\n$/);
});

test('an attached command is stopped as a group', async () => {
  await using folder = await temporaryFolder();
  const output = createOutput();
  const controller = new AbortController();
  const { signal } = controller;
  const patience = patienceUntil('sigkill');

  await killWorkerOf(folder.path, fixture('forks-children'));
  const attached = attach({ folder: folder.path, name, ...output, signal, patience });
  const [, first, second] = await output.matching(/^(\d+)\n(\d+)\n/);
  controller.abort();

  expect(await attached).toMatchObject({ kind: 'stopped', cause: 'cancelled', stoppedBy: 'sigkill' });
  expect(await Promise.all([gone(Number(first)), gone(Number(second))])).toEqual([true, true]);
});

test('a command that is gone without an exit code is lost', async () => {
  await using folder = await temporaryFolder();

  await killWorkerOf(folder.path, fixture('hangs'));
  const pid = await supervisorOf(folder.path);
  process.kill(-pid, 'SIGKILL');

  expect(await attach({ folder: folder.path, name, onOutput: ignore })).toMatchObject({ kind: 'lost' });
});

test('a reused pid is not mistaken for the command', async () => {
  await using folder = await temporaryFolder();
  const files = commandFiles(folder.path, name);
  await writeFile(files.output, '');
  await writeFile(files.process, `${process.pid}\nanother boot\n${process.pid} (sh) S ${'0 '.repeat(18)}1 0\n`);

  expect(await attach({ folder: folder.path, name, onOutput: ignore })).toMatchObject({ kind: 'lost' });
});

test('half an exit file is none', async () => {
  await using folder = await temporaryFolder();
  const files = commandFiles(folder.path, name);
  await writeFile(files.output, '');
  await writeFile(files.process, `${process.pid}\nanother boot\n${process.pid} (sh) S ${'0 '.repeat(18)}1 0\n`);
  await writeFile(files.exit, '1');

  expect(await attach({ folder: folder.path, name, onOutput: ignore })).toMatchObject({ kind: 'lost' });
});

test('output that was delivered before is left out', async () => {
  await using folder = await temporaryFolder();
  const output = createOutput();
  const argv = ['echo', 'before after'] as const;
  await supervise({ argv, env: { PATH: '/usr/bin:/bin' }, cwd: '/', folder: folder.path, name, onOutput: ignore });

  const result = await attach({ folder: folder.path, name, ...output, offset: 'before '.length });

  expect(output.text()).toBe('after\n');
  expect(result).toMatchObject({ kind: 'exited', exitCode: 0, outputBytes: 13 });
});

test('a command that never ran could not start', async () => {
  await using folder = await temporaryFolder();

  const result = await attach({ folder: folder.path, name, onOutput: ignore });

  expect(result).toMatchObject({ kind: 'could-not-start', why: `no command command ran in ${folder.path}` });
});

test('the running commands of a folder are those whose process lives', async () => {
  await using folder = await temporaryFolder();
  const stop = path.join(folder.path, 'stop');
  const argv = ['true'] as const;
  await supervise({
    argv,
    env: { PATH: '/usr/bin:/bin' },
    cwd: '/',
    folder: folder.path,
    name: 'ended',
    onOutput: ignore,
  });
  await killWorkerOf(folder.path, fixture('counts-until-told'), stop);

  const running = await runningCommands(folder.path);

  expect(running).toEqual([name]);
  await writeFile(stop, '');
  await attach({ folder: folder.path, name, onOutput: ignore });
});

/** Starts a process that supervises the command, and kills it when the command runs. */
async function killWorkerOf(folder: string, ...command: readonly string[]): Promise<void> {
  const worker: ChildProcess = spawn(process.execPath, [fixture('supervises.ts'), folder, ...command], {
    stdio: 'ignore',
  });
  const exited = once(worker, 'exit');
  await supervisorOf(folder);
  worker.kill('SIGKILL');
  await exited;
}

async function supervisorOf(folder: string): Promise<number> {
  const identity = await eventually('the command runs', () => readIdentity(commandFiles(folder, name)));
  return identity.pid;
}
