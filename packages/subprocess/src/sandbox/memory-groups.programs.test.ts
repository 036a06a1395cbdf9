import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { temporaryFolder } from '../../fixtures/fixture.ts';
import { aSandbox } from '../../fixtures/sandbox.ts';
import { runCommand } from '../run-command.ts';
import { openMemoryGroups, type MemoryGroups } from './memory-groups.ts';

/** A folder that has what the kernel shows of a group with two processes. */
async function aGroup(controllers = 'cpu memory pids'): Promise<{ readonly path: string } & AsyncDisposable> {
  const folder = await temporaryFolder();
  await writeFile(join(folder.path, 'cgroup.controllers'), `${controllers}\n`);
  await writeFile(join(folder.path, 'cgroup.procs'), '71\n72\n');
  return folder;
}

function opened(group: string): MemoryGroups {
  const result = openMemoryGroups(group);
  if (result.kind === 'not-opened') throw new Error(result.why);
  return result.groups;
}

test('the processes of the group go into a part of it, and both levels below it count memory', async () => {
  await using group = await aGroup();

  expect(openMemoryGroups(group.path)).toMatchObject({ kind: 'opened' });

  // The kernel takes one process a time, and shows all of them; a file keeps the last.
  expect(await readFile(join(group.path, 'worker/cgroup.procs'), 'utf8')).toBe('72');
  expect(await readFile(join(group.path, 'cgroup.subtree_control'), 'utf8')).toBe('+memory');
  expect(await readFile(join(group.path, 'commands/cgroup.subtree_control'), 'utf8')).toBe('+memory');
});

test('a worker that was started in that part, as after a restart, divides the same group', async () => {
  await using group = await aGroup();
  opened(group.path);

  expect(opened(join(group.path, 'worker')).limited('job', 1024).group).toBe(join(group.path, 'commands/job'));
});

test.each([
  ['that does not count memory', 'cpu pids', /has no controller of memory, but "cpu pids"/],
  ['that is not there', undefined, /ENOENT.*cgroup\.controllers/],
])('there are none in a group %s, and why is told', async (_what, controllers, why) => {
  await using group = await aGroup(controllers);

  const result = openMemoryGroups(controllers === undefined ? join(group.path, 'nowhere') : group.path);

  expect(result).toEqual({ kind: 'not-opened', why: expect.stringMatching(why) });
});

test('a command enters its group, with its limit and without swap, before it is in its sandbox', async () => {
  await using group = await aGroup();
  const memory = opened(group.path).limited('job', 1024);
  await mkdir(memory.group);
  await writeFile(join(memory.group, 'memory.swap.max'), 'max');
  const sandbox = { ...aSandbox(), memory };

  const result = await runCommand({ argv: ['sh', '-c', 'echo ran; exit 3'], env: { PATH: '/bin' }, cwd: '/', sandbox });

  expect(result).toMatchObject({ kind: 'exited', exitCode: 3, stdout: 'ran\n' });
  expect(await readFile(join(memory.group, 'memory.max'), 'utf8')).toBe('1024');
  expect(await readFile(join(memory.group, 'memory.swap.max'), 'utf8')).toBe('0');
  // The process that writes it.
  expect(await readFile(join(memory.group, 'cgroup.procs'), 'utf8')).toBe('0');
});

test('a command that cannot enter its group does not run', async () => {
  await using group = await aGroup();
  const memory = opened(group.path).limited('job', 1024);
  await writeFile(memory.group, 'no folder');

  const result = await runCommand({
    argv: ['echo', 'ran'],
    env: { PATH: '/bin' },
    cwd: '/',
    sandbox: { ...aSandbox(), memory },
  });

  expect(result).toMatchObject({ kind: 'exited', exitCode: 125, stdout: '' });
});

test('groups that nobody uses are removed with the next one', async () => {
  await using group = await aGroup();
  const groups = opened(group.path);
  // A folder with a file cannot be removed, as a group with a process.
  await Promise.all(['ended', 'running'].map((name) => mkdir(join(group.path, 'commands', name))));
  await writeFile(join(group.path, 'commands/running/cgroup.procs'), '73\n');

  groups.limited('next', 1024);

  expect((await readdir(join(group.path, 'commands'))).toSorted()).toEqual(['cgroup.subtree_control', 'running']);
});
