/** What starts containers on a node: from our cache; else built with Go. Debian's containerd is too old for pods with users of their own. */
import path from 'node:path';
import { extractDebianPackage } from '../../toolchain/debian-package.ts';
import { toolCache, type Environment } from '../../toolchain/environment.ts';
import { goInstall } from '../../toolchain/go-install.ts';
import { installOnce } from '../../toolchain/install-once.ts';
import { mkdir, rm } from 'node:fs/promises';

interface Part {
  readonly version: string;
  readonly module: string;
}

const RUNC: Part = { version: '1.5.3', module: 'github.com/opencontainers/runc' };
const CONTAINERD: readonly Part[] = [
  { version: '2.4.2', module: 'github.com/containerd/containerd/v2/cmd/containerd' },
  { version: '2.4.2', module: 'github.com/containerd/containerd/v2/cmd/containerd-shim-runc-v2' },
  { version: '2.4.2', module: 'github.com/containerd/containerd/v2/cmd/ctr' },
];
const NETWORK: readonly Part[] = [
  { version: '1.10.0', module: 'github.com/containernetworking/plugins/plugins/main/bridge' },
  { version: '1.10.0', module: 'github.com/containernetworking/plugins/plugins/main/loopback' },
  { version: '1.10.0', module: 'github.com/containernetworking/plugins/plugins/ipam/host-local' },
];

const report = () => undefined;

/** Returns the folder of `containerd`, `ctr`, `runc` and the plug-ins of networks. Throws `InstallError`. */
export async function findRuntime(env: Environment): Promise<string> {
  const versions = [CONTAINERD, NETWORK].map(([part]) => part?.version).join('-');
  const folder = path.join(toolCache(env), `containerd-${versions}-runc-${RUNC.version}`);
  const install = async (staging: string) => {
    const own = { ...env, GOFLAGS: '-trimpath' };
    for (const part of [...CONTAINERD, ...NETWORK]) await goInstall({ ...part, folder: staging, env: own });
    await buildRunc(staging, env);
  };
  await installOnce({ folder, report, install });
  return folder;
}

/** It knows profiles of seccomp only with Debian's library, which becomes a part of it. */
async function buildRunc(staging: string, env: Environment): Promise<void> {
  const library = path.join(staging, 'libseccomp');
  await mkdir(library);
  await extractDebianPackage({ name: 'libseccomp-dev', folder: library, env });
  const libraries = `${library}/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu`;
  const own = {
    ...env,
    GOFLAGS: '-trimpath -tags=seccomp',
    PKG_CONFIG_SYSROOT_DIR: library,
    PKG_CONFIG_PATH: `${libraries}/pkgconfig`,
    // Go caches by this flag, and not by what pkg-config says: it would link with the folder of an earlier build, which is gone.
    CGO_LDFLAGS: `-L${libraries}`,
  };
  await goInstall({ ...RUNC, folder: staging, env: own });
  await rm(library, { recursive: true });
}
