import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { folderOfThisFile } from '../testing/folders.ts';
import { cachedTool, type CachedTool } from './cached-tool.ts';
import { findTool } from './find-tool.ts';
import { exists } from './install-once.ts';
import { goPlatform } from './platform.ts';

const folder = folderOfThisFile();
let mirror: Mirror;

beforeAll(async () => {
  mirror = await openMirror();
});

afterAll(() => mirror.close());

describe('a program that is not there', () => {
  test('is downloaded, kept in the cache, and taken from there the next time', async () => {
    const tool = await published('downloaded', `${mirror.url}/tool.tar.gz`);

    const first = await find(tool);
    const second = await find({ ...tool, archive: NOTHING_LISTENS });

    expect(execFileSync(first, { encoding: 'utf8' })).toBe('I am a tool\n');
    expect(second).toBe(first);
  });

  test('is downloaded as a zip archive where the vendor publishes those', async () => {
    const tool = await published('zipped', `${mirror.url}/tool.zip`);

    expect(execFileSync(await find(tool), { encoding: 'utf8' })).toBe('I am a tool\n');
  });

  test('is not installed when its checksum is another, and nothing of it stays', async () => {
    const tool = {
      ...(await published('forged', `${mirror.url}/tool.tar.gz`)),
      sha256: { [goPlatform()]: 'a'.repeat(64) },
    };

    await expect(find(tool)).rejects.toThrow(/expected SHA-256 a{64}, found [0-9a-f]{64}; the file was thrown away/);
    expect(await readdir(path.dirname(tool.folder))).toEqual([]);
  });

  test('is given up when the mirror does not answer', async () => {
    const tool = await published('silent', `${mirror.url}/silence`);

    await expect(find(tool)).rejects.toThrow(/did not answer within \d+ ms/);
  });

  test('is built by Go into the cache', async () => {
    const go = await program('go-bin/go', 'if [ "$1" = install ]; then echo "$2" > "$GOBIN/tool"; fi');
    const tool = await published('built-by-go', NOTHING_LISTENS);

    const built = await find({ ...tool, env: { PATH: path.dirname(go) } });

    expect(await readFile(built, 'utf8')).toBe('example.org/tool@v1.2.3\n');
  });

  test('is built once by two runs that look for it at the same time', async () => {
    const [builds, goOn] = [path.join(folder, 'builds'), path.join(folder, 'go-on')];
    const build = `echo built >> ${builds}; until [ -e ${goOn} ]; do sleep 0.05; done; echo > "$GOBIN/tool"`;
    const go = await program('slow-go/go', `if [ "$1" = install ]; then ${build}; fi`);
    const tool = {
      ...(await published('twice', NOTHING_LISTENS)),
      env: { PATH: `${path.dirname(go)}:/usr/bin:/bin` },
      report: (line: string) => {
        if (line.startsWith('waiting for another')) writeFileSync(goOn, '');
      },
    };

    const [one, other] = await Promise.all([find(tool), find(tool)]);

    expect(one).toBe(other);
    expect(await readFile(builds, 'utf8')).toBe('built\n');
  });

  test('is not built to the end after Ctrl-C, and nothing of it stays', async () => {
    const interruption = new AbortController();
    const building = path.join(folder, 'building');
    const go = await program('endless-go/go', `if [ "$1" = install ]; then echo > ${building}; exec sleep 60; fi`);
    const tool = {
      ...(await published('interrupted', NOTHING_LISTENS)),
      env: { PATH: `${path.dirname(go)}:/usr/bin:/bin` },
      signal: interruption.signal,
    };

    const found = find(tool);
    void started(building).then(() => {
      interruption.abort(new Error('Ctrl-C'));
    });

    await expect(found).rejects.toThrow('Ctrl-C');
    expect(await readdir(path.dirname(tool.folder))).toEqual([]);
  });

  test('is built although a run that died holds the lock', async () => {
    const go = await program('lone-go/go', 'if [ "$1" = install ]; then echo > "$GOBIN/tool"; fi');
    const tool = {
      ...(await published('stale', NOTHING_LISTENS)),
      env: { PATH: path.dirname(go) },
    };
    await writeFile(`${tool.folder}.lock`, String(pidOfTheDead()));

    expect(await find(tool)).toBe(path.join(tool.folder, 'tool'));
  });
});

const report = () => undefined;

const NOTHING_LISTENS = 'http://127.0.0.1:1/tool.tar.gz';

function find(tool: CachedTool): Promise<string> {
  const { fromCache, fromDownload, fromGo } = cachedTool(tool);
  const ways = [fromCache, fromDownload, fromGo];
  return findTool({ tool: 'tool', ways, advice: 'Give up.', report, signal: tool.signal });
}

async function started(file: string): Promise<void> {
  while (!(await exists(file))) await pause(20);
}

async function program(name: string, script: string): Promise<string> {
  const file = path.join(folder, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return file;
}

/** A tool that the mirror publishes, with a cache of its own and without Go. */
async function published(name: string, archive: string): Promise<CachedTool> {
  const cache = path.join(folder, `cache-of-${name}`);
  const bin = path.join(folder, `bin-of-${name}`);
  await Promise.all([mkdir(cache), mkdir(bin)]);
  for (const needed of ['tar', 'gzip'])
    await symlink(
      execFileSync('/bin/sh', ['-c', `command -v ${needed}`], { encoding: 'utf8' }).trim(),
      path.join(bin, needed),
    );
  const sha256 = createHash('sha256')
    .update(archive.endsWith('.zip') ? mirror.zip : mirror.tar)
    .digest('hex');
  return {
    ...{
      program: 'tool',
      folder: path.join(cache, 'tool-1.2.3'),
      version: '1.2.3',
      module: 'example.org/tool',
      archive,
      report,
    },
    sha256: { [goPlatform()]: sha256 },
    env: { PATH: bin },
  };
}

function pidOfTheDead(): number {
  return Number(execFileSync('/bin/sh', ['-c', 'echo $$'], { encoding: 'utf8' }));
}

interface Mirror {
  readonly url: string;
  readonly tar: Buffer;
  readonly zip: Buffer;
  close(): Promise<void>;
}

async function openMirror(): Promise<Mirror> {
  const source = path.dirname(await program('source/tool', 'echo I am a tool'));
  const tar = execFileSync('tar', ['-czf', '-', '-C', source, 'tool']);
  execFileSync('python3', ['-m', 'zipfile', '-c', path.join(folder, 'tool.zip'), path.join(source, 'tool')]);
  const zip = await readFile(path.join(folder, 'tool.zip'));
  const files: Readonly<Record<string, Buffer>> = { '/tool.tar.gz': tar, '/tool.zip': zip };
  const server: Server = createServer((request, response) => {
    if (request.url === '/silence') return;
    const file = files[request.url ?? ''];
    response.writeHead(file === undefined ? 404 : 200).end(file);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a TCP server has an address with a port');
  return {
    ...{ url: `http://127.0.0.1:${address.port}`, tar, zip },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
