/** The shared cache, with inits of the real Terraform of this machine. */
import { randomUUID } from 'node:crypto';
import {
  chmod,
  copyFile,
  cp,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { aJob, aRoot, realTerraform, testdir } from '../../fixtures/fixture.ts';
import { applyRoot } from '../apply/apply-root.ts';
import { platform } from '../binary/sources.ts';
import { digestOf } from '../plan/digest.ts';
import { terraformEnvironment } from '../environment.ts';
import type { JobOptions } from '../job/job-options.ts';
import { createJob } from '../job/create-job.ts';
import { aProviderMirror, DEMO_VERSION, rootWith, type ProviderMirror } from '../testing/index.ts';
import { LOCK_FILE } from './lock-file.ts';
import { createProviderCache, type ProviderCache } from './provider-cache.ts';

const terraform = await realTerraform();
const INIT = { kind: 'init', extraArgs: [] } as const;
const PROGRAM = `terraform-provider-demo_v${DEMO_VERSION}`;
const DOWNLOADED = 'Installing hashicorp/demo';
const PLACED = `Using hashicorp/demo v${DEMO_VERSION} from the shared cache directory`;

let dir: Awaited<ReturnType<typeof testdir>>;
let mirror: ProviderMirror;
let cache: ProviderCache;
let problems: unknown[];
/** Of a root whose author has the package `one` of the provider. */
let lockFile: string;

beforeEach(async () => {
  dir = await testdir({ 'author/tree/main.tf': rootWith('demo') });
  mirror = await aProviderMirror(dir.path);
  await mirror.offer('demo', 'one');
  problems = [];
  cache = createProviderCache({ dir: path.join(dir.path, 'providers'), onProblem: (error) => problems.push(error) });
  const unshared = createProviderCache({ dir: path.join(dir.path, 'author/providers'), onProblem: fail });
  await init('author', { providers: { cache: unshared, folder: path.join(dir.path, 'author/plugins') } });
  lockFile = path.join(dir.path, 'author/tree', LOCK_FILE);
});

afterEach(async () => {
  await dir[Symbol.asyncDispose]();
});

describe('inits that run at once', () => {
  test('with an empty cache all succeed, and one package is published', async () => {
    const names = await deploymentsOfAuthor(6);

    const logs = await Promise.all(names.map((name) => init(name)));

    expect(logs).toEqual(names.map(() => expect.stringContaining(DOWNLOADED)));
    expect(await packages()).toHaveLength(1);
    expect(problems).toEqual([]);
  });

  test('with a full cache download nothing', async () => {
    await publishOne();
    await mirror.offer('demo', null);
    const names = await deploymentsOfAuthor(6);

    const logs = await Promise.all(names.map((name) => init(name)));

    expect(logs).toEqual(names.map(() => expect.stringContaining(PLACED)));
  });

  test('get the rest where the cache has a part, and leave that too', async () => {
    await publishOne();
    await mirror.offer('other', 'x');
    await aDeployment('two', { types: ['demo', 'other'], lock: true });

    const log = await init('two');

    expect(log).toContain(PLACED);
    expect(log).toContain('Installing hashicorp/other');
    expect(await packages()).toHaveLength(2);
  });
});

describe('a root gets what its own lock file promises', () => {
  test('not what another one published for the same version', async () => {
    await mirror.offer('demo', 'another');
    await aDeployment('hostile');
    await init('hostile');
    await mirror.offer('demo', 'one');
    await aDeployment('good', { lock: true });

    const log = await init('good');

    expect(log).toContain(DOWNLOADED);
    expect(await readFile(programIn('good'), 'utf8')).toBe('one');
    expect(await packages()).toHaveLength(2);
  });

  test('without a lock file it downloads, and the lock file is as complete as without a cache', async () => {
    await publishOne();
    await aDeployment('new');

    expect(await init('new')).toContain(DOWNLOADED);
    expect(await readFile(path.join(dir.path, 'new/tree', LOCK_FILE), 'utf8')).toBe(await readFile(lockFile, 'utf8'));
  });

  test('a lock file that leads elsewhere is left to Terraform', async () => {
    await publishOne();
    await aDeployment('hostile');
    const hostile = (await readFile(lockFile, 'utf8')).replace('hashicorp/demo', '../../../../demo');
    await writeFile(path.join(dir.path, 'hostile/tree', LOCK_FILE), hostile);

    expect(await init('hostile')).toContain('Invalid provider source');
    expect(await readdir(path.join(dir.path, 'hostile/plugins'))).toEqual([]);
  });

  test('an apply elsewhere gets it too', async () => {
    await publishOne();
    await mirror.offer('demo', null);
    await aDeployment('elsewhere', { lock: true });
    const { options, logged } = aDeploymentJob('elsewhere');
    await writeFile(options.planFile, 'a plan');

    await applyRoot({
      ...options,
      digest: await digestOf(options.planFile),
      envValues: {},
      initFirst: { restore: () => Promise.resolve() },
    });

    expect(logged()).toContain(PLACED);
  });
});

describe('a published package', () => {
  test('is not written by an init of a tree that has it, whatever became of its lock file', async () => {
    const [first = ''] = await publishOne();
    await aDeployment('tree', { lock: true });
    await init('tree');
    await rm(path.join(dir.path, 'tree/tree', LOCK_FILE));
    await mirror.offer('demo', 'another');

    await init('tree');

    expect(await readFile(programIn('tree'), 'utf8')).toBe('another');
    expect(await readFile(path.join(first, PROGRAM), 'utf8')).toBe('one');
  });

  test('is not touched by whoever writes into the tree that it came from', async () => {
    const [first = ''] = await publishOne();

    await writeFile(programIn('first'), 'changed');

    expect(await readFile(path.join(first, PROGRAM), 'utf8')).toBe('one');
  });

  test('takes no place of its own in the trees that have it', async () => {
    const [first = ''] = await publishOne();
    await aDeployment('second', { lock: true });

    await init('second');

    expect((await stat(programIn('second'))).ino).toBe((await stat(path.join(first, PROGRAM))).ino);
  });

  test('can be read and run, not written', async () => {
    const [first = ''] = await publishOne();

    const modes = ['', PROGRAM, 'docs', 'docs/LICENSE.txt'].map(async (entry) => stat(path.join(first, entry)));
    expect((await Promise.all(modes)).map(({ mode }) => mode & 0o777)).toEqual([0o555, 0o555, 0o555, 0o555]);
  });

  test('that changed is taken out, told, and published again', async () => {
    const [first = ''] = await publishOne();
    await chmod(path.join(first, PROGRAM), 0o755);
    await writeFile(path.join(first, PROGRAM), 'changed');
    await aDeployment('second', { lock: true });

    const log = await init('second');

    expect(log).toContain(DOWNLOADED);
    expect(problems).toMatchObject([{ code: 'CACHED_PACKAGE_CHANGED' }]);
    expect(await packages()).toEqual([first]);
    expect(await readFile(path.join(first, PROGRAM), 'utf8')).toBe('one');
  });

  test.each([
    ['a file is missing', (folder: string) => rm(path.join(folder, PROGRAM))],
    ['a link was added', (folder: string) => symlink('/etc/passwd', path.join(folder, 'link'))],
  ])('a package in which %s is not used', async (_, spoil) => {
    const [first = ''] = await publishOne();
    await chmod(first, 0o755);
    await spoil(first);
    await aDeployment('second', { lock: true });

    expect(await init('second')).toContain(DOWNLOADED);
    expect(problems).toHaveLength(1);
  });
});

describe('not published', () => {
  test('is what an init left that failed', async () => {
    await mirror.offer('other', null);
    await aDeployment('failing', { types: ['demo', 'other'], lock: true });

    expect(await init('failing')).toContain('Failed to install provider');
    expect(await packages()).toEqual([]);
  });

  test.each([
    [
      'a link in its package',
      async (own: string) => {
        await rename(path.join(own, PROGRAM), path.join(own, '../elsewhere'));
        await symlink('../elsewhere', path.join(own, PROGRAM));
      },
    ],
    [
      'a link in its place',
      async (own: string) => {
        await rename(own, `${own}-elsewhere`);
        await symlink(`${own}-elsewhere`, own);
      },
    ],
    ['other files than the lock file names', (own: string) => writeFile(path.join(own, 'more'), 'x')],
  ])('a package with %s is not published', async (_, change) => {
    await aDeployment('hostile', { lock: true });
    const collect: ProviderCache['collect'] = async (...collected) => {
      await change(path.dirname(programIn('hostile')));
      return cache.collect(...collected);
    };

    await init('hostile', {
      providers: { cache: { ...cache, collect }, folder: path.join(dir.path, 'hostile/plugins') },
    });

    expect(await packages()).toEqual([]);
  });
});

describe('what is kept', () => {
  test('has its size, and when it was last used', async () => {
    const [first = ''] = await publishOne();
    await utimes(first, new Date(0), new Date(0));
    expect(await cache.kept()).toMatchObject([{ usedAt: 0 }]);
    await aDeployment('second', { lock: true });

    await init('second');

    const [kept] = await cache.kept();
    expect(kept?.bytes).toBeGreaterThan(0);
    expect(kept?.usedAt).toBeGreaterThan(0);
  });

  test('can be removed while a tree has it, and is downloaded by the next one', async () => {
    await publishOne();
    await aDeployment('second', { lock: true });
    await init('second');

    for (const kept of await cache.kept()) expect(await kept.remove()).toBe(true);

    expect(await cache.kept()).toEqual([]);
    expect(await readdir(path.join(dir.path, 'providers', platform()))).toEqual([]);
    expect(await readFile(programIn('second'), 'utf8')).toBe('one');
    await aDeployment('third', { lock: true });
    expect(await init('third')).toContain(DOWNLOADED);
  });

  test('is not what a former process left half made', async () => {
    const [first = ''] = await publishOne();
    const leftOver = ['half.new', 'half.gone'].map((name) => path.join(path.dirname(first), name));
    for (const folder of leftOver) await cp(first, folder, { recursive: true });

    expect(await cache.kept()).toHaveLength(1);
    expect(await packages()).toEqual([first]);
  });
});

/** Publishes the package of the author, and answers the folders of what is published. */
async function publishOne(): Promise<readonly string[]> {
  await aDeployment('first', { lock: true });
  await init('first');
  return packages();
}

async function packages(): Promise<readonly string[]> {
  const home = path.join(dir.path, 'providers', platform());
  return (await readdir(home).catch((): string[] => [])).map((name) => path.join(home, name));
}

async function deploymentsOfAuthor(count: number): Promise<readonly string[]> {
  const names = Array.from({ length: count }, (_, index) => `d${index}`);
  for (const name of names) await aDeployment(name, { lock: true });
  return names;
}

/** `lock`: its revision has the lock file of the author. */
async function aDeployment(name: string, { types = ['demo'], lock = false } = {}): Promise<void> {
  const tree = path.join(dir.path, name, 'tree');
  await mkdir(tree, { recursive: true });
  await writeFile(path.join(tree, 'main.tf'), rootWith(...types));
  if (lock) await copyFile(lockFile, path.join(tree, LOCK_FILE));
}

function fail(problem: unknown): never {
  throw problem;
}

/** Answers the log. */
async function init(name: string, changes: Partial<JobOptions> = {}): Promise<string> {
  const { options, logged } = aDeploymentJob(name, changes);
  const job = await createJob(options, options.treeDir, {
    planAccess: 'write',
    timeoutMs: options.root.timeoutMs.plan,
  });
  await job.run(INIT, `init-${randomUUID()}`);
  return logged();
}

function aDeploymentJob(name: string, changes: Partial<JobOptions> = {}) {
  const folder = path.join(dir.path, name);
  return aJob(folder, terraform, {
    root: aRoot({ steps: { plan: [INIT], apply: [{ kind: 'apply', extraArgs: [] }] } }),
    env: terraformEnvironment({
      from: { ...process.env, TF_CLI_CONFIG_FILE: mirror.configFile },
      allow: ['TF_CLI_CONFIG_FILE'],
      home: folder,
      workspace: 'default',
    }),
    providers: { cache, folder: path.join(folder, 'plugins') },
    ...changes,
  });
}

/** Where Terraform finds the provider of this deployment. */
function programIn(name: string): string {
  const provider = path.join('registry.terraform.io/hashicorp/demo', DEMO_VERSION, platform());
  return path.join(dir.path, name, 'plugins', provider, PROGRAM);
}
