/** The disk budget with real mirrors and working trees. */
import { mkdir, readdir, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { startTestHost, type TestHost } from '../testing/test-host.ts';
import { folderSize } from '../folder-size.ts';

const NOTHING = 1;
const PLENTY = 10 ** 9;

let host: TestHost;
let sha: string;

beforeEach(async () => {
  host = await startTestHost();
  sha = await host.upstream.commit({ files: { 'main.tf': 'x'.repeat(20_000) } });
});

afterEach(() => host.close());

test('a mirror that was removed is made again when it is needed', async () => {
  await host.mirrors.fetch(host.repository, [sha]);

  const use = await host.mirrors.keepWithin(NOTHING);

  expect(use).toMatchObject({ mirrorBytes: 0, idleTreeBytes: 0, removedMirrors: ['acme/infra'], removedTrees: 0 });
  expect(await readdir(dirname(host.mirrorDir))).toEqual([]);
  expect(await host.mirrors.listFiles(host.repository, sha)).toHaveLength(1);
  expect(await host.mirrors.describe(host.repository, sha, 'main')).toMatchObject({ sha });
});

test('what is used all the time while it is removed again and again answers as ever', async () => {
  const asked = Array.from({ length: 10 }, () => host.mirrors.describe(host.repository, sha, 'main'));
  const removed = asked.map(async (answer) => answer.then(() => host.mirrors.keepWithin(NOTHING)));
  const again = removed.map(async (round) => round.then(() => host.mirrors.describe(host.repository, sha, 'main')));

  expect(await Promise.all(again)).toEqual(Array.from({ length: 10 }, () => expect.objectContaining({ sha })));
});

test('the mirror of a deployment under way stays, however small the budget', async () => {
  const tree = await host.mirrors.checkOut({ repository: host.repository, sha, deploymentId: 'd1' });

  const use = await host.openMirrors().keepWithin(NOTHING);

  expect(use).toMatchObject({ removedMirrors: [], removedTrees: 0 });
  expect(use.mirrorBytes).toBeGreaterThan(NOTHING);
  expect(await readdir(tree)).toContain('main.tf');
  expect(await host.mirrors.release('d1')).toBe('done');
});

test('a mirror that fetches stays, and nobody waits for it', async () => {
  const asked = Promise.withResolvers<undefined>();
  const answer = Promise.withResolvers<undefined>();
  const authorization = () => {
    asked.resolve(undefined);
    return answer.promise;
  };
  const mirrors = host.openMirrors({ authorization });
  const bringing = mirrors.fetch(host.repository, [sha]);
  await asked.promise;

  const use = await mirrors.keepWithin(0);

  expect(use.removedMirrors).toEqual([]);
  answer.resolve(undefined);
  await bringing;
  expect(await mirrors.listFiles(host.repository, sha)).toHaveLength(1);
});

test('idle trees go before their mirror', async () => {
  for (const deploymentId of ['d1', 'd2']) {
    await host.mirrors.checkOut({ repository: host.repository, sha, deploymentId });
  }
  for (const deploymentId of ['d1', 'd2']) await host.mirrors.release(deploymentId);
  const { mirrorBytes, idleTreeBytes } = await host.mirrors.keepWithin(PLENTY);

  const use = await host.mirrors.keepWithin(mirrorBytes + idleTreeBytes - 1);

  expect(idleTreeBytes).toBeGreaterThan(2 * 20_000);
  expect(use).toMatchObject({ idleTreeBytes: idleTreeBytes / 2, removedMirrors: [], removedTrees: 1 });
  expect(await host.mirrors.checkOut({ repository: host.repository, sha, deploymentId: 'd3' })).toContain('d3');
});

test('when a mirror was last used outlives the process', async () => {
  await (await host.server.createRepository('acme/other')).commit({ files: { 'a.tf': 'x' } });
  const other = { ...host.repository, name: 'other' };
  for (const repository of [host.repository, other]) await host.mirrors.branchHead(repository, 'main');
  const { mirrorBytes } = await host.mirrors.keepWithin(PLENTY);
  const longAgo = new Date(0);
  await utimes(join(dirname(host.mirrorDir), 'other.git', 'HEAD'), longAgo, longAgo);

  const use = await host.openMirrors().keepWithin(mirrorBytes - 1);

  expect(use.removedMirrors).toEqual(['acme/other']);
  expect((await stat(join(host.mirrorDir, 'HEAD'))).mtimeMs).toBeGreaterThan(longAgo.getTime());
});

test('what was left of a mirror that was being made, or removed, goes as well', async () => {
  const leftOver = ['gone.git.gone', 'half.git.new'].map((name) => join(host.dir, 'data', 'mirrors', 'acme', name));
  for (const folder of leftOver) {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'file'), 'x');
  }

  const { removedMirrors } = await host.mirrors.keepWithin(NOTHING);

  expect([...removedMirrors].sort()).toEqual(['acme/gone', 'acme/half']);
  expect(await readdir(dirname(host.mirrorDir))).toEqual([]);
});

test('a mirror is measured when it changed, and not otherwise', async () => {
  await host.mirrors.fetch(host.repository, [sha]);
  const before = await host.mirrors.keepWithin(PLENTY);
  await writeFile(join(host.mirrorDir, 'unexpected'), 'x'.repeat(100_000));
  expect(await host.mirrors.keepWithin(PLENTY)).toEqual(before);

  await host.mirrors.fetch(host.repository, [await host.upstream.commit({ files: { 'a.tf': 'x' } })]);

  expect((await host.mirrors.keepWithin(PLENTY)).mirrorBytes).toBe(await folderSize(host.mirrorDir));
});

test('a host that keeps nothing yet is within any budget', async () => {
  const nothing = { mirrorBytes: 0, idleTreeBytes: 0, removedMirrors: [], removedTrees: 0 };

  expect(await host.mirrors.keepWithin(NOTHING)).toMatchObject(nothing);
});
