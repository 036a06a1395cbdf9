import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { ServerConfig } from '@nereid/config';
import { probeSandbox } from './sandbox-probe.ts';

let folder: string;
let warnings: string[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nereid-probe-'));
  warnings = [];
});

afterEach(() => rm(folder, { recursive: true, force: true }));

function probe(changes: Partial<ServerConfig['terraform']> = {}, searchPath = process.env['PATH'] ?? '') {
  const terraform: ServerConfig['terraform'] = {
    distribution: 'terraform',
    downloads: false,
    envAllow: [],
    sandbox: 'bubblewrap',
    sandboxRead: [],
    sandboxWrite: [],
    network: 'host',
    ...changes,
  };
  return probeSandbox({
    server: { current: () => ({ terraform }) },
    environment: { PATH: searchPath },
    logger: { warn: (message: string) => warnings.push(message) },
    config: { dataDir: '/var/lib/nereid', workDir: '/var/lib/nereid/work' },
  });
}

test('a machine that can make sandboxes is in order, and nothing is said', async () => {
  await expect(probe({ sandboxWrite: [folder], network: 'none' })).resolves.toBeUndefined();
  expect(warnings).toEqual([]);
});

test('without bubblewrap, the worker does not start, and says what is missing', async () => {
  await expect(probe({}, folder)).rejects.toThrow(
    /terraform\.sandbox: .* bwrap is not in PATH: install .* "bubblewrap"/,
  );
});

test('where the machine lets nobody make a sandbox, the worker says why', async () => {
  const bwrap = join(folder, 'bwrap');
  await writeFile(bwrap, '#!/bin/sh\necho "bwrap: No permissions to create a new namespace" >&2\nexit 1\n');
  await chmod(bwrap, 0o755);

  await expect(probe({}, folder)).rejects.toThrow(
    /found: bwrap: No permissions to create a new namespace; .*sandbox: none/,
  );
});

test('a file that is given to every command must exist', async () => {
  const absent = join(folder, 'absent');

  await expect(probe({ sandboxRead: [absent] })).rejects.toThrow(`Can't find source path ${absent}`);
});

test.each(['/var/lib/nereid/keys', '/var/lib', '/var/lib/nereid'])(
  "%s is not given: it has the worker's own files",
  async (path) => {
    await expect(probe({ sandboxRead: [path] })).rejects.toThrow(/terraform\.sandbox_read: expected a path apart from/);
  },
);

test('without a sandbox, the worker starts with a warning', async () => {
  await probe({ sandbox: 'none' });

  expect(warnings).toEqual([expect.stringContaining('code of every repository can read all')]);
});
