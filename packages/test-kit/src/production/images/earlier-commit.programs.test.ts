/** The commit that an upgrade is tried from, in a small repository. */
import { beforeEach, expect, test } from '@jest/globals';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { folderOfEachTest } from '../../testing/folders.ts';
import { runTool } from '../../toolchain/run-tool.ts';
import { findEarlierCommit } from './earlier-commit.ts';

const IN_AN_IMAGE = 'apps/gateway/src/main.ts';

const folder = folderOfEachTest();

beforeEach(async () => {
  await git('init', '--quiet', '.');
  await commit(IN_AN_IMAGE, 'first');
});

test('a clone that has no commit before today says so', async () => {
  await commit('README.md', 'a text');

  expect(await findEarlierCommit(process.env, folder)).toEqual({
    kind: 'none',
    why: 'this clone has no commit with other images; fetch more of its history',
  });
});

test('is the one that UPGRADE_FROM names', async () => {
  const first = await git('rev-parse', 'HEAD');
  for (const text of ['second', 'third']) await commit(IN_AN_IMAGE, text);

  expect(await findEarlierCommit({ ...process.env, UPGRADE_FROM: first.slice(0, 12) }, folder)).toEqual({
    kind: 'found',
    commit: first,
  });
});

test('is the newest with other images, whatever changed besides', async () => {
  await commit('README.md', 'a text');
  const wanted = await git('rev-parse', 'HEAD');
  await commit(IN_AN_IMAGE, 'second');
  await commit('apps/gateway/src/main.test.ts', 'a test');

  expect(await findEarlierCommit(process.env, folder)).toEqual({ kind: 'found', commit: wanted });
});

test('is the newest of all while its images are changed in the working tree', async () => {
  await writeFile(path.join(folder, IN_AN_IMAGE), 'second');

  expect(await findEarlierCommit(process.env, folder)).toEqual({ kind: 'found', commit: 'HEAD' });
});

test('is none while workflows have changed since, and there is no release', async () => {
  await commit('workflows/histories/unreleased/deploy.json', '{}');
  await commit(IN_AN_IMAGE, 'second');
  await commit('workflows/histories/unreleased/deploy.json', '{ "events": [] }');

  const found = await findEarlierCommit(process.env, folder);

  expect(found.kind === 'none' ? found.why : found.commit).toMatch(/^workflows have changed since/);
});

test('is the newest release, once there is one with other images', async () => {
  await git('tag', 'v1.9.0');
  await commit(IN_AN_IMAGE, 'second');
  await git('tag', 'v1.10.0');
  await commit(IN_AN_IMAGE, 'third');
  await commit(IN_AN_IMAGE, 'fourth');

  expect(await findEarlierCommit(process.env, folder)).toEqual({ kind: 'found', commit: 'v1.10.0' });
});

async function commit(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
  await writeFile(path.join(folder, file), text);
  await git('add', '.');
  await git('-c', 'user.name=bob', '-c', 'user.email=bob@example.org', 'commit', '--quiet', '--message', text);
}

async function git(...args: [string, ...string[]]): Promise<string> {
  return (await runTool({ argv: ['git', '-C', folder, ...args], env: process.env, timeoutMs: 60_000 })).trim();
}
