/** What a worker's variables lack together, or with the server's file. */
import {
  isLoopback,
  policyFolderProblems,
  readEnv,
  type EnvironmentRecord,
  type LocatedProblem,
  type ServerConfig,
} from '@nereid/config';
import { DEFAULT_POOL } from '@nereid/domain/root';
import { filedKeysOf, ownKeysOf, poolProblems, sealKeyOf, type PoolsConfig } from '../keys/pool-keys.ts';
import { identityProblems } from './identity-config.ts';
import { PLAN_KEY_BYTES, VARIABLES, type Values } from './variables.ts';

/** Reports nothing when one of the variables is invalid itself, because that is reported already. */
export function appProblems(record: EnvironmentRecord): readonly LocatedProblem[] {
  const { roles, appId, privateKey } = VARIABLES;
  const read = readEnv(record, { roles, appId, privateKey });
  if (read.kind === 'invalid') return [];
  const { values: has } = read;
  const isControl = has.roles.includes('control');
  return [
    ...((isControl || has.privateKey) && has.appId === undefined
      ? [
          {
            path: 'GITHUB_APP_ID',
            message: "expected the GitHub App's id, found nothing; set it, or make the App with: nereid setup",
          },
        ]
      : []),
    ...(isControl && !has.privateKey
      ? [
          {
            path: 'GITHUB_APP_PRIVATE_KEY',
            message:
              "expected the GitHub App's private key as PEM, in GITHUB_APP_PRIVATE_KEY or in the file named by GITHUB_APP_PRIVATE_KEY_FILE, found nothing; set it",
          },
        ]
      : []),
  ];
}

/** Reports nothing when one of the variables is invalid itself, because that is reported already. */
export function linkKeyProblems(
  record: EnvironmentRecord,
  file: Pick<ServerConfig, 'console'>,
): readonly LocatedProblem[] {
  const { roles, linkKeys, consoleUrl } = VARIABLES;
  const read = readEnv(record, { roles, linkKeys, consoleUrl });
  if (read.kind === 'invalid' || read.values.linkKeys) return [];
  const { values } = read;
  const writesLinks = values.roles.includes('control') && file.console.logLinks !== 'login';
  if (!writesLinks || isLoopback(new URL(values.consoleUrl).hostname)) return [];
  const message =
    'expected a key for the links to deployments, in LINK_KEY or in the file named by LINK_KEY_FILE, found nothing; set it to the key that the console has';
  return [{ path: 'LINK_KEY', message }];
}

/** Reports nothing when one of the variables is invalid itself, because that is reported already. */
export function signingKeyProblems(record: EnvironmentRecord, server: PoolsConfig): readonly LocatedProblem[] {
  const { roles, pool, gatewayPublicKey, ordersKey, ordersPublicKey, poolKey, poolPublicKey } = VARIABLES;
  const { poolSealKeys, poolSealPublicKey } = VARIABLES;
  const signing = { gatewayPublicKey, ordersKey, ordersPublicKey, poolKey, poolPublicKey };
  const read = readEnv(record, { roles, pool, ...signing, poolSealKeys, poolSealPublicKey });
  if (read.kind === 'invalid') return [];
  const { values: has } = read;
  const hasAppKey = ['GITHUB_APP_PRIVATE_KEY', 'GITHUB_APP_PRIVATE_KEY_FILE'].some(
    (name) => record[name] !== undefined,
  );
  const [isControl, isHost] = [has.roles.includes('control'), has.roles.includes('terraform')];
  const isOfDefault = isHost && has.pool === DEFAULT_POOL;
  const sealKeys = { publicKey: has.poolSealPublicKey, privateKeys: [] };
  const missing = [
    ...(isControl && !has.gatewayPublicKey ? ['GATEWAY_PUBLIC_KEY'] : []),
    ...(isControl && !has.ordersKey ? ['ORDERS_KEY'] : []),
    ...(isHost && !has.poolKey ? ['POOL_KEY'] : []),
    // With the private half, a process knows the public one.
    ...(isHost && !isControl && !has.ordersKey && !has.ordersPublicKey ? ['ORDERS_PUBLIC_KEY'] : []),
    ...(isControl && !isOfDefault && !knowsDefault(has, server) ? ['POOL_PUBLIC_KEY'] : []),
    // With the App's key, a host makes its tokens itself.
    ...(isHost && !isControl && !hasAppKey && !has.poolSealKeys ? ['POOL_SEAL_KEY'] : []),
    ...(isControl && !isHost && !sealKeyOf({ sealKeys, server: { current: () => server } }, DEFAULT_POOL)
      ? ['POOL_SEAL_PUBLIC_KEY']
      : []),
  ];
  return [
    ...missing.map((path) => ({ path, message: missingKey(path) })),
    ...poolProblems({ ...has, isHost, poolSealKeys: hasAppKey ? undefined : has.poolSealKeys }, server),
  ];
}

/** Whether this process can tell what a host of `default` has signed. */
function knowsDefault(
  { pool, poolKey, poolPublicKey }: Pick<Values, 'pool' | 'poolKey' | 'poolPublicKey'>,
  server: PoolsConfig,
): boolean {
  const keys = { privateKey: poolKey, publicKeys: poolPublicKey ?? [] };
  return ownKeysOf({ pool, keys }, DEFAULT_POOL).length + filedKeysOf(server, DEFAULT_POOL).length > 0;
}

function missingKey(name: string): string {
  const type = name.startsWith('POOL_SEAL') ? 'X25519' : 'Ed25519';
  return `expected an ${type} key as PEM, in ${name} or in the file named by ${name}_FILE, found nothing; make all keys with: nereid keys FOLDER`;
}

/** Whether kept plans are in a folder on this machine, where their key may be too. */
export function keepsPlansInFolder(server: ServerConfig): boolean {
  return server.storage.plans.startsWith('file:');
}

export function planKeyProblems(record: EnvironmentRecord, server: ServerConfig): readonly LocatedProblem[] {
  const { roles, planKeys } = VARIABLES;
  const read = readEnv(record, { roles, planKeys });
  if (read.kind === 'invalid' || read.values.planKeys || keepsPlansInFolder(server)) return [];
  // Control alone removes plans, and reads none.
  if (!read.values.roles.includes('terraform')) return [];
  const message = `expected base64 of ${PLAN_KEY_BYTES} bytes, in PLAN_KEY or in the file named by PLAN_KEY_FILE, because plans are kept at ${server.storage.plans}, found nothing; set it to the same key on every host`;
  return [{ path: 'PLAN_KEY', message }];
}

/** Only a host evaluates policies. */
export function policyProblems(record: EnvironmentRecord, server: ServerConfig): readonly LocatedProblem[] {
  const read = readEnv(record, { roles: VARIABLES.roles });
  return read.kind === 'ok' && read.values.roles.includes('terraform') ? policyFolderProblems(server) : [];
}

export function problemsOfIdentities(record: EnvironmentRecord, server: ServerConfig): readonly LocatedProblem[] {
  const { roles, poolSealKeys } = VARIABLES;
  const read = readEnv(record, { roles, poolSealKeys });
  if (read.kind === 'invalid') return [];
  return identityProblems(record, server, {
    roles: read.values.roles,
    hasSealKey: read.values.poolSealKeys !== undefined,
  });
}
