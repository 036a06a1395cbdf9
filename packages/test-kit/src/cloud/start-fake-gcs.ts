import path from 'node:path';
import { freePort } from '../background/free-port.ts';
import { startUntilReady } from '../background/server.ts';
import { findFakeGcsServer } from './find-fake-gcs-server.ts';
import { emulatorAt, type Emulator, type EmulatorOptions } from './emulator.ts';

/** It is ready within a tenth of a second; two loaded cores and a cold disk may take a minute. */
const READY_TIMEOUT_MS = 120_000;

/**
 * Builds fake-gcs-server if it is missing, and starts it on 127.0.0.1: Google Cloud Storage in memory, with generations and
 * their conditions, and no credentials. Throws `ToolNotFoundError` or `ServerStartError`.
 */
export async function startFakeGcs(options: EmulatorOptions): Promise<Emulator> {
  const { logFile, signal } = options;
  const program = await findFakeGcsServer(options);
  const port = options.port ?? (await freePort());
  const endpoint = `http://127.0.0.1:${port}`;
  const listen = ['-scheme', 'http', '-host', '127.0.0.1', '-port', String(port), '-external-url', endpoint] as const;
  const argv = [program, ...listen, '-backend', 'memory', '-log-level', 'warn'] as const;
  const server = await startUntilReady({
    name: 'fake-gcs-server',
    process: { argv, env: {}, cwd: path.dirname(logFile), logFile },
    isReady: async () => (await fetch(`${endpoint}/_internal/healthcheck`, { signal: AbortSignal.timeout(1_000) })).ok,
    readyTimeoutMs: READY_TIMEOUT_MS,
    signal,
  });
  return emulatorAt(endpoint, server);
}
