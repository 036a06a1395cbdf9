import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { createOutput, fixture, temporaryFolder } from '../../fixtures/fixture.ts';
import { runCommand } from '../run-command.ts';
import { supervise } from '../supervise.ts';

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
