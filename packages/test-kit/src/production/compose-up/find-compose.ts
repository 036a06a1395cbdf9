/**
 * Docker Compose, and what an engine needs for networks: from our cache; else built with Go, and out of Debian's packages. No registry
 * has Compose as a program, and `go install` does not build it, because its module excludes others.
 */
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { unpackDebianPackage } from '../../toolchain/debian-package.ts';
import { toolCache, type Environment } from '../../toolchain/environment.ts';
import { InstallError } from '../../toolchain/errors.ts';
import { whyNoGo } from '../../toolchain/go-install.ts';
import { installOnce } from '../../toolchain/install-once.ts';
import { runTool } from '../../toolchain/run-tool.ts';

const VERSION = '2.40.3';
const MODULE = 'github.com/docker/compose/v2';

/** Five minutes on two cores, and the download of 200 modules before it. */
const BUILD_TIMEOUT_MS = 60 * 60_000;

/** The first has the program, the others its libraries. */
const IPTABLES = ['iptables', 'libxtables12', 'libmnl0', 'libnftnl11'];

/** One program, by its names. */
const PROGRAMS = ['iptables', 'ip6tables'].flatMap((name) => [name, `${name}-save`, `${name}-restore`]);

const report = () => undefined;

/** Returns the path of `docker-compose`. Throws `InstallError`. */
export async function findCompose(env: Environment): Promise<string> {
  const folder = path.join(toolCache(env), `docker-compose-${VERSION}`);
  await installOnce({ folder, report, install: (staging) => buildCompose(staging, env) });
  return path.join(folder, 'docker-compose');
}

async function buildCompose(staging: string, env: Environment): Promise<void> {
  const noGo = await whyNoGo(env);
  if (noGo !== undefined)
    throw new InstallError(`expected Go, which builds Docker Compose, found none; install it. ${noGo}`);
  const run = (...argv: [string, ...string[]]) => runTool({ argv, env, timeoutMs: BUILD_TIMEOUT_MS });
  const downloaded = JSON.parse(await run('go', 'mod', 'download', '-json', `${MODULE}@v${VERSION}`)) as {
    readonly Dir: string;
  };
  const output = path.join(staging, 'docker-compose');
  await run('go', 'build', '-C', downloaded.Dir, '-trimpath', '-ldflags=-s -w', '-o', output, './cmd');
}

/**
 * Returns the folder of `iptables`, with which containers find each other's names, and of `docker-proxy`, which publishes ports. Throws
 * `InstallError`.
 */
export async function findNetworkTools(env: Environment): Promise<string> {
  const folder = path.join(toolCache(env), 'container-network-debian');
  await installOnce({ folder, report, install: (staging) => unpackNetworkTools(staging, folder, env) });
  return path.join(folder, 'programs');
}

/** `folder` is where the files will be. */
async function unpackNetworkTools(staging: string, folder: string, env: Environment): Promise<void> {
  const programs = path.join(staging, 'programs');
  await mkdir(programs);
  await unpackDebianPackage({ name: 'docker.io', programs: ['usr/sbin/docker-proxy'], folder: programs, env });
  for (const name of IPTABLES) {
    await mkdir(path.join(staging, name));
    await unpackDebianPackage({ name, programs: ['usr'], folder: path.join(staging, name), env });
  }
  const [platform = ''] = await readdir(path.join(staging, 'libxtables12/usr/lib'));
  const libraries = IPTABLES.map((name) => path.join(folder, name, 'usr/lib', platform));
  for (const program of PROGRAMS) {
    const script = `#!/bin/sh
export LD_LIBRARY_PATH='${libraries.join(':')}' XTABLES_LIBDIR='${folder}/iptables/usr/lib/${platform}/xtables'
exec '${folder}/iptables/usr/sbin/xtables-nft-multi' ${program} "$@"
`;
    await writeFile(path.join(programs, program), script);
    await chmod(path.join(programs, program), 0o755);
  }
}
