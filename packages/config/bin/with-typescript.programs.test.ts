import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { folderOfEachTest } from '@nereid/test-kit/folders';

const START = fileURLToPath(import.meta.resolve('./start.js'));
const NEREID = fileURLToPath(import.meta.resolve('./nereid.js'));

/** Stands in for a Node that is too old: like Node 20, it cannot read TypeScript. */
const TOO_OLD = '--no-experimental-strip-types';

const folder = folderOfEachTest();
let cache: string;

beforeEach(() => {
  cache = join(folder, 'cache');
});

describe('where the running Node reads TypeScript', () => {
  test('the program runs in it', () => {
    write('main.ts', 'const code: number = 3; process.exitCode = code;');

    expect(run([START, 'main.ts'])).toMatchObject({ status: 3, stderr: '' });
  });
});

describe('where the running Node is too old', () => {
  test('the one that npm installed with the package takes over', () => {
    for (const file of ['start.js', 'with-typescript.js'])
      cpSync(join(dirname(START), file), join(folder, 'node_modules/@nereid/config/bin', file));
    writeFileSync(join(folder, 'node_modules/@nereid/config/package.json'), '{ "type": "module" }');
    const programs = join(folder, `node_modules/node-${process.platform}-${process.arch}/bin`);
    mkdirSync(programs, { recursive: true });
    symlinkSync(process.execPath, join(programs, 'node'));
    install('node-24.21.0', '/bin/false');
    write('main.js', 'console.log(process.argv[2]);');

    const start = join(folder, 'node_modules/@nereid/config/bin/start.js');

    expect(run([TOO_OLD, start, 'main.js', 'a b'])).toEqual({ status: 0, stdout: 'main.js\n', stderr: '' });
  });

  test('the newest one that was installed takes over, with the same arguments, and its exit code counts', () => {
    install('node-9.9.9', '/bin/false');
    install('node-24.21.0', process.execPath);
    install('node-24.21.0.unfinished', '/bin/false');
    write('main.ts', 'const words: string[] = process.argv.slice(2); console.log(words.join()); process.exitCode = 3;');

    expect(run([TOO_OLD, START, 'main.ts', 'a b'])).toEqual({ status: 3, stdout: 'main.ts,a b\n', stderr: '' });
  });

  test('and none is installed, a sentence says what to do, and the exit code is 2', () => {
    expect(run([TOO_OLD, NEREID, '--help'])).toEqual({
      status: 2,
      stdout: '',
      stderr: `expected Node 24 or newer, found ${process.versions.node}, and no newer one in ${cache}; run make install in the clone of Nereid, or put Node 24 first in PATH\n`,
    });
  });

  test('a signal reaches the program', async () => {
    install('node-24.21.0', process.execPath);
    write('main.ts', "process.once('SIGTERM', () => process.exit(4)); setInterval(() => {}, 1000); console.log('up');");

    const child = spawn(process.execPath, [TOO_OLD, START, 'main.ts'], { cwd: folder, env: environment() });
    const exited = once(child, 'exit');
    await once(child.stdout, 'data');
    child.kill('SIGTERM');

    expect(await exited).toEqual([4, null]);
  });
});

function environment(): NodeJS.ProcessEnv {
  return { ...process.env, NEREID_CACHE: cache };
}

function install(name: string, program: string): void {
  const programs = join(cache, name, 'node_modules/node/bin');
  mkdirSync(programs, { recursive: true });
  symlinkSync(program, join(programs, 'node'));
}

function write(name: string, text: string): void {
  writeFileSync(join(folder, name), text);
}

function run(args: readonly string[]): { status: number | null; stdout: string; stderr: string } {
  const options = { cwd: folder, encoding: 'utf8', env: environment() } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, args, options);
  return { status, stdout, stderr };
}
