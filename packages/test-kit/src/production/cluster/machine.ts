/** The parts of this machine that a node changes, each replaced by one of its own. */
import { mkdir, writeFile } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import path from 'node:path';
import type { Environment } from '../../toolchain/environment.ts';
import { runTool } from '../../toolchain/run-tool.ts';

/** Of the node, as its pods see it. */
export const NODE_ADDRESS = '10.88.0.1';
export const BRIDGE = 'cni0';
export const PODS = '10.88.0.0/16';

const TIMEOUT_MS = 30_000;

/** Where programs of a node have sockets and locks, and other programs of the machine theirs. */
const HIDDEN = ['/run', '/var/lib'];

/** Where programs of a node keep files, whatever they are told. */
const FOLDERS = ['/var/lib/kubelet', '/var/log'];

const NETWORK = `
  ip link set lo up
  ip link add ${BRIDGE} type bridge
  ip address add ${NODE_ADDRESS}/16 dev ${BRIDGE}
  ip link set ${BRIDGE} up
  # It leads nowhere. By it programs find out which address is theirs.
  ip route add default via 10.88.255.254
`;

/** Throws where the network is that of the machine: nothing would undo what is done here. */
export async function prepareMachine(folder: string, env: Environment): Promise<void> {
  const found = Object.keys(networkInterfaces());
  if (found.length > 0)
    throw new Error(`expected namespaces of its own, found the network ${found.join(', ')}; use make test-cluster`);
  // Names are looked up in vain at once, and not after half a minute.
  const names = path.join(folder, 'resolv.conf');
  await writeFile(names, '');
  const mounts = [`mount --bind ${names} /etc/resolv.conf`, ...HIDDEN.map((place) => `mount -t tmpfs tmpfs ${place}`)];
  for (const place of FOLDERS) {
    const own = path.join(folder, path.basename(place));
    await mkdir(own);
    mounts.push(`mkdir -p ${place}`, `mount --bind ${own} ${place}`);
  }
  await runTool({ argv: ['sh', '-ec', [NETWORK, ...mounts].join('\n')], env, timeoutMs: TIMEOUT_MS });
}

/** What a kubelet wants of a kernel, and else writes itself. The kernel is that of the whole machine. */
const KERNEL = {
  'vm/overcommit_memory': '1',
  'vm/panic_on_oom': '0',
  'kernel/panic': '10',
  'kernel/panic_on_oops': '1',
  'kernel/keys/root_maxkeys': '1000000',
  'kernel/keys/root_maxbytes': '25000000',
} as const;

/**
 * Starts a kubelet, which looks at the kernel once and finds what it wants. Later, nothing may cover a part of /proc: the kernel then lets
 * no user namespace have its own.
 */
export async function withKernel(folder: string, env: Environment, start: () => Promise<void>): Promise<void> {
  const run = (lines: readonly string[]) =>
    runTool({ argv: ['sh', '-ec', lines.join('\n')], env, timeoutMs: TIMEOUT_MS });
  const kernel = path.join(folder, 'kernel');
  await mkdir(kernel);
  const covered = Object.keys(KERNEL).map(
    (name) => [path.join(kernel, path.basename(name)), `/proc/sys/${name}`] as const,
  );
  for (const [name, value] of Object.entries(KERNEL))
    await writeFile(path.join(kernel, path.basename(name)), `${value}\n`);
  await run(covered.map(([file, place]) => `mount --bind ${file} ${place}`));
  await start();
  await run(covered.map(([, place]) => `umount ${place}`));
}
