import path from 'node:path';
import { freePort } from '../background/free-port.ts';
import { startUntilReady } from '../background/server.ts';
import type { Environment } from '../toolchain/environment.ts';
import { findPythonPackages } from '../toolchain/python-packages.ts';
import type { Report } from '../toolchain/report.ts';

export interface MotoOptions {
  readonly env: Environment;
  readonly report: Report;
  /** Where the server writes its log. */
  readonly logFile: string;
  /** Default: a free one. */
  readonly port?: number;
}

/** S3, SNS and SQS in one server, in memory. Any credentials will do; buckets are addressed by path. */
export interface Moto {
  readonly endpoint: string;
  stop(): Promise<void>;
}

const REQUIREMENTS = path.join(import.meta.dirname, 'requirements.txt');

/** It imports for two seconds; two loaded cores and a cold disk may take half a minute. */
const READY_TIMEOUT_MS = 60_000;

/** Installs moto where it is not yet, and starts it on 127.0.0.1. Throws `InstallError` or `ServerStartError`. */
export async function startMoto({ env, report, logFile, port }: MotoOptions): Promise<Moto> {
  const bin = await findPythonPackages({ name: 'moto', requirements: REQUIREMENTS, env, report });
  const chosenPort = port ?? (await freePort());
  const endpoint = `http://127.0.0.1:${chosenPort}`;
  const argv = [path.join(bin, 'python'), '-m', 'moto.server', '-H', '127.0.0.1', '-p', String(chosenPort)] as const;
  const server = await startUntilReady({
    name: "moto's server",
    process: { argv, env: {}, cwd: path.dirname(logFile), logFile },
    isReady: async () => (await fetch(`${endpoint}/moto-api/`, { signal: AbortSignal.timeout(1_000) })).ok,
    readyTimeoutMs: READY_TIMEOUT_MS,
  });
  return { endpoint, stop: () => server.stop() };
}
