/** `nereid keys`: makes what an installation needs to sign, to keep plans, to link to logs and to reach Temporal. */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DEFAULT_POOL } from '@nereid/domain/root';
import {
  ensureIdentityKeyFiles,
  ensureKeyFiles,
  ensurePoolKeyFiles,
  KEY_PAIRS,
  type KeyPairFiles,
} from '@nereid/signature';
import { foundAt } from '../environment/unreadable.ts';
import { quote } from '../yaml/problem.ts';
import { POOL_NAME } from '../settings/settings-schema.ts';
import { AuthorityAwayError, ensureTemporalCertificates } from './temporal-certificates.ts';

export type KeysMade =
  | {
      readonly kind: 'made';
      /** A line for each file. */
      readonly files: readonly string[];
      /** Says which process gets which. */
      readonly guide: readonly string[];
    }
  | { readonly kind: 'failed'; readonly why: string };

const GUIDE = [
  'gateway: GATEWAY_KEY_FILE=gateway-key.pem',
  'workers with the role control: GATEWAY_PUBLIC_KEY_FILE=gateway-key.pub.pem, ORDERS_KEY_FILE=orders-key.pem,',
  '  CONSOLE_PUBLIC_KEY_FILE=console-key.pub.pem, CONTROL_SEAL_KEY_FILE=control-seal-key.pem,',
  '  POOL_PUBLIC_KEY_FILE=pool-key.pub.pem, POOL_SEAL_PUBLIC_KEY_FILE=pool-seal-key.pub.pem, LINK_KEY_FILE=link-key',
  'workers with the role terraform: ORDERS_PUBLIC_KEY_FILE=orders-key.pub.pem, POOL_KEY_FILE=pool-key.pem,',
  '  POOL_SEAL_KEY_FILE=pool-seal-key.pem, PLAN_KEY_FILE=plan-key',
  'console: CONSOLE_KEY_FILE=console-key.pem, CONTROL_SEAL_PUBLIC_KEY_FILE=control-seal-key.pub.pem, LINK_KEY_FILE=link-key,',
  '  ORDERS_PUBLIC_KEY_FILE=orders-key.pub.pem, SESSION_KEY_FILE=session-key',
  'where roots have identities: gateway: IDENTITY_PUBLIC_KEY_FILE=identity-key.pub.pem; workers with the role control:',
  '  IDENTITY_KEY_FILE=identity-key.pem; both: IDENTITY_ISSUER=<the URL of the gateway>',
  'gateway, workers, console: TEMPORAL_TLS_SERVER_CA_CERT_PATH=temporal-ca.pem,',
  '  TEMPORAL_TLS_CLIENT_CERT_PATH=temporal-client-<process>.pem, TEMPORAL_TLS_CLIENT_KEY_PATH=temporal-client-<process>-key.pem',
  'gateway, workers, console, where Temporal is to see no content: PAYLOAD_KEY_FILE=payload-key',
  'no process: temporal-ca-key.pem, which can make more certificates; keep it elsewhere',
] as const;

/** An existing key is left as it is. With the name of a pool, only the keys of that pool are made. */
export async function makeKeys(folder: string, pool = DEFAULT_POOL): Promise<KeysMade> {
  if (!POOL_NAME.safeParse(pool).success)
    return {
      kind: 'failed',
      why: `expected the name of a pool, of lower-case letters, digits and "-", at most 40, found ${quote(pool)}`,
    };
  try {
    return pool === DEFAULT_POOL ? await makeAllKeys(folder) : makePoolKeys(folder, pool);
  } catch (error) {
    if (error instanceof AuthorityAwayError) return { kind: 'failed', why: error.message };
    return { kind: 'failed', why: `expected a folder for keys, found ${foundAt(folder, error)}` };
  }
}

async function makeAllKeys(folder: string): Promise<KeysMade> {
  const pairs = ensureKeyFiles(folder);
  const files = [
    ...KEY_PAIRS.flatMap((name) => linesOf(pairs[name])),
    ...linesOf(ensureIdentityKeyFiles(folder)),
    ...['plan-key', 'link-key', 'session-key', 'payload-key'].map((name) => ensureKey(join(folder, name))),
    ...(await ensureTemporalCertificates(folder)).map(({ name, isNew }) => lineOf(`${name}.pem`, isNew)),
  ];
  return { kind: 'made', files, guide: GUIDE };
}

function makePoolKeys(folder: string, pool: string): KeysMade {
  const { sign, seal } = ensurePoolKeyFiles(folder, pool);
  const planKey = `pool-${pool}-plan-key`;
  const guide = [
    `workers of the pool: POOL=${pool}, POOL_KEY_FILE=${basename(sign.privateFile)}, POOL_SEAL_KEY_FILE=${basename(seal.privateFile)},`,
    `  PLAN_KEY_FILE=${planKey}, ORDERS_PUBLIC_KEY_FILE=orders-key.pub.pem`,
    "the server's file:",
    'pools:',
    `  - name: ${pool}`,
    ...blockOf('public_key', sign),
    ...blockOf('seal_public_key', seal),
  ];
  return { kind: 'made', files: [...linesOf(sign), ...linesOf(seal), ensureKey(join(folder, planKey))], guide };
}

/** A block of text in YAML, as an entry of a list has it. */
function blockOf(key: string, { publicFile }: KeyPairFiles): readonly string[] {
  const pem = readFileSync(publicFile, 'utf8').trim().split('\n');
  return [`    ${key}: |`, ...pem.map((line) => `      ${line}`)];
}

function linesOf({ privateFile, isNew, publicFile, isPublicNew }: KeyPairFiles): readonly string[] {
  return [lineOf(privateFile, isNew), lineOf(publicFile, isPublicNew)];
}

function ensureKey(file: string): string {
  const isNew = !existsSync(file);
  if (isNew) writeFileSync(file, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx' });
  return lineOf(file, isNew);
}

function lineOf(file: string, isNew: boolean): string {
  return `${basename(file)}: ${isNew ? 'made' : 'left as it was'}`;
}
