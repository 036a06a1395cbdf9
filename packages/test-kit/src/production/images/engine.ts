/** A container engine of our own: its images, containers and socket are in a temporary folder, and it makes no network unless told to. */
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startUntilReady } from '../../background/server.ts';
import type { Environment } from '../../toolchain/environment.ts';
import { runTool } from '../../toolchain/run-tool.ts';
import { findDocker } from './find-docker.ts';

export interface Engine {
  /** Runs `docker` with these arguments, and returns its output. Throws with the end of its errors. */
  docker(args: readonly string[], timeoutMs?: number): Promise<string>;
  /** Runs lines of a shell, as people type them, where `docker` is this one. Returns all that they print; throws where one fails. */
  shell(lines: string, timeoutMs?: number): Promise<string>;
  /**
   * Starts it again, with what it has, in a network that is its own: there containers have networks, and publish ports, which nobody on
   * this machine sees. `tools` is a folder of programs that are needed for it, `compose` the path of Docker Compose.
   */
  moveToOwnNetwork(tools: string, compose: string): Promise<void>;
  stop(): Promise<void>;
}

/** It is ready within a second or two; a loaded machine may take many times that. */
const READY_TIMEOUT_MS = 120_000;
/** Of commands that start or ask something. */
const COMMAND_TIMEOUT_MS = 120_000;
/** It ends its containers first. */
const STOP_GRACE_MS = 60_000;

const NO_NETWORK = ['--bridge', 'none', '--iptables=false', '--ip6tables=false', '--ip-forward=false'];
const OWN_NETWORK = ['--ip6tables=false'];
/** A new network has its loopback device down. */
const IN_OWN_NETWORK = ['unshare', '--net', 'sh', '-ec', 'ip link set lo up; exec "$@"', 'sh'];

/** Needs root, and a temporary folder on a file system on which overlays can be mounted. */
export async function startEngine(env: Environment): Promise<Engine> {
  const tools = await findDocker(env);
  const folder = await mkdtemp(path.join(tmpdir(), 'engine-'));
  const file = (name: string) => path.join(folder, name);
  const host = `unix://${file('docker.sock')}`;
  const client = { ...env, DOCKER_BUILDKIT: '1', DOCKER_CONFIG: file('client') };
  const docker = (args: readonly string[], timeoutMs = COMMAND_TIMEOUT_MS) =>
    runTool({ argv: [path.join(tools, 'docker'), '--host', host, ...args], env: client, timeoutMs });
  const start = (before: readonly string[], network: readonly string[], programs: string) => {
    const places = ['--data-root', file('data'), '--exec-root', file('run'), '--pidfile', file('pid')];
    const server = [path.join(tools, 'dockerd'), '--host', host, ...places, '--storage-driver', 'overlay2'];
    const argv = [...before, ...server, ...network] as [string, ...string[]];
    const variables = { PATH: `${programs}:/usr/sbin:/usr/bin:/sbin:/bin` };
    return startUntilReady({
      name: 'dockerd',
      process: { argv, env: variables, cwd: folder, logFile: file('log'), graceMs: STOP_GRACE_MS },
      isReady: async () => (await docker(['version', '--format', '{{.Server.Version}}'])) !== '',
      readyTimeoutMs: READY_TIMEOUT_MS,
    });
  };
  const shell = (lines: string, timeoutMs = COMMAND_TIMEOUT_MS) => {
    const argv = ['bash', '-euo', 'pipefail', '-c', `exec 2>&1\n${lines}`] as const;
    const own = { DOCKER_HOST: host, PATH: `${tools}:${env['PATH'] ?? ''}` };
    return runTool({ argv: [...argv], env: { ...client, ...own }, timeoutMs });
  };
  let server = await start([], NO_NETWORK, tools);
  return {
    docker,
    shell,
    async moveToOwnNetwork(networkTools, compose) {
      const plugins = file('client/cli-plugins');
      await mkdir(plugins, { recursive: true });
      await symlink(compose, path.join(plugins, 'docker-compose'));
      await server.stop();
      server = await start(IN_OWN_NETWORK, OWN_NETWORK, `${tools}:${networkTools}`);
    },
    async stop() {
      const containers = (await docker(['ps', '--all', '--quiet'])).split('\n').filter((id) => id !== '');
      if (containers.length > 0) await docker(['rm', '--force', '--volumes', ...containers]);
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
