/** A cluster with one node, on this machine: an API server, its controllers and scheduler, a kubelet, and containerd. */
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { stringify } from 'yaml';
import { startUntilReady } from '../../background/server.ts';
import type { Environment } from '../../toolchain/environment.ts';
import { exists } from '../../toolchain/install-once.ts';
import { runTool } from '../../toolchain/run-tool.ts';
import { findKubernetes } from '../chart/find-kubernetes.ts';
import { startApiServer } from '../chart/start-api-server.ts';
import { findNetworkTools } from '../compose-up/find-compose.ts';
import { IMAGES } from './cluster-images.ts';
import { findRuntime } from './find-runtime.ts';
import { NODE_ADDRESS, PODS, withKernel } from './machine.ts';
import { containerdFile, kubeletFile, networkFile } from './node-files.ts';

export interface Cluster {
  readonly kubeconfig: string;
  /** Returns what it prints. Throws with the end of its errors. */
  kubectl(args: readonly string[], timeoutMs?: number): Promise<string>;
  stop(): Promise<void>;
}

export const NODE = 'node';

/** Seconds; beside others many times that. */
const READY_TIMEOUT_MS = 300_000;
const COMMAND_TIMEOUT_MS = 120_000;
const IMPORT_TIMEOUT_MS = 600_000;

const CGROUPS = '/sys/fs/cgroup';

type Argv = readonly [string, ...string[]];

interface Programs {
  readonly runtime: string;
  readonly env: Readonly<Record<string, string>>;
  readonly folder: string;
  /** Starts a server, which ends with the cluster. */
  readonly start: (name: string, argv: Argv, isReady?: () => Promise<boolean>) => Promise<void>;
}

/** `folder` is for files. The machine is prepared. */
export async function startCluster(folder: string, env: Environment): Promise<Cluster> {
  const stack = new AsyncDisposableStack();
  try {
    const api = await startApiServer(env);
    stack.defer(() => api.stop());
    const programs = await programsIn(folder, stack, env);
    const argv = [await findKubernetes('kubectl', env), '--kubeconfig', api.kubeconfig] as const;
    const kubectl = (args: readonly string[], timeoutMs = COMMAND_TIMEOUT_MS) =>
      runTool({ argv: [...argv, ...args], env: programs.env, timeoutMs });
    const socket = await startContainerd(programs);
    await startControllers(programs, api.kubeconfig, env);
    const group = await makeGroup();
    await writeFile(path.join(folder, 'kubelet.yaml'), stringify(kubeletFile(folder, socket, group)));
    const program = await findKubernetes('kubelet', env);
    const options = [
      ...['--config', path.join(folder, 'kubelet.yaml')],
      ...['--hostname-override', NODE, '--node-ip', NODE_ADDRESS],
    ];
    const isReady = async () => {
      await kubectl(['wait', '--for=condition=Ready', `node/${NODE}`, '--timeout=1s']);
      return true;
    };
    await withKernel(folder, env, () =>
      programs.start('kubelet', [program, '--kubeconfig', api.kubeconfig, ...options], isReady),
    );
    return { kubeconfig: api.kubeconfig, kubectl, stop: () => stack.disposeAsync() };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

async function programsIn(folder: string, stack: AsyncDisposableStack, environment: Environment): Promise<Programs> {
  const runtime = await findRuntime(environment);
  const tools = await findNetworkTools(environment);
  const env = { PATH: `${runtime}:${tools}:/usr/sbin:/usr/bin:/sbin:/bin`, HOME: folder };
  return {
    runtime,
    env,
    folder,
    async start(name, argv, isReady = () => Promise.resolve(true)) {
      const started = await startUntilReady({
        name,
        process: { argv, env, cwd: folder, logFile: path.join(folder, `${name}.log`) },
        isReady,
        readyTimeoutMs: READY_TIMEOUT_MS,
      });
      stack.defer(() => started.stop());
    },
  };
}

/** It has all images. Returns its socket. */
async function startContainerd({ runtime, env, folder, start }: Programs): Promise<string> {
  const [socket, file] = [path.join(folder, 'containerd.sock'), path.join(folder, 'containerd.toml')];
  await mkdir(path.join(folder, 'networks'));
  await writeFile(path.join(folder, 'networks/10-bridge.conflist'), JSON.stringify(networkFile(folder)));
  await writeFile(file, containerdFile(folder, runtime, socket));
  const argv = [path.join(runtime, 'ctr'), '--address', socket, '--namespace', 'k8s.io'] as const;
  const ctr = (...args: string[]) => runTool({ argv: [...argv, ...args], env, timeoutMs: IMPORT_TIMEOUT_MS });
  await start('containerd', [path.join(runtime, 'containerd'), '--config', file], async () => {
    await ctr('version');
    return true;
  });
  await ctr('images', 'import', IMAGES);
  return socket;
}

async function startControllers({ start }: Programs, kubeconfig: string, env: Environment): Promise<void> {
  for (const name of ['kube-controller-manager', 'kube-scheduler'] as const)
    await start(name, [await findKubernetes(name, env), '--kubeconfig', kubeconfig, '--leader-elect=false']);
  const proxy = [await findKubernetes('kube-proxy', env), '--kubeconfig', kubeconfig] as const;
  // The limits of connections are the machine's.
  const limits = [
    ...['--conntrack-max-per-core', '0'],
    ...['--conntrack-tcp-timeout-established', '0s', '--conntrack-tcp-timeout-close-wait', '0s'],
  ];
  await start('kube-proxy', [...proxy, '--hostname-override', NODE, '--cluster-cidr', PODS, ...limits]);
}

/** The group of all pods. It has the name by which own-machine.sh removes it. */
async function makeGroup(): Promise<string> {
  const group = path.basename(tmpdir());
  const isOneTree = await exists(path.join(CGROUPS, 'cgroup.controllers'));
  // The first version has a tree for each kind of resource.
  for (const tree of isOneTree ? ['.'] : await readdir(CGROUPS)) await mkdir(path.join(CGROUPS, tree, group));
  return group;
}
