/** What a fresh machine fetches before anything of ours runs. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { runCommand } from '@nereid/subprocess';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { REPOSITORY } from '../repository.ts';

/** npm starts, and asks a registry of this machine. */
const TIMEOUT_MS = 120_000;

let folder: string;
let registry: Server;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'prepared-'));
  await mkdir(path.join(folder, 'bin'));
  // A Node that is too old for our sources, and good enough for npm.
  await writeFile(
    path.join(folder, 'bin/node'),
    `#!/bin/sh\ncase "$1" in -e) exit 1 ;; esac\nexec '${process.execPath}' "$@"\n`,
  );
  await chmod(path.join(folder, 'bin/node'), 0o755);
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
afterAll(async () => {
  registry.close();
  registry.closeAllConnections();
  await rm(folder, { recursive: true, force: true });
});

const VERSION = '24.21.0';

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
