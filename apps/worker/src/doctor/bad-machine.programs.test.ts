/** A disk that is full, one that can only be read, and a kernel without user namespaces, as bubblewrap makes them. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { runCommand } from '@nereid/subprocess';
import { folderOfThisFile } from '@nereid/test-kit/folders';
import type { LooksOfMachine } from '../testing/looks-of-machine.ts';

const PROGRAM = join(import.meta.dirname, '../testing/looks-of-machine.ts');

const folder = folderOfThisFile();
let found: LooksOfMachine;

beforeAll(async () => {
  for (const name of ['full', 'read-only']) await mkdir(join(folder, name));
  const [full, readOnly] = [join(folder, 'full'), join(folder, 'read-only')];
  const disks = [
    '--dev-bind',
    '/',
    '/',
    '--proc',
    '/proc',
    '--ro-bind',
    readOnly,
    readOnly,
    '--size',
    '65536',
    '--tmpfs',
    full,
  ];
  const fill = 'cat /dev/zero > "$1/ballast" 2> /dev/null; shift; exec "$@"';
  const node = [process.execPath, '--disable-warning=ExperimentalWarning', PROGRAM, full, readOnly];
  const argv = [
    'bwrap',
    ...disks,
    '--unshare-user',
    '--disable-userns',
    'sh',
    '-c',
    fill,
    'sh',
    full,
    ...node,
  ] as const;
  const ran = await runCommand({ argv, env: { PATH: process.env['PATH'] ?? '' }, cwd: folder, timeoutMs: 120_000 });
  expect(ran).toMatchObject({ kind: 'exited', exitCode: 0, stderr: '' });
  found = JSON.parse(ran.kind === 'exited' ? ran.stdout : '') as LooksOfMachine;
});

test.each([
  ['full', /^DATA_DIR: expected a folder .*, found .*ENOSPC/],
  ['read-only', /^DATA_DIR: expected a folder .*, found .*EROFS/],
] as const)('a data folder whose disk is %s is found by the doctor and at the start', (disk, sentence) => {
  const { doctor, start } = found[disk];

  expect([doctor, start]).toEqual([expect.stringMatching(sentence), expect.stringMatching(sentence)]);
});

test('a machine without user namespaces is found by the doctor and at the start', () => {
  const sentence =
    /^terraform\.sandbox: expected that this machine can make sandboxes, found: .*; see apps\/docs\/concepts\/sandbox\.md/s;

  expect([found.sandbox.doctor, found.sandbox.start]).toEqual([
    expect.stringMatching(sentence),
    expect.stringMatching(sentence),
  ]);
});
