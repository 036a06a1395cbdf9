import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { freePort } from '../background/free-port.ts';
import { startUntilReady } from '../background/server.ts';
import { findNpmPackages } from './npm-packages.ts';
import { emulatorAt, type Emulator, type EmulatorOptions } from './emulator.ts';

export interface AzuriteOptions extends EmulatorOptions {
  /** With TLS, it takes tokens of Microsoft Entra ID as well; their signatures are not checked. */
  readonly hasTls?: boolean;
}

export interface Azurite extends Emulator {
  readonly account: string;
  /** In base64; another one for each start. */
  readonly accountKey: string;
  /** Whose certificate it shows, as PEM; undefined without TLS. */
  readonly authority: string | undefined;
}

const MANIFEST = path.join(import.meta.dirname, 'azurite');
const BLOB_SERVICE = 'azurite/dist/src/blob/main.js';
const ACCOUNT = 'nereid';
const KEY_BYTES = 64;

/** Its imports take two seconds; two loaded cores and a cold disk may take a minute. */
const READY_TIMEOUT_MS = 120_000;

/**
 * Installs Azurite if it is missing, and starts its blob service on 127.0.0.1, in memory; the account is the first part of the
 * path. It is no package of the repository: with what it needs, it takes as much disk as a third of all others. Throws
 * `InstallError` or `ServerStartError`.
 */
export async function startAzurite(options: AzuriteOptions): Promise<Azurite> {
  const { logFile, signal, hasTls = false } = options;
  const folder = path.dirname(logFile);
  const modules = await findNpmPackages({ ...options, name: 'azurite', manifest: MANIFEST });
  const port = options.port ?? (await freePort());
  const accountKey = randomBytes(KEY_BYTES).toString('base64');
  const authority = hasTls ? await writeCertificate(folder) : undefined;
  const listen = ['--blobHost', '127.0.0.1', '--blobPort', String(port), '--disableProductStyleUrl'] as const;
  const keep = ['--inMemoryPersistence', '--silent', '--disableTelemetry'] as const;
  // The library may be ahead of the emulator: newer versions add what is not used here.
  const argv = [
    process.execPath,
    path.join(modules, BLOB_SERVICE),
    ...listen,
    ...keep,
    '--skipApiVersionCheck',
  ] as const;
  const tls = ['--oauth', 'basic', '--cert', path.join(folder, CERTIFICATE), '--key', path.join(folder, KEY)];
  const server = await startUntilReady({
    name: 'Azurite',
    process: {
      argv: [...argv, ...(hasTls ? tls : [])],
      env: { AZURITE_ACCOUNTS: `${ACCOUNT}:${accountKey}` },
      cwd: folder,
      logFile,
    },
    isReady: () => isListening(port),
    readyTimeoutMs: READY_TIMEOUT_MS,
    signal,
  });
  const endpoint = `${hasTls ? 'https' : 'http'}://127.0.0.1:${port}`;
  return { ...emulatorAt(endpoint, server), account: ACCOUNT, accountKey, authority };
}

const CERTIFICATE = 'azurite.pem';
const KEY = 'azurite-key.pem';

async function writeCertificate(folder: string): Promise<string> {
  // Its library takes time to load, which everybody else is spared.
  const { makeCertificate } = await import('./make-certificate.ts');
  const { certificate, key } = await makeCertificate();
  await writeFile(path.join(folder, CERTIFICATE), certificate);
  await writeFile(path.join(folder, KEY), key, { mode: 0o600 });
  return certificate;
}

/** It listens when everything in it is ready. */
async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } finally {
    socket.destroy();
  }
}
