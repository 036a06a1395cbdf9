/** The console's settings, from the environment and the server's file; all problems are reported at once. */
import type { KeyObject } from 'node:crypto';
import {
  env,
  githubUrlOf,
  isLoopback,
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
  type Variable,
} from '@nereid/config';
import { readProcessConfig, TRACE_VARIABLES, type CommonConfig } from '@nereid/process';
import { loginProblems } from './login-problems.ts';

export interface ConsoleConfig extends CommonConfig {
  readonly address: Address;
  readonly access: Access;
  /** Undefined where the console only reads. */
  readonly requestKeys: RequestKeys | undefined;
  readonly login: LoginSettings;
  /** Public keys of control, which says who may read a repository, and signs stops; empty where nobody needs them. */
  readonly controlKeys: readonly KeyObject[];
  /** Of Express: whose word counts for the address of a client. */
  readonly trustedProxies: readonly string[];
  /** Without a trailing slash, like `githubUrl`. */
  readonly githubApiUrl: string;
  /** The address of GitHub's pages. */
  readonly githubUrl: string;
  readonly temporalUiUrl: string | undefined;
  /** Pages name the traces of deployments. */
  readonly namesTraces: boolean;
  /** Of Temporal's UI, where it may ask for what is sealed: scheme, host and port. */
  readonly codecUiOrigin: string | undefined;
  readonly storage: StorageAccess;
}

/** With what requests of people go to control. */
export interface RequestKeys {
  /** Ed25519: says that a request came from the console. */
  readonly signing: KeyObject;
  /** X25519: seals who made it to control. */
  readonly sealing: KeyObject;
}

/** The settings that a login needs besides its entry in the server's file. */
export interface LoginSettings {
  /** The address for people, without a trailing slash; undefined where nobody comes back from a login. */
  readonly url: string | undefined;
  /** Seal sessions; the newest first. Empty where there are none. */
  readonly sessionKeys: readonly Secret[];
  readonly githubSecret: Secret | undefined;
  /** Undefined where the provider wants none. */
  readonly oidcSecret: Secret | undefined;
}

/** The readers are everybody on this machine, everybody who has a deployment's link, or also everybody who is logged in. */
export type Access =
  | {
      readonly kind: 'local';
      /** The host names by which a request may address the console. */ readonly hosts: readonly string[];
    }
  | { readonly kind: 'link' | 'login'; readonly keys: readonly Secret[] };

const VARIABLES = {
  address: env.address('CONSOLE_ADDRESS').default('127.0.0.1:4144'),
  url: env.url('CONSOLE_URL'),
  signingKey: env.privateKey('CONSOLE_KEY'),
  sealingKey: env.sealingKey('CONTROL_SEAL_PUBLIC_KEY'),
  linkKeys: env.signingKeys('LINK_KEY'),
  apiUrl: env.url('GITHUB_API_URL').default('https://api.github.com'),
  sessionKeys: env.signingKeys('SESSION_KEY'),
  githubSecret: env.secret('GITHUB_CLIENT_SECRET'),
  oidcSecret: env.secret('OIDC_CLIENT_SECRET'),
  controlKeys: env.publicKeys('ORDERS_PUBLIC_KEY'),
  proxies: env.proxies('CONSOLE_TRUSTED_PROXIES'),
  tracesUrl: TRACE_VARIABLES.tracesUrl,
  ...STORAGE_VARIABLES,
};

type Values = Extract<ReturnType<typeof readEnv<typeof VARIABLES>>, { kind: 'ok' }>['values'];

/** Throws a ConfigurationError with every problem. `isTerminal` decides between pretty and JSON logs. */
export function readConfig(record: EnvironmentRecord, isTerminal: boolean): ConsoleConfig {
  const { values, ...common } = readProcessConfig(record, isTerminal, VARIABLES, (file) => [
    ...accessProblems(record, file),
    ...(file === undefined ? [] : problemsOfLogin(record, file)),
    ...(file === undefined ? [] : storageProblems(record, file)),
    ...requestKeyProblems(record),
  ]);
  const { signingKey: signing, sealingKey: sealing } = values;
  const file = common.server.current();
  return {
    ...common,
    address: values.address,
    access: accessOf(values, file),
    requestKeys: signing && sealing ? { signing, sealing } : undefined,
    githubApiUrl: values.apiUrl,
    githubUrl: githubUrlOf(values.apiUrl),
    temporalUiUrl: file.console.temporalUi?.url,
    namesTraces: values.tracesUrl !== undefined,
    codecUiOrigin: codecUiOriginOf(file),
    login: {
      url: values.url,
      sessionKeys: values.sessionKeys ?? [],
      githubSecret: values.githubSecret,
      oidcSecret: values.oidcSecret,
    },
    controlKeys: values.controlKeys ?? [],
    trustedProxies: values.proxies ?? [],
    storage: storageAccess(file.storage, values),
  };
}

