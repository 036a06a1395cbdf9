/** Images like those that ours begin from, which no registry of packages has: Debian by debootstrap, Node as it runs here. */
import { createHash } from 'node:crypto';
import {
  chmod,
  copyFile,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findProgram } from '@nereid/subprocess';
import { toolCache, type Environment } from '../../toolchain/environment.ts';
import { findTerraform } from '../../toolchain/find-terraform.ts';
import { exists, installOnce } from '../../toolchain/install-once.ts';
import { runTool } from '../../toolchain/run-tool.ts';
import type { Engine } from './engine.ts';
import { findDebootstrap } from './find-docker.ts';

const MIRROR = 'http://deb.debian.org/debian';
/** Debian's packages are unpacked in half a minute; a slow line may take twenty times that. */
const DEBIAN_TIMEOUT_MS = 15 * 60_000;
const TAR_TIMEOUT_MS = 120_000;

/** What this machine trusts, if it says so: registries may be behind a proxy with a certificate of its own. */
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';

const LEFT_OUT = `path-exclude /usr/share/doc/*
path-include /usr/share/doc/*/copyright
path-exclude /usr/share/man/*
path-exclude /usr/share/info/*
path-exclude /usr/share/locale/*
`;

const report = () => undefined;

/** Gives the engine an image for each name, with a tag and without a digest, that a Dockerfile begins from. */
export async function importBaseImages(engine: Engine, names: readonly string[], env: Environment): Promise<void> {
  for (const name of names) {
    if (/^node:.*-bookworm-slim$/.test(name)) await importNode(engine, name, env);
    else if (name.startsWith('hashicorp/terraform:')) await importTerraform(engine, name, env);
    else
      throw new Error(`expected an image that can be made here, found ${name}; say in base-images.ts how it is made`);
  }
}

async function importNode(engine: Engine, name: string, env: Environment): Promise<void> {
  const wanted = /^node:([\d.]+)/.exec(name)?.[1] ?? '';
  if (process.versions.node !== wanted)
    throw new Error(
      `expected Node ${wanted}, like the image, found ${process.versions.node}; use make, which takes the pinned one`,
    );
  const folder = path.join(toolCache(env), `image-node-${wanted}-${await digestOfThisFile()}`);
  await installOnce({ folder, report, install: (staging) => makeNode(staging, env) });
  const variables = ['PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'];
  if (await exists(CERTIFICATES)) variables.push(`NODE_EXTRA_CA_CERTS=${CERTIFICATES}`);
  const changes = ['CMD ["node"]', ...variables.map((variable) => `ENV ${variable}`)];
  const options = changes.flatMap((change) => ['--change', change]);
  await engine.docker(['import', ...options, path.join(folder, 'image.tar'), name], TAR_TIMEOUT_MS);
}

/** Another way to make it makes another one. */
async function digestOfThisFile(): Promise<string> {
  const text = await readFile(import.meta.filename);
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

async function makeNode(staging: string, env: Environment): Promise<void> {
  const root = path.join(staging, 'root');
  const at = (name: string) => path.join(root, name);
  const { program, scripts } = await findDebootstrap(env);
  const run = (...argv: [string, ...string[]]) =>
    runTool({ argv, env: { ...env, DEBOOTSTRAP_DIR: scripts }, timeoutMs: DEBIAN_TIMEOUT_MS });
  await run(program, '--variant=minbase', 'bookworm', root, MIRROR);
  for (const name of [
    'usr/share/man',
    'usr/share/info',
    'usr/share/locale',
    'var/lib/apt/lists',
    'var/cache/apt/archives',
  ])
    await rm(at(name), { recursive: true });
  await mkdir(at('var/lib/apt/lists/partial'), { recursive: true });
  await mkdir(at('var/cache/apt/archives/partial'), { recursive: true });
  await removeDocuments(at('usr/share/doc'));
  // Debian's own images leave them out of what is installed later, too.
  await writeFile(at('etc/dpkg/dpkg.cfg.d/docker'), LEFT_OUT);
  await addNode(root, env);
  await run('chroot', root, 'groupadd', '--gid', '1000', 'node');
  await run('chroot', root, 'useradd', '--uid', '1000', '--gid', 'node', '--create-home', 'node');
  if (await exists(CERTIFICATES)) {
    await mkdir(path.dirname(at(CERTIFICATES)), { recursive: true });
    await copyFile(CERTIFICATES, at(CERTIFICATES));
  }
  await pack(root, path.join(staging, 'image.tar'), env);
  await rm(root, { recursive: true });
}

/** Licences stay. */
async function removeDocuments(folder: string): Promise<void> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const removed = files.filter((file) => file.isFile() && file.name !== 'copyright');
  await Promise.all(removed.map((file) => rm(path.join(file.parentPath, file.name))));
}

async function addNode(root: string, env: Environment): Promise<void> {
  const local = path.join(root, 'usr/local');
  await copyFile(process.execPath, path.join(local, 'bin/node'));
  await chmod(path.join(local, 'bin/node'), 0o755);
  const npm = findProgram({ argv: ['npm'], env: { PATH: env['PATH'] ?? '' }, cwd: '/' });
  if (npm.kind === 'not-startable') throw new Error(npm.why);
  const folder = path.join(path.dirname(await realpath(npm.program)), '..');
  await cp(folder, path.join(local, 'lib/node_modules/npm'), { recursive: true });
  for (const name of ['npm', 'npx'])
    await symlink(`../lib/node_modules/npm/bin/${name}-cli.js`, path.join(local, 'bin', name));
}

/** The Terraform of tests, of whatever version. */
async function importTerraform(engine: Engine, name: string, env: Environment): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'image-'));
  try {
    await mkdir(path.join(folder, 'root/bin'), { recursive: true });
    await copyFile(await findTerraform({ env, report }), path.join(folder, 'root/bin/terraform'));
    await pack(path.join(folder, 'root'), path.join(folder, 'image.tar'), env);
    await engine.docker(['import', path.join(folder, 'image.tar'), name], TAR_TIMEOUT_MS);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function pack(root: string, archive: string, env: Environment): Promise<void> {
  await runTool({
    argv: ['tar', '--directory', root, '--create', '--file', archive, '.'],
    env,
    timeoutMs: TAR_TIMEOUT_MS,
  });
}
