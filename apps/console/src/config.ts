/** The console's settings, from the environment and the server's file; all problems are reported at once. */
import {
  env,
  githubUrlOf,
  isLoopback,
  readEnv,
  type Address,
  type EnvironmentRecord,
  type LocatedProblem,
  type Secret,
  type StorageConfig,
} from '@nereid/config';
import { readProcessConfig, type CommonConfig } from '@nereid/process';

export interface ConsoleConfig extends Omit<CommonConfig, 'server'> {
  readonly address: Address;
  readonly access: Access;
  /** The address of GitHub's pages, without a trailing slash. */
  readonly githubUrl: string;
  readonly temporalUiUrl: string | undefined;
  readonly storage: StorageConfig;
}

/** The readers are everybody on this machine, or everybody who has a deployment's link. */
export type Access =
  | {
      readonly kind: 'local';
      /** The host names by which a request may address the console. */ readonly hosts: readonly string[];
    }
  | { readonly kind: 'link'; readonly keys: readonly Secret[] };

const VARIABLES = {
  address: env.address('CONSOLE_ADDRESS').default('127.0.0.1:4144'),
  url: env.url('CONSOLE_URL'),
  login: env.oneOf('CONSOLE_LOGIN', ['local']),
  logLinks: env.oneOf('CONSOLE_LOG_LINKS', ['key', 'login']),
  linkKeys: env.signingKeys('LINK_KEY'),
  apiUrl: env.url('GITHUB_API_URL').default('https://api.github.com'),
  githubUrl: env.url('GITHUB_URL'),
  temporalUiUrl: env.url('TEMPORAL_UI_URL'),
};

type Values = Extract<ReturnType<typeof readEnv<typeof VARIABLES>>, { kind: 'ok' }>['values'];

/** Throws a ConfigurationError with every problem. `isTerminal` decides between pretty and JSON logs. */
export function readConfig(record: EnvironmentRecord, isTerminal: boolean): ConsoleConfig {
  const { values, server, ...common } = readProcessConfig(record, isTerminal, VARIABLES, () => accessProblems(record));
  return {
    ...common,
    address: values.address,
    access: accessOf(values),
    githubUrl: values.githubUrl ?? githubUrlOf(values.apiUrl),
    temporalUiUrl: values.temporalUiUrl,
    storage: server.current().storage,
  };
}

function accessProblems(record: EnvironmentRecord): readonly LocatedProblem[] {
  const read = readEnv(record, { login: VARIABLES.login });
  // An invalid variable is reported elsewhere.
  if (read.kind === 'invalid') return [];
  return read.values.login === 'local' ? localProblems(record) : linkProblems(record);
}

function localProblems(record: EnvironmentRecord): readonly LocatedProblem[] {
  const read = readEnv(record, { address: VARIABLES.address });
  if (read.kind === 'invalid' || isLoopback(read.values.address.host)) return [];
  const found = `${read.values.address.host}:${read.values.address.port}`;
  const message = `expected a loopback address, because CONSOLE_LOGIN=local asks nobody who they are, found ${found}; listen on 127.0.0.1`;
  return [{ path: 'CONSOLE_ADDRESS', message }];
}

function linkProblems(record: EnvironmentRecord): readonly LocatedProblem[] {
  const { logLinks, linkKeys } = VARIABLES;
  const read = readEnv(record, { logLinks, linkKeys });
  if (read.kind === 'invalid') return [];
  if (read.values.logLinks === 'login') {
    const message =
      'expected "key" or nothing, found "login", but there is no login that could let anybody read; set no CONSOLE_LOG_LINKS';
    return [{ path: 'CONSOLE_LOG_LINKS', message }];
  }
  if (read.values.linkKeys) return [];
  const message =
    'expected a key for the links to deployments, in LINK_KEY or in the file named by LINK_KEY_FILE, found nothing; set it to the key that the workers have';
  return [{ path: 'LINK_KEY', message }];
}

function accessOf({ login, linkKeys, url, address }: Values): Access {
  if (login !== 'local' && linkKeys) return { kind: 'link', keys: linkKeys };
  const own = url === undefined ? [] : [new URL(url).hostname];
  return { kind: 'local', hosts: ['localhost', '127.0.0.1', '[::1]', address.host, ...own] };
}
