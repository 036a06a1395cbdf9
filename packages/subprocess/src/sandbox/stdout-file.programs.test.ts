/** What is printed into a file is believed, so nothing that the command starts can write it. */
import { mkdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { temporaryFolder } from '../../fixtures/fixture.ts';
import { aSandbox } from '../../fixtures/sandbox.ts';
import { runCommand } from '../run-command.ts';
import type { Sandbox } from './sandbox.ts';

/** A command prints, and a process that it started tries this on its output before it prints on. */
async function printInto(attempt: string, more: Partial<Sandbox> = {}) {
  await using folder = await temporaryFolder();
  const [tree, path] = [join(folder.path, 'tree'), join(folder.path, 'output')];
  await mkdir(tree);
  const child = `
import os, sys
output = '/proc/' + sys.argv[1] + '/fd/1'
try:
    ${attempt}
    said = 'done'
except OSError as error: said = error.strerror
open('said', 'w').write(said)`;
  const program = `
import os, subprocess, sys
os.write(1, b'first ')
subprocess.run([sys.executable, '-c', sys.argv[1], str(os.getpid())], stdout=subprocess.DEVNULL)
os.write(1, b'last')`;
  const ended = await runCommand({
    argv: ['/usr/bin/python3', '-c', program, child],
    env: { PATH: '/usr/bin:/bin' },
    cwd: tree,
    sandbox: { ...aSandbox({ path: tree, access: 'write' }), ...more },
    stdoutFile: { path, limitBytes: 1_000_000 },
  });
  return { ended, printed: await readFile(path, 'utf8'), said: await readFile(join(tree, 'said'), 'utf8') };
}

describe('what a command prints into a file cannot be', () => {
  test.each([
    ['emptied', `os.open(output, os.O_WRONLY | os.O_TRUNC)`],
    ['overwritten', `os.pwrite(os.open(output, os.O_WRONLY), b'wrong', 0)`],
    ['added to', `os.write(os.open(output, os.O_WRONLY | os.O_APPEND), b'and more')`],
    ['taken away before it is there', `os.read(os.open(output, os.O_RDONLY | os.O_NONBLOCK), 100)`],
  ])('%s by what the command starts', async (_how, attempt) => {
    const { ended, printed, said } = await printInto(attempt);

    expect(ended).toMatchObject({ kind: 'exited', exitCode: 0 });
    expect(printed).toBe('first last');
    expect(said).toBe('No such device or address');
  });
});

test('without a /proc, it cannot even be found, nor by a /proc that the command makes', async () => {
  const make = 'os.mkdir("proc"); assert libc.mount(b"proc", b"proc", b"proc", 0, None) != 0';
  const alone = `import ctypes; libc = ctypes.CDLL(None); libc.unshare(${0x10000000 + 0x20000000 + 0x20000})`;
  const { ended, printed, said } = await printInto(`${alone}; ${make}; os.open(output, os.O_WRONLY)`, { proc: 'none' });

  expect(ended).toMatchObject({ kind: 'exited', exitCode: 0 });
  expect(printed).toBe('first last');
  expect(said).toBe('No such file or directory');
});

test('200 MB that a command prints are in its file to the last byte', async () => {
  await using folder = await temporaryFolder();
  const stdoutFile = { path: join(folder.path, 'output'), limitBytes: 300_000_000 };
  const argv = ['head', '-c', '200000000', '/dev/zero'] as const;

  const ended = await runCommand({ argv, env: { PATH: '/usr/bin:/bin' }, cwd: '/', sandbox: aSandbox(), stdoutFile });

  expect(ended).toMatchObject({ kind: 'exited', exitCode: 0, outputBytes: 0 });
  expect((await stat(stdoutFile.path)).size).toBe(200_000_000);
});
