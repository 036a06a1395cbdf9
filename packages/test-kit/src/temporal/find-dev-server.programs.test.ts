import { describe, expect, test } from '@jest/globals';
import { TEMPORAL_CLI, TEMPORAL_SERVER, TEMPORAL_UI } from '@nereid/temporal/versions';
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { folderOfThisFile } from '../testing/folders.ts';
import { ToolNotFoundError } from '../toolchain/errors.ts';
import { findDevServer } from './find-dev-server.ts';

const NOTHING_LISTENS = 'http://127.0.0.1:1/temporal.tar.gz';

const folder = folderOfThisFile();
let lines: string[];

describe('the Temporal dev server', () => {
  test('is what TEMPORAL_CLI names, before one on PATH', async () => {
    const named = await program('named/temporal', 'echo "temporal version 1.9.9 (Server 1.33.0, UI 2.60.0)"');
    const onPath = await program('on-path/temporal', 'echo "temporal version 1.9.1 (Server 1.32.0, UI 2.54.1)"');

    expect(await find({ TEMPORAL_CLI: named, PATH: path.dirname(onPath) })).toBe(named);
  });

  test('on PATH is taken when its server is recent enough, whatever the CLI calls itself; its server is said', async () => {
    const onPath = await program('own/temporal', 'echo "temporal version 0.0.0-DEV (Server 1.32.2, UI 2.54.1)"');

    expect(await find({ PATH: path.dirname(onPath) })).toBe(onPath);
    expect(lines.at(-1)).toBe(`Temporal dev server: version 1.32.2 (${onPath})`);
  });

  test('in the cache is taken when TEMPORAL_CLI is broken and the one on PATH is too old, and both are said', async () => {
    const broken = await program('broken/temporal', 'echo "no such database" >&2; exit 3');
    const old = await program('old/temporal', 'echo "temporal version 1.5.1 (Server 1.29.1, UI 2.42.1)"');
    const cached = await program(`cache/temporal-cli-${TEMPORAL_CLI.version}/temporal`, 'exit 0');

    const env = { TEMPORAL_CLI: broken, PATH: path.dirname(old), NEREID_CACHE: path.join(folder, 'cache') };

    expect(await find(env)).toBe(cached);
    expect(lines.join('\n')).toMatch(/not from TEMPORAL_CLI: .* ended with exit code 3:\nno such database/);
    expect(lines.join('\n')).toContain(`old/temporal --version answers 1.29.1, older than ${TEMPORAL_SERVER}`);
  });

  test('is built by Go from our sources where the CLI cannot be downloaded, and found in the cache the next time', async () => {
    const go = await program('go/go', 'if [ "$3" = build ]; then cp "$2/go.mod" "$8"; ls "$2" >> "$8"; fi');
    const env = { PATH: `${path.dirname(go)}:/bin:/usr/bin`, NEREID_CACHE: path.join(folder, 'built') };

    const [first, second] = [await find(env), await find({ ...env, PATH: '/nowhere' })];

    expect(second).toBe(first);
    expect(lines.join('\n')).not.toContain('not from the cache');
    const text = await readFile(first, 'utf8');
    expect(text).toContain(`go.temporal.io/server v${TEMPORAL_SERVER}`);
    expect(text).toContain(`ui-server/v2 v${TEMPORAL_UI}`);
    expect(text).toMatch(/go\.mod\nmain\.go\nserver\.go\n$/);
    expect(lines.at(-1)).toBe(`Temporal dev server: server ${TEMPORAL_SERVER}, built with Go (${first})`);
    expect(await readdir(path.dirname(first))).toEqual(['temporal']);
  });

  test('that cannot be had in any way is an error with each way, its reason and what to do', async () => {
    const missing = find({ NEREID_CACHE: path.join(folder, 'empty') });

    await expect(missing).rejects.toThrow(ToolNotFoundError);
    await expect(missing).rejects.toThrow(
      /TEMPORAL_CLI: it is not set[^]*download[^]*Go is not installed[^]*install Go/,
    );
  });
});

/** Nothing of this machine is found but what a test puts there. */
function find(env: Readonly<Record<string, string>>): Promise<string> {
  lines = [];
  return findDevServer({
    env: { PATH: path.join(folder, 'nothing'), NEREID_CACHE: path.join(folder, 'none'), ...env },
    report: (line) => lines.push(line),
    archive: NOTHING_LISTENS,
  });
}

async function program(name: string, script: string): Promise<string> {
  const file = path.join(folder, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, `#!/bin/sh\n${script}\n`);
  await chmod(file, 0o755);
  return file;
}