/** Nothing is known of people who log in while the server's file cannot be read: that is reported elsewhere. */
function accessProblems(record: EnvironmentRecord, file: ServerConfig | undefined): readonly LocatedProblem[] {
  if (isLocal(file)) return localProblems(record);
  // People who are logged in need no link.
  return file?.console.login === undefined ? linkProblems(record) : [];
}

/** A variable that cannot be read is reported elsewhere, and is not missing. */
function problemsOfLogin(record: EnvironmentRecord, file: ServerConfig): readonly LocatedProblem[] {
  const valueOf = <T>(variable: Variable<T>): T | 'unreadable' | undefined => {
    const read = readEnv(record, { variable });
    return read.kind === 'ok' ? read.values.variable : 'unreadable';
  };
  const url = valueOf(VARIABLES.url);
  const values = {
    url: url === 'unreadable' ? 'https://unreadable.invalid' : url,
    githubSecret: valueOf(VARIABLES.githubSecret),
    sessionKeys: valueOf(VARIABLES.sessionKeys),
    controlKeys: valueOf(VARIABLES.controlKeys),
  };
  return loginProblems(values, file);
}

function isLocal(file: Pick<ServerConfig, 'console'> | undefined): boolean {
  return file?.console.login?.mode === 'local';
}

/** One without the other helps nobody. */
function requestKeyProblems(record: EnvironmentRecord): readonly LocatedProblem[] {
  const { signingKey, sealingKey } = VARIABLES;
  const read = readEnv(record, { signingKey, sealingKey });
  if (read.kind === 'invalid') return [];
  const { values: has } = read;
  if ((has.signingKey === undefined) === (has.sealingKey === undefined)) return [];
  const path = has.signingKey === undefined ? 'CONSOLE_KEY' : 'CONTROL_SEAL_PUBLIC_KEY';
  const message = `expected both keys of requests, or none of them, found no ${path}; make all keys with: nereid keys FOLDER`;
  return [{ path, message }];
}

/** A page may ask for what somebody may read. */
function codecUiOriginOf({ console }: ServerConfig): string | undefined {
  const { temporalUi } = console;
  return temporalUi?.decodes ? new URL(temporalUi.url).origin : undefined;
}

function localProblems(record: EnvironmentRecord): readonly LocatedProblem[] {
  const read = readEnv(record, { address: VARIABLES.address });
  if (read.kind === 'invalid' || isLoopback(read.values.address.host)) return [];
  const found = `${read.values.address.host}:${read.values.address.port}`;
  const message = `expected a loopback address, because console.login is local in the server's file, which asks nobody who they are, found ${found}; listen on 127.0.0.1`;
  return [{ path: 'CONSOLE_ADDRESS', message }];
}

function linkProblems(record: EnvironmentRecord): readonly LocatedProblem[] {
  const { linkKeys } = VARIABLES;
  const read = readEnv(record, { linkKeys });
  if (read.kind === 'invalid') return [];
  if (read.values.linkKeys) return [];
  const message =
    'expected a key for the links to deployments, in LINK_KEY or in the file named by LINK_KEY_FILE, found nothing; set it to the key that the workers have';
  return [{ path: 'LINK_KEY', message }];
}

function accessOf({ linkKeys, url, address }: Values, file: ServerConfig): Access {
  if (isLocal(file)) {
    const own = url === undefined ? [] : [new URL(url).hostname];
    return { kind: 'local', hosts: ['localhost', '127.0.0.1', '[::1]', address.host, ...own] };
  }
  if (file.console.login === undefined) return { kind: 'link', keys: linkKeys ?? [] };
  // Links hold no key then, and earlier ones no longer open anything.
  return { kind: 'login', keys: file.console.logLinks === 'login' ? [] : (linkKeys ?? []) };
}
