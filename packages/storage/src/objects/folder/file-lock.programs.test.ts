import { beforeEach, expect, test } from '@jest/globals';
import { folderOfEachTest } from '@nereid/test-kit/folders';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { acquireFileLock } from './file-lock.ts';

const folder = folderOfEachTest();
let file: string;

beforeEach(() => {
  file = path.join(folder, 'lock');
});

test('a lock that was closed can be taken again', () => {
  const first = acquireFileLock(file);
  expect(acquireFileLock(file)).toBeUndefined();

  first?.close();
  const second = acquireFileLock(file);

  expect(second).toBeDefined();
  second?.close();
});

test('a lock that its process no longer refers to stays taken after garbage collections', async () => {
  const module = JSON.stringify(new URL('file-lock.ts', import.meta.url).href);
  const script = `import { setImmediate } from 'node:timers/promises';
    import { acquireFileLock } from ${module};
    acquireFileLock(${JSON.stringify(file)});
    for (let time = 0; time < 3; time++) { gc(); await setImmediate(); }
    console.log('collected');
    setInterval(() => {}, 1000);`;
  const other = spawn(process.execPath, ['--expose-gc', '--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(other.stdout, 'data');
  const whileHeld = acquireFileLock(file);

  other.kill('SIGKILL');
  await once(other, 'exit');

  expect(whileHeld).toBeUndefined();
});
