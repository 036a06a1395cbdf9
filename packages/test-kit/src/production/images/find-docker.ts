/** Docker's engine and debootstrap, out of Debian's packages: nothing is installed on the machine. */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { unpackDebianPackage } from '../../toolchain/debian-package.ts';
import { toolCache, type Environment } from '../../toolchain/environment.ts';
import { installOnce } from '../../toolchain/install-once.ts';

const ENGINE = [
  { name: 'docker.io', programs: ['usr/bin/docker', 'usr/sbin/dockerd'] },
  { name: 'containerd', programs: ['usr/bin/containerd', 'usr/bin/containerd-shim-runc-v2'] },
  { name: 'runc', programs: ['usr/sbin/runc'] },
] as const;

const report = () => undefined;

/** Returns the folder of `docker`, `dockerd` and what they start. Throws `InstallError`. */
export async function findDocker(env: Environment): Promise<string> {
  const folder = path.join(toolCache(env), 'docker-debian');
  const install = async (staging: string) => {
    for (const part of ENGINE) await unpackDebianPackage({ ...part, folder: staging, env });
  };
  await installOnce({ folder, report, install });
  return folder;
}

/** Returns debootstrap's program and the folder of its scripts. Throws `InstallError`. */
export async function findDebootstrap(env: Environment): Promise<{ program: string; scripts: string }> {
  const folder = path.join(toolCache(env), 'debootstrap-debian');
  const install = async (staging: string) => {
    const scripts = path.join(staging, 'share');
    await mkdir(scripts);
    const part = { name: 'debootstrap', env };
    await unpackDebianPackage({ ...part, programs: ['usr/share/debootstrap'], folder: scripts });
    await unpackDebianPackage({ ...part, programs: ['usr/sbin/debootstrap'], folder: staging });
  };
  await installOnce({ folder, report, install });
  return { program: path.join(folder, 'debootstrap'), scripts: path.join(folder, 'share/debootstrap') };
}
