import { afterEach, describe, expect, test } from '@jest/globals';
import { runCommand } from '@nereid/subprocess';
import { createHash } from 'node:crypto';
import { chmod, readdir, readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { testdir } from '../../fixtures/fixture.ts';
import { CONFTEST } from './conftest-pin.ts';
import { createConftestFinder } from './find-conftest.ts';

let server: Server | undefined;
let requests = 0;

afterEach(() => {
  server?.close();
  requests = 0;
});

describe('conftest', () => {
  test('in PATH goes before everything else', async () => {
    await using folder = await testdir({ 'bin/conftest': '#!/bin/sh\n' });
    await chmod(path.join(folder.path, 'bin/conftest'), 0o755);
    const find = createConftestFinder({ path: path.join(folder.path, 'bin'), cacheDir: folder.path, downloads: false });

    expect(await find()).toBe(path.join(folder.path, 'bin/conftest'));
  });

  test('that is nowhere is said to be missing when downloads are off', async () => {
    await using folder = await testdir();
    const find = createConftestFinder({ path: '', cacheDir: folder.path, downloads: false });

    await expect(find()).rejects.toMatchObject({ code: 'CONFTEST_MISSING' });
  });

  test('is fetched once for all that need it, checked, and kept', async () => {
    await using folder = await testdir({ 'release/conftest': '#!/bin/sh\necho found\n', 'release/README.md': '' });
    const release = await serve(await archiveOf(path.join(folder.path, 'release')));
    const cacheDir = path.join(folder.path, 'cache');
    const find = createConftestFinder({ path: '', cacheDir, downloads: true, release });

    const [one, other] = await Promise.all([find(), find()]);

    expect(one).toBe(path.join(cacheDir, CONFTEST.version, 'conftest'));
    expect([other, await find()]).toEqual([one, one]);
    expect(requests).toBe(1);
    expect(await readdir(path.dirname(one))).toEqual(['conftest']);
    expect(await readFile(one, 'utf8')).toContain('echo found');
  });

  test('that is not the pinned release is refused, and nothing of it is kept', async () => {
    await using folder = await testdir({ 'release/conftest': 'evil' });
    const { url } = await serve(await archiveOf(path.join(folder.path, 'release')));
    const cacheDir = path.join(folder.path, 'cache');
    const find = createConftestFinder({
      path: '',
      cacheDir,
      downloads: true,
      release: { url, sha256: '0'.repeat(64) },
    });

    await expect(find()).rejects.toMatchObject({ code: 'CHECKSUM_MISMATCH' });
    await expect(readdir(cacheDir)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('is not an archive without it', async () => {
    await using folder = await testdir({ 'release/other': '' });
    const release = await serve(await archiveOf(path.join(folder.path, 'release')));
    const cacheDir = path.join(folder.path, 'cache');

    await expect(createConftestFinder({ path: '', cacheDir, downloads: true, release })()).rejects.toMatchObject({
      code: 'DOWNLOAD_FAILED',
    });
    expect(await readdir(cacheDir)).toEqual([]);
  });
});

async function archiveOf(folder: string): Promise<Buffer> {
  const file = `${folder}.tar.gz`;
  const names = await readdir(folder);
  const argv = ['tar', '-czf', file, '-C', folder, ...names] as const;
  await runCommand({ argv, env: { PATH: process.env['PATH'] ?? '' }, cwd: '/', timeoutMs: 60_000 });
  return readFile(file);
}

async function serve(body: Buffer) {
  server = createServer((_request, response) => {
    requests += 1;
    response.end(body);
  });
  const listening = server;
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  const { port } = listening.address() as AddressInfo; // It listens on a port.
  return { url: `http://127.0.0.1:${port}/`, sha256: createHash('sha256').update(body).digest('hex') };
}
