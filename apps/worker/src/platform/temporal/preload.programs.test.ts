import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { pathToFileURL } from 'node:url';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, test } from '@jest/globals';

const PRELOAD = pathToFileURL(path.join(import.meta.dirname, 'preload.ts')).href;

/** Installs a hook as the SDK does it, and answers how many promises it saw of ten. */
const PROGRAM = `
  import { promiseHooks } from 'node:v8';
  import { parentPort } from 'node:worker_threads';
  let seen = 0;
  const stop = promiseHooks.createHook({ init: () => { seen += 1; } });
  for (let made = 0; made < 10; made += 1) new Promise(() => undefined);
  stop();
  parentPort.postMessage(seen);
`;

async function promisesSeen(execArgv: readonly string[]): Promise<unknown> {
  // Only a thread with an address of its own is loaded behind anything.
  const thread = new Worker(new URL(`data:text/javascript,${encodeURIComponent(PROGRAM)}`), {
    execArgv: [...execArgv],
  });
  const [seen] = (await once(thread, 'message')) as [unknown];
  await thread.terminate();
  return seen;
}

test('a thread that is loaded behind it notes no promise, and any other all of them', async () => {
  expect(await promisesSeen(['--disable-warning=ExperimentalWarning', '--import', PRELOAD])).toBe(0);
  expect(await promisesSeen([])).toBeGreaterThanOrEqual(10);
});

test('this Node has the setting for the growth of heaps', () => {
  expect(execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' })).toContain('--heap-growing-percent');
});
