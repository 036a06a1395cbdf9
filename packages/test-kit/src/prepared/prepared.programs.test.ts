/** What a fresh machine fetches before anything of ours runs. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { runCommand } from '@nereid/subprocess';
import { once } from 'node:events';
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import path from 'node:path';
import { REPOSITORY } from '../repository.ts';
import { folderOfThisFile } from '../testing/folders.ts';

/** npm starts, and asks a registry of this machine. */
const TIMEOUT_MS = 120_000;

const folder = folderOfThisFile();
let registry: Server;

beforeAll(async () => {
  await mkdir(path.join(folder, 'bin'));
  // A Node that is too old for our sources, and good enough for npm.
  await writeProgram(path.join(folder, 'bin/node'), `case "$1" in -e) exit 1 ;; esac\nexec '${process.execPath}' "$@"`);
  // Has each version of each package, with other bytes than the publisher's.
  registry = createServer(({ url = '', headers: { host = '' } }, response) => {
    if (url.endsWith('.tgz')) return void response.end('other bytes');
    const name = decodeURIComponent(url.slice(1));
    const dist = { tarball: `http://${host}/${name}.tgz` };
    response.end(JSON.stringify({ name, versions: { [VERSION]: { name, version: VERSION, dist } } }));
  });
  registry.listen(0, '127.0.0.1');
  await once(registry, 'listening');
});
afterAll(() => {
  registry.close();
  registry.closeAllConnections();
});

const VERSION = '24.21.0';

test('who needs the pinned Node gets it, though that of the machine would do', async () => {
  const [bin, cache] = [path.join(folder, 'recent'), path.join(folder, 'filled')];
  const pinned = path.join(cache, `node-${VERSION}/node_modules/node/bin`);
  await mkdir(bin);
  await mkdir(pinned, { recursive: true });
  await writeProgram(path.join(bin, 'node'), '[ "$1" = -e ] || echo v24.9.0');
  await writeProgram(path.join(bin, 'bwrap'), 'exit');
  await writeProgram(path.join(pinned, 'node'), 'echo the pinned one');
  const env = { HOME: folder, NEREID_CACHE: cache, PATH: `${bin}:${process.env['PATH'] ?? ''}` };
  const run = (...options: string[]) =>
    runCommand({
      argv: ['bash', '.config/prepared.sh', ...options, 'node'],
      env,
      cwd: REPOSITORY,
      timeoutMs: TIMEOUT_MS,
    });

  expect(await run()).toMatchObject({ stdout: 'v24.9.0\n' });
  expect(await run('--pinned-node')).toMatchObject({ stdout: 'the pinned one\n' });
});

test(
  'a Node with other bytes than the pinned ones is not installed',
  async () => {
    const cache = path.join(folder, 'cache');
    const address = registry.address();
    const url = `http://127.0.0.1:${typeof address === 'object' ? String(address?.port) : ''}/`;
    const env = {
      ...{ HOME: folder, NEREID_CACHE: cache, npm_config_registry: url, npm_config_fetch_retries: '0' },
      PATH: `${path.join(folder, 'bin')}:${process.env['PATH'] ?? ''}`,
    };

    const result = await runCommand({
      argv: ['bash', '.config/prepared.sh', 'true'],
      env,
      cwd: REPOSITORY,
      timeoutMs: TIMEOUT_MS,
    });

    expect(result).toMatchObject({ kind: 'exited', exitCode: 1 });
    expect(JSON.stringify(result)).toContain('EINTEGRITY');
    expect(await readdir(cache)).toEqual([]);
  },
  2 * TIMEOUT_MS,
);

async function writeProgram(file: string, script: string): Promise<void> {
  await writeFile(file, `#!/bin/sh\n${script}\n`);
  await chmod(file, 0o755);
}
