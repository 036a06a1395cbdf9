import { beforeAll, describe, expect, test } from '@jest/globals';
import { runCommand } from '@nereid/subprocess';
import { chmod, copyFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { folderOfThisFile } from '../../testing/folders.ts';
import { makeImageFolder } from './image-folder.ts';

/** The user of the images. */
const NODE_USER = 1000;

const folder = folderOfThisFile();
let node: string;

beforeAll(async () => {
  await chmod(folder, 0o755);
  node = path.join(folder, 'node');
  // The one that runs the tests may lie where another user cannot reach it.
  await copyFile(process.execPath, node);
});

const images = new Map<string, Promise<string>>();

/** The folder /app of an image; made once. */
function imageOf(target: string): Promise<string> {
  const image = images.get(target) ?? makeImage(target);
  images.set(target, image);
  return image;
}

async function makeImage(target: string): Promise<string> {
  const app = path.join(folder, target);
  await mkdir(app);
  await makeImageFolder(target, app);
  return app;
}

describe.each(['gateway', 'worker', 'console'])('the image of the %s', (target) => {
  test('holds everything that its process needs to find its configuration missing', async () => {
    const app = await imageOf(target);

    const result = await runAsNodeUser([`apps/${target}/src/main.ts`], app);

    expect(result).toMatchObject({ kind: 'exited', exitCode: 2 });
    expect(result.stderr).not.toMatch(/Cannot find|ERR_MODULE|^ +at /m);
  });
});

test('the image of the worker holds the small process that starts its programs', async () => {
  const app = await imageOf('worker');
  const program = `import { runCommand } from '@nereid/subprocess';
    const { stdout } = await runCommand({ argv: ['/bin/echo', 'started'], env: {}, cwd: '/' });
    process.stdout.write(stdout);`;

  const result = await runAsNodeUser(['--input-type=module', '--eval', program], app);

  expect(result).toMatchObject({ kind: 'exited', exitCode: 0, stdout: 'started\n' });
});

test.each(['worker', 'console'])('the image of the %s holds the client of each store', async (target) => {
  const app = await imageOf(target);
  const program = `import { openObjectStore } from '@nereid/storage';
    for (const url of ['file:/s', 's3://bucket', 'gs://bucket', 'az://account/container']) await openObjectStore(url);
    process.stdout.write('opened');`;

  const result = await runAsNodeUser(['--input-type=module', '--eval', program], app);

  expect(result).toMatchObject({ kind: 'exited', exitCode: 0, stdout: 'opened' });
});

/** Only root can be somebody else; everybody else is not root, which is what matters. */
function runAsNodeUser(args: readonly string[], cwd: string) {
  const isRoot = process.getuid?.() === 0;
  const asUser = isRoot ? ['setpriv', `--reuid=${NODE_USER}`, `--regid=${NODE_USER}`, '--clear-groups'] : [];
  return runCommand({
    argv: ['env', ...asUser, node, ...args],
    env: { PATH: '/usr/bin:/bin' },
    cwd,
    // It prints a line; only what hangs takes minutes.
    timeoutMs: 120_000,
  });
}
