/** A worker's configuration, from the environment and the server's file. All problems are reported at once. */
import type { KeyObject } from 'node:crypto';
import {
  githubUrlOf,
  hostGraceMs,
  storageAccess,
  storageProblems,
  type Address,
  type EnvironmentRecord,
  type Secret,
  type ServerConfig,
  type StorageAccess,
} from '@nereid/config';
import { readProcessConfig, tracesConfigOf, type CommonConfig, type TracesConfig } from '@nereid/process';
import type { IssuerOptions } from '@nereid/signature';
import { realFolder } from '../disk/real-folder.ts';
import { secretFilesOf } from '../environment.ts';
import type { SealKeys, SigningKeys } from '../keys/worker-keys.ts';
import {
  appProblems,
  linkKeyProblems,
  planKeyProblems,
  policyProblems,
  problemsOfIdentities,
  signingKeyProblems,
} from './config-problems.ts';
import type { Role } from './roles.ts';
import { CONTROL_GRACE_MS, shareGrace, type StopGrace } from './share-grace.ts';
import { issuerOptionsOf } from './identity-config.ts';
import { VARIABLES, type Values } from './variables.ts';

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
  /** Where traces go; undefined where nothing is traced. */
  readonly traces: TracesConfig | undefined;
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
    traces: tracesConfigOf(values),
    secretFiles: secretFilesOf(record),
    unneeded: unneededBy(values),
    diskBudgetBytes: values.diskBudgetBytes,
    grace: shareGrace(values.shutdownGraceMs ?? graceOf(values, common.server.current()), values.roles),
  };
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
