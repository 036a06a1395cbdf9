/** The package `nereid` as a person has it: installed from its tarball into an empty folder, on a machine with Node 20. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { aConsole } from '@nereid/console/testing';
import { findDevServer, findTerraform, startTemporalServer, toolCache } from '@nereid/test-kit';
import { folderOfThisFile } from '@nereid/test-kit/folders';
import { findOldNode } from '@nereid/test-kit/old-node';
import { execFile } from 'node:child_process';
import { mkdir, readdir, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pack } from './pack.ts';

const TOP = path.join(import.meta.dirname, '../../..');

/** What npm fetches takes seconds from its cache, and minutes on a slow line. */
const INSTALLED_WITHIN_MS = 10 * 60_000;

const folder = folderOfThisFile();
/** Its first Node is an old one, and its cache of ours is empty. */
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  const oldNode = await findOldNode(process.env);
  const searchPath = [oldNode, process.env['PATH'] ?? ''].join(path.delimiter);
  const cache = path.join(folder, 'cache');
  await mkdir(cache);
  const own = { PATH: searchPath, NEREID_CACHE: cache, XDG_CONFIG_HOME: path.join(folder, 'config') };
  env = { ...withoutNpm(process.env), ...own };
  const tarball = await pack({ top: TOP, folder });
  await writeFile(path.join(folder, 'package.json'), '{ "private": true }');
  expect(await run('npm', ['install', '--no-audit', '--no-fund', tarball])).toMatchObject({ status: 0 });
}, INSTALLED_WITHIN_MS);

/** Without what npm tells of the repository to the scripts that it runs, such as this test. */
function withoutNpm(all: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(all).filter(([name]) => !/^npm_(?!config_)|^npm_config_(local_)?prefix$/i.test(name)),
  );
}

interface Ended {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

function run(program: string, args: readonly string[], own: NodeJS.ProcessEnv = {}): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const options = { cwd: folder, env: { ...env, ...own }, timeout: INSTALLED_WITHIN_MS };
    execFile(program, args, options, (error, stdout, stderr) => {
      const status = error === null ? 0 : error.code;
      if (typeof status === 'number') resolve({ status, stdout, stderr });
      else reject(error ?? new Error('expected an exit code'));
    });
  });
}

const nereid = (args: readonly string[], own?: NodeJS.ProcessEnv) => run('node_modules/.bin/nereid', args, own);

describe('nereid from its package, on Node 20', () => {
  test('says what it can do', async () => {
    const [node, help] = await Promise.all([run('node', ['--version']), nereid(['--help'])]);

    expect(node.stdout).toMatch(/^v20\./);
    expect(help).toMatchObject({ status: 0, stderr: '' });
    expect(help.stdout).toMatch(/^ {2}demo .*\n(.*\n)* {2}config .*\n(.*\n)* {2}keys /m);
  });

  test('checks configurations', async () => {
    await writeFile(path.join(folder, 'nereid.yaml'), 'version: 1\nroots:\n  - dir: infra/network\n');
    await writeFile(path.join(folder, 'bad.yaml'), 'version: 1\nroot:\n  - dir: infra/network\n');

    expect(await nereid(['config', 'check', 'nereid.yaml'])).toMatchObject({ status: 0 });
    const bad = await nereid(['config', 'check', 'bad.yaml']);
    expect(bad).toMatchObject({ status: 1 });
    expect(bad.stdout + bad.stderr).toContain('roots');
  });

  test('makes keys that nobody else can read', async () => {
    await mkdir(path.join(folder, 'keys'));

    expect(await nereid(['keys', 'keys'])).toMatchObject({ status: 0 });
    expect((await stat(path.join(folder, 'keys/orders-key.pem'))).mode & 0o777).toBe(0o600);
  });

  test('asks a console, and its doctor', async () => {
    const console = await aConsole({ isLocal: true });
    const own = { NEREID_CONSOLE: console.url };

    expect(await nereid([], own)).toEqual({
      status: 0,
      stdout: 'Nothing waits for a person, and nothing is at work.\n',
      stderr: '',
    });
    expect(await nereid(['doctor'], own)).toEqual({
      status: 0,
      stdout: expect.stringMatching(/\bok\s+storage: logs\s+listed and read\n/),
      stderr: '',
    });
  });

  test('says what a set-up would make, and makes nothing', async () => {
    const addresses = ['--gateway-url', 'https://webhooks.example.org', '--console-url', 'https://nereid.example.org'];

    const said = await nereid(['setup', 'installation', '--organization', 'acme', ...addresses, '--dry-run']);

    expect(said).toMatchObject({ status: 0, stderr: '' });
    expect(said.stdout).toMatch(/^Nothing is made, because of --dry-run\.\n/);
    expect(said.stdout).toContain('match: "acme/*"');
    expect(await readdir(folder)).not.toContain('installation');
  });

  test('sets up a Temporal', async () => {
    const program = await findDevServer(quietly);
    await using opened = new AsyncDisposableStack();
    const temporal = await startTemporalServer({ program, logFile: path.join(folder, 'temporal.log') });
    opened.defer(() => temporal.stop());
    const own = { TEMPORAL_ADDRESS: temporal.address, TEMPORAL_NAMESPACE: 'nereid' };

    const said = await nereid(['temporal', 'setup'], own);

    expect(said).toMatchObject({ status: 0, stderr: '' });
    expect(said.stdout).toMatch(/^namespace nereid: made\n(.*\n)*The namespace nereid is ready\.\n$/);
  });

  test('plays the whole demo, in a copy of its own', async () => {
    await Promise.all([findDevServer(quietly), findTerraform(quietly)]);
    await linkTools();

    const demo = await nereid(['demo', '--once']);

    expect(demo.stdout).toContain('✓ The story ended as it should; nothing that was started is left.');
    expect(demo.status).toBe(0);
  });
});

const quietly = { env: process.env, report: () => undefined };

/** Puts the programs of our cache into that of the test, which gets the copy of the demo, too. */
async function linkTools(): Promise<void> {
  const ours = toolCache(process.env);
  const tools = (await readdir(ours)).filter((name) => /^(temporal-|terraform-|bubblewrap)/.test(name));
  const cache = env['NEREID_CACHE'] ?? '';
  await Promise.all(tools.map((name) => symlink(path.join(ours, name), path.join(cache, name))));
}
