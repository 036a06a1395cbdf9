/** `nereid keys`: makes what an installation needs to sign, to keep plans, to link to logs and to reach Temporal. */
import { randomBytes } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ensureKeyFiles, KEY_PAIRS } from '@nereid/signature';
import { foundAt } from '../environment/unreadable.ts';
import { ensureTemporalCertificates } from './temporal-certificates.ts';

export type KeysMade =
  { readonly kind: 'made'; readonly lines: readonly string[] } | { readonly kind: 'failed'; readonly why: string };

const GUIDE = [
  'gateway: GATEWAY_KEY_FILE=gateway-key.pem',
  'workers with the role control: GATEWAY_PUBLIC_KEY_FILE=gateway-key.pub.pem, ORDERS_KEY_FILE=orders-key.pem,',
  '  POOL_PUBLIC_KEY_FILE=pool-key.pub.pem, POOL_SEAL_PUBLIC_KEY_FILE=pool-seal-key.pub.pem, LINK_KEY_FILE=link-key',
  'workers with the role terraform: ORDERS_PUBLIC_KEY_FILE=orders-key.pub.pem, POOL_KEY_FILE=pool-key.pem,',
  '  POOL_SEAL_KEY_FILE=pool-seal-key.pem, PLAN_KEY_FILE=plan-key',
  'console: LINK_KEY_FILE=link-key',
  'gateway, workers, console: TEMPORAL_TLS_SERVER_CA_CERT_PATH=temporal-ca.pem,',
  '  TEMPORAL_TLS_CLIENT_CERT_PATH=temporal-client-<process>.pem, TEMPORAL_TLS_CLIENT_KEY_PATH=temporal-client-<process>-key.pem',
  'no process: temporal-ca-key.pem, which makes more certificates; keep it elsewhere',
] as const;

/** An existing key is left as it is. */
export async function makeKeys(folder: string): Promise<KeysMade> {
  try {
    const pairs = ensureKeyFiles(folder);
    const lines = [
      ...KEY_PAIRS.flatMap((name) => [
        lineOf(pairs[name].privateFile, pairs[name].isNew),
        lineOf(pairs[name].publicFile, pairs[name].isPublicNew),
      ]),
      ...['plan-key', 'link-key'].map((name) => ensureKey(join(folder, name))),
      ...(await ensureTemporalCertificates(folder)).map(({ name, isNew }) => lineOf(`${name}.pem`, isNew)),
    ];
    return { kind: 'made', lines: [...lines, '', ...GUIDE] };
  } catch (error) {
    return { kind: 'failed', why: `expected a folder for keys, found ${foundAt(folder, error)}` };
  }
}

function ensureKey(file: string): string {
  const isNew = !existsSync(file);
  if (isNew) writeFileSync(file, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx' });
  return lineOf(file, isNew);
}

function lineOf(file: string, isNew: boolean): string {
  return `${basename(file)}: ${isNew ? 'made' : 'left as it was'}`;
}
