/** `nereid keys`: makes what an installation needs to sign, to keep plans and to link to logs. */
import { randomBytes } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ensureKeyFiles, KEY_PAIRS } from '@nereid/signature';
import { foundAt } from '../environment/unreadable.ts';

export type KeysMade =
  { readonly kind: 'made'; readonly lines: readonly string[] } | { readonly kind: 'failed'; readonly why: string };

const GUIDE = [
  'gateway: GATEWAY_KEY_FILE=gateway-key.pem',
  'workers with the role control: GATEWAY_PUBLIC_KEY_FILE=gateway-key.pub.pem, ORDERS_KEY_FILE=orders-key.pem,',
  '  POOL_PUBLIC_KEY_FILE=pool-key.pub.pem, POOL_SEAL_PUBLIC_KEY_FILE=pool-seal-key.pub.pem, LINK_KEY_FILE=link-key',
  'workers with the role terraform: ORDERS_PUBLIC_KEY_FILE=orders-key.pub.pem, POOL_KEY_FILE=pool-key.pem,',
  '  POOL_SEAL_KEY_FILE=pool-seal-key.pem, PLAN_KEY_FILE=plan-key',
  'console: LINK_KEY_FILE=link-key',
] as const;

/** An existing key is left as it is. */
export function makeKeys(folder: string): KeysMade {
  try {
    const pairs = ensureKeyFiles(folder);
    const lines = [
      ...KEY_PAIRS.flatMap((name) => [
        lineOf(pairs[name].privateFile, pairs[name].isNew),
        lineOf(pairs[name].publicFile, pairs[name].isPublicNew),
      ]),
      ...['plan-key', 'link-key'].map((name) => ensureKey(join(folder, name))),
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
