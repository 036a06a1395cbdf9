/** A worker's configuration, from the environment and the server's file. All problems are reported at once. */
import type { KeyObject } from 'node:crypto';
import {
  env,
  githubUrlOf,
  hostGraceMs,
  isLoopback,
  policyFolderProblems,
  readEnv,
  STORAGE_VARIABLES,
  storageAccess,
  storageProblems,
  type Address,
  type EnvironmentRecord,
  type LocatedProblem,
  type Secret,
  type ServerConfig,
  type StorageAccess,
} from '@nereid/config';
import { DEFAULT_POOL } from '@nereid/domain/root';
import { readProcessConfig, type CommonConfig } from '@nereid/process';
import type { IssuerOptions } from '@nereid/signature';
import { realFolder } from '../disk/real-folder.ts';
import { secretFilesOf } from '../environment.ts';
import { filedKeysOf, ownKeysOf, poolProblems, sealKeyOf, type PoolsConfig } from '../keys/pool-keys.ts';
import type { SealKeys, SigningKeys } from '../keys/worker-keys.ts';
import { ROLES, type Role } from './roles.ts';
import { CONTROL_GRACE_MS, shareGrace, type StopGrace } from './share-grace.ts';
import { IDENTITY_VARIABLES, identityProblems, issuerOptionsOf } from './identity-config.ts';

export interface WorkerConfig extends CommonConfig {
  readonly roles: readonly Role[];
  /** Of which it is a host. */
  readonly pool: string;
  /** The address of `/healthz` and `/readyz`. */
  readonly address: Address;
  readonly github: GitHubConfig;
  /** As the server's file said at the start. */
  readonly storage: StorageAccess;
  /** Absolute; no other worker may use it. */
  readonly dataDir: string;
  /** Absolute; the same on every host. */
  readonly workDir: string;
  /** The keys of kept plans in base64, newest first; undefined when they are in a file in `dataDir`. */
  readonly planKeys: readonly Secret[] | undefined;
  readonly links: LinkConfig;
  readonly signingKeys: SigningKeys;
  readonly sealKeys: SealKeys;
  /** Open what the console seals; while keys rotate, there are several. Empty where the console only reads. */
  readonly requestKeys: readonly KeyObject[];
  /** Makes the tokens by which clouds know jobs; undefined where roots have no identities. */
  readonly issuer: IssuerOptions | undefined;
  /** Absolute paths of the files that hold its secrets. */
  readonly secretFiles: readonly string[];
  /** The names of secrets in its environment that a worker of these roles does not need. */
  readonly unneeded: readonly string[];
  /** The disk space that mirrors, idle working trees and shared providers may take together. */
  readonly diskBudgetBytes: number;
  /** As the server's file said at the start, unless it is set. */
  readonly grace: StopGrace;
}

export interface GitHubConfig {
  /** Undefined on a host that is not to have the App's key. */
  readonly app: AppConfig | undefined;
  /** Without a trailing slash, like `url`. */
  readonly apiUrl: string;
  /** The base URL of repositories and of GitHub's pages. */
  readonly url: string;
}

export interface AppConfig {
  readonly id: number;
  /** PEM. */
  readonly privateKey: Secret;
}

/** The settings from which links in check runs and comments are made. */
export interface LinkConfig {
  /** Without a trailing slash. */
  readonly consoleUrl: string;
  /** Undefined when links carry no key; the console then decides who may read. */
  readonly key: Secret | undefined;
  /** The repositories whose links carry the key. */
  readonly keyedRepositories: 'private' | 'all';
  readonly temporalUiUrl: string | undefined;
}

/** AES-256. */
const PLAN_KEY_BYTES = 32;

const VARIABLES = {
  roles: env.someOf('WORKER_ROLES', ROLES).default('control,terraform'),
  pool: env.string('POOL').default(DEFAULT_POOL),
  address: env.address('WORKER_ADDRESS').default('127.0.0.1:4142'),
  appId: env.integer('GITHUB_APP_ID', { min: 1, max: 999_999_999_999 }),
  privateKey: env.rsaKey('GITHUB_APP_PRIVATE_KEY'),
  apiUrl: env.url('GITHUB_API_URL').default('https://api.github.com'),
  dataDir: env.path('DATA_DIR').default('/var/lib/nereid'),
  workDir: env.path('WORK_DIR').default('/var/lib/nereid/work'),
  planKeys: env.keys('PLAN_KEY', PLAN_KEY_BYTES),
  linkKeys: env.signingKeys('LINK_KEY'),
  gatewayPublicKey: env.publicKeys('GATEWAY_PUBLIC_KEY'),
  consolePublicKey: env.publicKeys('CONSOLE_PUBLIC_KEY'),
  controlSealKeys: env.openingKeys('CONTROL_SEAL_KEY'),
  ordersKey: env.privateKey('ORDERS_KEY'),
  ordersPublicKey: env.publicKeys('ORDERS_PUBLIC_KEY'),
  poolKey: env.privateKey('POOL_KEY'),
  poolPublicKey: env.publicKeys('POOL_PUBLIC_KEY'),
  poolSealKeys: env.openingKeys('POOL_SEAL_KEY'),
  poolSealPublicKey: env.sealingKey('POOL_SEAL_PUBLIC_KEY'),
  ...IDENTITY_VARIABLES,
  consoleUrl: env.url('CONSOLE_URL').default('http://127.0.0.1:4144'),
  diskBudgetBytes: env.bytes('DISK_BUDGET').default('20GB'),
  shutdownGraceMs: env.duration('SHUTDOWN_GRACE'),
  ...STORAGE_VARIABLES,
};

type Values = Extract<ReturnType<typeof readEnv<typeof VARIABLES>>, { kind: 'ok' }>['values'];

