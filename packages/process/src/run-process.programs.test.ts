import { spawn, spawnSync, type ChildProcessByStdio } from 'node:child_process';
import { on, once } from 'node:events';
import type { Readable } from 'node:stream';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { folderOfEachTest } from '@nereid/test-kit/folders';

const folder = folderOfEachTest();

/** A program with this as what it opens. */
function program(open: string): string {
  const file = join(folder, 'start.mjs');
  writeFileSync(
    file,
    `import { createLogger, readProcessConfig, runProcess } from ${JSON.stringify(import.meta.resolve('./index.ts'))};
     const logger = createLogger('test', { level: 'info', format: 'json' });
     await runProcess(process.env, async (environment) => { ${open} });`,
  );
  return file;
}

/** Runs until somebody ends it, and says so before it is open. */
const AT_WORK = 'setInterval(() => undefined, 1_000); logger.info("at work");';
const OPENS_SLOWLY = 'await new Promise((resolve) => setTimeout(resolve, 500));';

test('one that is wrongly configured prints the problems without a stack trace and exits 2', () => {
  const file = program("readProcessConfig({ NEREID_CONFIG: '/nowhere.yaml', LOG_LEVEL: 'loud' }, false, {});");

  const { status, stdout, stderr } = spawnSync(process.execPath, [file], { encoding: 'utf8' });

  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toMatch(/^the configuration must be fixed:\n {2}LOG_LEVEL: .*\n {2}NEREID_CONFIG: .*\n$/);
});

test('one opens with its secrets, and leaves them to nobody else', () => {
  const look = `({ ORDERS_KEY, PLAN_KEY_FILE, TEMPORAL_API_KEY, AWS_REGION }) => [ORDERS_KEY, PLAN_KEY_FILE, TEMPORAL_API_KEY, AWS_REGION]`;
  const file = program(`
    const { execFileSync } = await import('node:child_process');
    const look = ${look};
    const child = JSON.parse(execFileSync(process.execPath, ['-p', 'JSON.stringify(process.env)']));
    console.log(JSON.stringify([look(environment), look(process.env), look(child)]));
    process.exit(0);`);
  const secrets = { ORDERS_KEY: 'o', PLAN_KEY_FILE: '/plan', TEMPORAL_API_KEY: 't', AWS_REGION: 'eu' };

  const { stdout } = spawnSync(process.execPath, [file], { encoding: 'utf8', env: { ...process.env, ...secrets } });

  const left = [null, null, null, 'eu'];
  expect(JSON.parse(stdout)).toEqual([['o', '/plan', 't', 'eu'], left, left]);
});

test.each([
  [
    'closes and exits 0 when it is told to stop',
    'return { logger, close: async () => logger.info("closed") };',
    0,
    'closed',
  ],
  [
    'that is told to stop while it opens closes once it is open',
    `${OPENS_SLOWLY} return { logger, close: async () => logger.info("closed") };`,
    0,
    'closed',
  ],
  [
    'that cannot close says so and exits 1',
    'return { logger, close: () => Promise.reject(new Error("stuck")) };',
    1,
    'could not stop cleanly',
  ],
])('a process %s', async (_what, opened, code, said) => {
  const child = spawn(process.execPath, [program(`${AT_WORK} ${opened}`)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const log = text(child.stdout);
  await once(child.stdout, 'data');

  child.kill('SIGTERM');

  expect(await once(child, 'exit')).toEqual([code, null]);
  expect(await log).toContain(`"msg":"${said}"`);
});

test('one that breaks says why and exits 1', () => {
  const file = program(
    `${AT_WORK} return { logger, broken: Promise.resolve(new Error('no disk')), close: async () => undefined };`,
  );

  const { status, stdout } = spawnSync(process.execPath, [file], { encoding: 'utf8' });

  expect(status).toBe(1);
  expect(stdout).toContain('no disk');
});

test('a second signal ends one that does not close', async () => {
  const file = program(`${AT_WORK} return { logger, close: () => new Promise(() => logger.info("closing")) };`);
  const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] });
  await said(child, 'at work');
  child.kill('SIGTERM');
  await said(child, 'closing');

  child.kill('SIGINT');

  expect(await once(child, 'exit')).toEqual([null, 'SIGINT']);
});

async function said({ stdout }: ChildProcessByStdio<null, Readable, null>, what: string): Promise<void> {
  for await (const [line] of on(stdout, 'data')) if (String(line).includes(what)) return;
}
