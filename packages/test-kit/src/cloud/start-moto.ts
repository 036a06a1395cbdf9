import path from 'node:path';
import { freePort } from '../background/free-port.ts';
import { startUntilReady } from '../background/server.ts';
import { findPythonPackages } from '../toolchain/python-packages.ts';
import { emulatorAt, type Emulator, type EmulatorOptions } from './emulator.ts';

const REQUIREMENTS = path.join(import.meta.dirname, 'requirements.txt');

/** Moto's imports take two seconds; two loaded cores and a cold disk may take a minute. */
const READY_TIMEOUT_MS = 120_000;

/** Installs moto if it is missing, so that a later start takes seconds. Returns its `bin` folder. Throws `InstallError`. */
export function installMoto({
  env,
  report,
  signal,
}: Pick<EmulatorOptions, 'env' | 'report' | 'signal'>): Promise<string> {
  return findPythonPackages({ name: 'moto', requirements: REQUIREMENTS, env, report, signal });
}

/**
 * Installs moto if it is missing, and starts it on 127.0.0.1: S3, SNS and SQS in one server, in memory. Any credentials will
 * do; buckets are addressed by path. Throws `InstallError` or `ServerStartError`.
 */
export async function startMoto(options: EmulatorOptions): Promise<Emulator> {
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
  return emulatorAt(endpoint, server);
}