/** Throws a ConfigurationError with every problem. `isTerminal` decides between pretty and JSON logs. */
export function readConfig(record: EnvironmentRecord, isTerminal: boolean): WorkerConfig {
  const { values, ...common } = readProcessConfig(record, isTerminal, VARIABLES, (file) => [
    ...appProblems(record),
    ...(file ? linkKeyProblems(record, file) : []),
    ...signingKeyProblems(record, file ?? { pools: [] }),
    ...(file ? planKeyProblems(record, file) : []),
    ...(file ? policyProblems(record, file) : []),
    ...(file ? storageProblems(record, file) : []),
    ...(file ? problemsOfIdentities(record, file) : []),
  ]);
  return {
    ...common,
    roles: values.roles,
    pool: values.pool,
    address: values.address,
    github: githubConfigOf(values),
    storage: storageAccess(common.server.current().storage, values),
    dataDir: realFolder(values.dataDir),
    workDir: realFolder(values.workDir),
    planKeys: values.planKeys,
    links: linkConfigOf(values, common.server.current()),
    signingKeys: {
      gateway: values.gatewayPublicKey ?? [],
      console: values.consolePublicKey ?? [],
      orders: { privateKey: values.ordersKey, publicKeys: values.ordersPublicKey ?? [] },
      pool: { privateKey: values.poolKey, publicKeys: values.poolPublicKey ?? [] },
    },
    requestKeys: values.controlSealKeys ?? [],
    sealKeys: { publicKey: values.poolSealPublicKey, privateKeys: values.poolSealKeys ?? [] },
    issuer: issuerOptionsOf(values),
    secretFiles: secretFilesOf(record),
    unneeded: unneededBy(values),
    diskBudgetBytes: values.diskBudgetBytes,
    grace: shareGrace(values.shutdownGraceMs ?? graceOf(values, common.server.current()), values.roles),
  };
}

/** Whether kept plans are in a folder on this machine, where their key may be too. */
export function keepsPlansInFolder(server: ServerConfig): boolean {
  return server.storage.plans.startsWith('file:');
}

function githubConfigOf({ appId, privateKey, apiUrl }: Values): GitHubConfig {
  const app = appId !== undefined && privateKey ? { id: appId, privateKey } : undefined;
  return { app, apiUrl, url: githubUrlOf(apiUrl) };
}

function graceOf({ roles }: Values, server: ServerConfig): number {
  return roles.includes('terraform') ? hostGraceMs(server) : CONTROL_GRACE_MS;
}

/** What a worker does not have, nobody who takes it over can use. */
function unneededBy({
  roles,
  privateKey,
  linkKeys,
  ordersKey,
  controlSealKeys,
  identityKey,
  planKeys,
  poolKey,
  poolSealKeys,
}: Values): readonly string[] {
  const ofControl = {
    GITHUB_APP_PRIVATE_KEY: privateKey,
    LINK_KEY: linkKeys,
    ORDERS_KEY: ordersKey,
    CONTROL_SEAL_KEY: controlSealKeys,
    IDENTITY_KEY: identityKey,
  };
  const ofHosts = { PLAN_KEY: planKeys, POOL_KEY: poolKey, POOL_SEAL_KEY: poolSealKeys };
  const unneeded = {
    ...(roles.includes('control') ? {} : ofControl),
    ...(roles.includes('terraform') ? {} : ofHosts),
  };
  return Object.entries(unneeded).flatMap(([name, value]) => (value === undefined ? [] : [name]));
}

function linkConfigOf({ consoleUrl, linkKeys }: Values, { console }: Pick<ServerConfig, 'console'>): LinkConfig {
  const { logLinks, temporalUi } = console;
  const key = logLinks === 'login' ? undefined : linkKeys?.[0];
  return { consoleUrl, key, keyedRepositories: logLinks === 'key' ? 'all' : 'private', temporalUiUrl: temporalUi?.url };
}

/** Reports nothing when one of the variables is invalid itself, because that is reported already. */
function appProblems(record: EnvironmentRecord): readonly LocatedProblem[] {
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
function linkKeyProblems(record: EnvironmentRecord, file: Pick<ServerConfig, 'console'>): readonly LocatedProblem[] {
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
function signingKeyProblems(record: EnvironmentRecord, server: PoolsConfig): readonly LocatedProblem[] {
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

function planKeyProblems(record: EnvironmentRecord, server: ServerConfig): readonly LocatedProblem[] {
  const { roles, planKeys } = VARIABLES;
  const read = readEnv(record, { roles, planKeys });
  if (read.kind === 'invalid' || read.values.planKeys || keepsPlansInFolder(server)) return [];
  // Control alone removes plans, and reads none.
  if (!read.values.roles.includes('terraform')) return [];
  const message = `expected base64 of ${PLAN_KEY_BYTES} bytes, in PLAN_KEY or in the file named by PLAN_KEY_FILE, because plans are kept at ${server.storage.plans}, found nothing; set it to the same key on every host`;
  return [{ path: 'PLAN_KEY', message }];
}

/** Only a host evaluates policies. */
function policyProblems(record: EnvironmentRecord, server: ServerConfig): readonly LocatedProblem[] {
  const read = readEnv(record, { roles: VARIABLES.roles });
  return read.kind === 'ok' && read.values.roles.includes('terraform') ? policyFolderProblems(server) : [];
}

function problemsOfIdentities(record: EnvironmentRecord, server: ServerConfig): readonly LocatedProblem[] {
  const { roles, poolSealKeys } = VARIABLES;
  const read = readEnv(record, { roles, poolSealKeys });
  if (read.kind === 'invalid') return [];
  return identityProblems(record, server, {
    roles: read.values.roles,
    hasSealKey: read.values.poolSealKeys !== undefined,
  });
}
