/** The secrets that people would put in place by hand. They are made once and kept in files that nobody else can read. */
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ensureKeyFiles, ensurePoolKeyFiles, type PoolKeyFiles } from '@nereid/signature';
import { makeAppKey } from '@nereid/github-stand-in';

export interface Secrets {
  readonly appKey: SecretFile;
  readonly webhook: SecretFile;
  readonly link: SecretFile;
  readonly plan: SecretFile;
  readonly payload: SecretFile;
  /** With which processes sign what they send through Temporal. */
  readonly signing: ReturnType<typeof ensureKeyFiles>;
  /** By the name of the pool; `default` is not among them. */
  readonly pools: ReadonlyMap<string, PoolKeyFiles>;
}

export interface SecretFile {
  readonly file: string;
  readonly value: string;
}

export async function makeSecrets(folder: string, pools: readonly string[]): Promise<Secrets> {
  const ensure = (name: string, make: () => string) => ensureSecret(path.join(folder, name), make);
  return {
    appKey: await ensure('github-app-private-key.pem', () => makeAppKey().privateKey),
    webhook: await ensure('github-webhook-secret', () => makeKey('hex')),
    link: await ensure('link-key', () => makeKey('base64')),
    plan: await ensure('plan-key', () => makeKey('base64')),
    payload: await ensure('payload-key', () => makeKey('base64')),
    signing: ensureKeyFiles(folder),
    pools: new Map(pools.map((pool) => [pool, ensurePoolKeyFiles(folder, pool)])),
  };
}

async function ensureSecret(file: string, make: () => string): Promise<SecretFile> {
  // An earlier run's secret stays: the flag refuses to write over it.
  await writeFile(file, make(), { mode: 0o600, flag: 'wx' }).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  });
  return { file, value: await readFile(file, 'utf8') };
}

/** All our keys have 32 bytes. */
function makeKey(encoding: 'hex' | 'base64'): string {
  return randomBytes(32).toString(encoding);
}
