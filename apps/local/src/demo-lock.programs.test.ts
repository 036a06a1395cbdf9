import { beforeEach, expect, test } from '@jest/globals';
import { folderOfEachTest } from '@nereid/test-kit/folders';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { acquireDemoLock } from './demo-lock.ts';
import { homeOf } from './play.ts';
import { reset } from './reset.ts';

const top = folderOfEachTest();
let folder: string;

beforeEach(() => {
  folder = path.join(top, '.nereid');
});

test('a second demo is told where the first one is', () => {
  using first = taken();
  first.announce('http://127.0.0.1:4140');

  expect(acquireDemoLock(folder)).toEqual({ kind: 'held', url: 'http://127.0.0.1:4140' });
});

test('a demo that stopped holds nothing and announces nothing', () => {
  const first = taken();
  first.announce('http://127.0.0.1:4140');
  first[Symbol.dispose]();

  using second = taken();

  expect(second.kind).toBe('taken');
  expect(acquireDemoLock(folder)).toEqual({ kind: 'held', url: undefined });
});

test('a demo that was killed holds nothing', async () => {
  const module = JSON.stringify(new URL('demo-lock.ts', import.meta.url).href);
  const script = `import { acquireDemoLock } from ${module};
    acquireDemoLock(${JSON.stringify(folder)}).announce('http://127.0.0.1:4140');
    console.log('taken');
    setInterval(() => {}, 1000);`;
  const other = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(other.stdout, 'data');
  const held = acquireDemoLock(folder);

  other.kill('SIGKILL');
  await once(other, 'exit');

  expect(held).toEqual({ kind: 'held', url: 'http://127.0.0.1:4140' });
  taken()[Symbol.dispose]();
});

test('a reset removes what the demo keeps', async () => {
  taken()[Symbol.dispose]();
  await writeFile(path.join(folder, 'temporal.db'), '');
  const said: string[] = [];

  expect(reset(aHome(), (line) => said.push(line))).toBe(0);

  expect(existsSync(path.join(folder, 'temporal.db'))).toBe(false);
  expect(said).toEqual(['Removed what the demo kept: the next `nereid demo` starts afresh.']);
});

test('a reset beside a demo that runs is refused, and removes nothing', async () => {
  using first = taken();
  first.announce('http://127.0.0.1:4140');
  await writeFile(path.join(folder, 'temporal.db'), '');
  const said: string[] = [];

  expect(reset(aHome(), (line) => said.push(line))).toBe(2);

  expect(existsSync(path.join(folder, 'temporal.db'))).toBe(true);
  expect(said).toEqual(['The demo is already running: http://127.0.0.1:4140\nStop it first (Ctrl-C there).']);
});

test('a person reads the commands of the way in which they started the demo', () => {
  expect(aHome()).toEqual({ folder, start: 'nereid demo', reset: 'nereid demo --reset' });
  expect(homeOf({})).toMatchObject({ start: 'make demo', reset: 'make demo-reset' });
});

function aHome() {
  return homeOf({ NEREID_DEMO_FOLDER: folder });
}

function taken() {
  const lock = acquireDemoLock(folder);
  if (lock.kind === 'held') throw new Error(`expected a lock that nobody holds, found ${lock.url ?? 'a held one'}`);
  return lock;
}
