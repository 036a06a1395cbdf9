import path from 'node:path';
import type { Ending } from '../background/ending.ts';
import { freePort } from '../background/free-port.ts';
import { startUntilReady } from '../background/server.ts';
import type { Environment } from '../toolchain/environment.ts';
import { findPythonPackages } from '../toolchain/python-packages.ts';
import type { Report } from '../toolchain/report.ts';

export interface MotoOptions {
  readonly env: Environment;
  readonly report: Report;
  /** Ends the start early, with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Where the server writes its log. */
  readonly logFile: string;
  /** Default: a free port. */
  readonly port?: number;
}

/** S3, SNS and SQS in one server, in memory. Any credentials will do; buckets are addressed by path. */
export interface Moto {
  readonly endpoint: string;
  /** Resolves when the server is gone, for whatever reason. */
  readonly ended: Promise<Ending>;
  stop(): Promise<void>;
  /** SIGKILL at once. */
  kill(): Promise<void>;
}

const REQUIREMENTS = path.join(import.meta.dirname, 'requirements.txt');

/** Moto's imports take two seconds; two loaded cores and a cold disk may take a minute. */
const READY_TIMEOUT_MS = 120_000;

/** Installs moto if it is missing, so that a later start takes seconds. Returns its `bin` folder. Throws `InstallError`. */
export function installMoto({ env, report, signal }: Pick<MotoOptions, 'env' | 'report' | 'signal'>): Promise<string> {
  return findPythonPackages({ name: 'moto', requirements: REQUIREMENTS, env, report, signal });
}

/** Installs moto if it is missing, and starts it on 127.0.0.1. Throws `InstallError` or `ServerStartError`. */
export async function startMoto(options: MotoOptions): Promise<Moto> {
  const { logFile, port, signal } = options;
  const bin = await installMoto(options);
  const chosenPort = port ?? (await freePort());
  const endpoint = `http://127.0.0.1:${chosenPort}`;
  const argv = [path.join(bin, 'python'), '-m', 'moto.server', '-H', '127.0.0.1', '-p', String(chosenPort)] as const;
  const server = await startUntilReady({
    name: "moto's server",
    process: { argv, env: {}, cwd: path.dirname(logFile), logFile },
    isReady: async () => (await fetch(`${endpoint}/moto-api/`, { signal: AbortSignal.timeout(1_000) })).ok,
    readyTimeoutMs: READY_TIMEOUT_MS,
    signal,
  });
  return { endpoint, ended: server.ended, stop: () => server.stop(), kill: () => server.kill() };
}
