import { appendFile, cp, mkdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { runCommand } from '@nereid/subprocess';
import { NO_PROGRAMS } from '../index.ts';
import { runTestGit, startTestHost, type TestHost } from '../testing/index.ts';

let host: TestHost;
let first: string;
let second: string;
let tree: string;
/** Programs and filters for git; each leaves a file when it runs. */
let settings: string;

beforeEach(async () => {
  host = await startTestHost();
  first = await host.upstream.commit({ files: { 'main.tf': 'one', '.gitattributes': '* filter=own\n' } });
  second = await host.upstream.commit({ files: { 'main.tf': 'two' } });
  const program = join(host.dir, 'program');
  await writeFile(program, `#!/bin/sh\ntouch '${join(host.dir, 'ran')}'\ncat\n`, { mode: 0o755 });
  settings = [
    `[core]\n\tfsmonitor = ${program}`,
    `[filter "own"]\n\tsmudge = ${program}\n\tclean = ${program}`,
    `[credential]\n\thelper = ${program}\n`,
  ].join('\n');
  tree = await checkOut(first, 'd1');
});

afterEach(async () => {
  await host.close();
});

const PLACES: Readonly<Record<string, () => Promise<unknown>>> = {
  'in a repository in the place of the link': async () => {
    await rm(join(tree, '.git'));
    await cp(await hostileRepository(), join(tree, '.git'), { recursive: true });
  },
  'in a repository to which the link leads': async () =>
    writeFile(join(tree, '.git'), `gitdir: ${await hostileRepository()}\n`),
  'in a repository of which it made the tree a part': async () =>
    writeFile(join(await registered(), 'commondir'), `${await hostileRepository()}\n`),
  'in a folder to which the registration leads': async () => {
    const own = join(await hostileRepository(), 'worktrees', 'own');
    await mkdir(join(own, '..'));
    await cp(await registered(), own, { recursive: true });
    await writeFile(join(own, 'commondir'), '../..\n');
    await rm(await registered(), { recursive: true });
    await symlink(own, await registered());
  },
  'in the mirror': async () => appendFile(join(host.mirrorDir, 'config'), settings),
  'in a file that the mirror includes': async () => {
    await writeFile(join(host.dir, 'included'), settings);
    await appendFile(join(host.mirrorDir, 'config'), `[include]\n\tpath = ${join(host.dir, 'included')}\n`);
  },
};

test.each(Object.keys(PLACES))('git runs no program that code without a sandbox left %s', async (place) => {
  await PLACES[place]?.();

  await host.mirrors.release('d1');
  tree = await checkOut(second, 'd2');

  expect(await readFile(join(tree, 'main.tf'), 'utf8')).toBe('two');
  await expect(stat(join(host.dir, 'ran'))).rejects.toThrow('ENOENT');
});

test('a mirror whose settings were changed has its own again, for the next process too', async () => {
  const places = ['config', join('local', 'config'), join('info', 'attributes')];
  const files = places.map((place) => join(host.mirrorDir, place));
  const read = async () => Promise.all(files.map(async (file) => readFile(file, 'utf8')));
  const before = await read();
  for (const mirrors of [host.mirrors, host.openMirrors()]) {
    for (const file of files) await appendFile(file, settings);

    await mirrors.fetch(host.repository, [second]);

    expect(await read()).toEqual(before);
  }
});

test.each<[string, (info: string) => Promise<unknown>]>([
  ['are gone', async (info) => rm(info, { recursive: true })],
  [
    'are elsewhere',
    async (info) => {
      await rename(info, join(host.dir, 'info'));
      await symlink(join(host.dir, 'info'), info);
      await writeFile(join(info, 'attributes'), '* ident\n');
    },
  ],
  [
    'are a folder',
    async (info) => {
      await rm(join(info, 'attributes'));
      await mkdir(join(info, 'attributes', 'own'), { recursive: true });
    },
  ],
  [
    'are in the place of a folder',
    async (info) => {
      await rm(info, { recursive: true });
      await writeFile(info, '');
    },
  ],
])('a mirror whose attributes %s has its own again', async (_how, change) => {
  const info = join(host.mirrorDir, 'info');
  const before = await readFile(join(info, 'attributes'), 'utf8');
  await change(info);

  await host.mirrors.fetch(host.repository, [second]);

  expect(await readFile(join(info, 'attributes'), 'utf8')).toBe(before);
});

test.each([
  ['status', []],
  ['credential', ['fill']],
])('git %s in a hostile repository runs none of its programs', async (verb, args) => {
  const run = async (more: Readonly<Record<string, string>>) =>
    runCommand({
      argv: ['git', '-c', 'safe.directory=*', verb, ...args],
      cwd: repository,
      env: { PATH: process.env['PATH'] ?? '', GIT_TERMINAL_PROMPT: '0', ...more },
      input: 'protocol=https\nhost=example.org\n\n',
      timeoutMs: 30_000,
    });
  const repository = join(await hostileRepository(), '..');

  await run(NO_PROGRAMS);
  await expect(stat(join(host.dir, 'ran'))).rejects.toThrow('ENOENT');

  await run({});
  expect((await stat(join(host.dir, 'ran'))).isFile()).toBe(true);
});

const checkOut = async (sha: string, deploymentId: string) =>
  host.mirrors.checkOut({ repository: host.repository, sha, deploymentId });

/** Has all revisions that the mirror has. Returns its folder `.git`. */
async function hostileRepository(): Promise<string> {
  const dir = join(host.dir, 'own');
  await runTestGit(host.dir, ['init', '--quiet', dir]);
  await appendFile(join(dir, '.git', 'config'), settings);
  await writeFile(join(dir, '.git', 'objects', 'info', 'alternates'), `${join(host.mirrorDir, 'objects')}\n`);
  return join(dir, '.git');
}

/** What the mirror knows of the tree. */
async function registered(): Promise<string> {
  const link = await readFile(join(tree, '.git'), 'utf8');
  return /^gitdir: (.*)\n$/.exec(link)?.[1] ?? '';
}
