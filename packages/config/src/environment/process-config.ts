/** What every process reads before it starts: its environment and the server's file, with all problems of both at once. */
import { ConfigurationError, type LocatedProblem } from './configuration-error.ts';
import { env } from './env.ts';
import { readEnv, type EnvironmentRecord, type ValuesOf, type Variables } from './environment.ts';
import type { ServerConfig } from '../server/server-config.ts';
import { reloadableServerConfig, type ReloadableServerConfig } from '../server/reloadable-server-config.ts';

/** The variables of every process; each app adds its own. */
export const PROCESS_VARIABLES = {
  /** The path of the server's file. */
  serverFile: env.string('NEREID_CONFIG').default('nereid.server.yaml'),
  logLevel: env.oneOf('LOG_LEVEL', ['trace', 'debug', 'info', 'warn', 'error', 'fatal']).default('info'),
  /** Absent: pretty on a terminal, else JSON. */
  logFormat: env.oneOf('LOG_FORMAT', ['json', 'pretty']),
  /** Where `/metrics` is served; absent: nowhere. */
  metricsAddress: env.address('METRICS_ADDRESS'),
  /** Temporal's own reader takes any text for it, and then waits for a server that cannot be. */
  temporalAddress: env.server('TEMPORAL_ADDRESS'),
};

export interface ProcessConfig<V extends Variables> {
  readonly values: ValuesOf<V & typeof PROCESS_VARIABLES>;
  readonly server: ReloadableServerConfig;
}

/**
 * Reads the process' own variables, those of every process, and the server's file. Throws one ConfigurationError with
 * all that is wrong; `others` finds what several variables have wrong together, or with the server's file, which is
 * undefined where it could not be read.
 */
export function readProcessConfig<V extends Variables>(
  record: EnvironmentRecord,
  variables: V,
  others: (server: ServerConfig | undefined) => readonly LocatedProblem[] = () => [],
): ProcessConfig<V> {
  const read = readEnv(record, { ...variables, ...PROCESS_VARIABLES });
  const server = openServerConfig(record);
  const problems = [
    ...(read.kind === 'invalid' ? read.problems : []),
    ...others(server.kind === 'ok' ? server.config.current() : undefined),
    ...(server.kind === 'invalid' ? server.problems : []),
  ];
  if (read.kind === 'invalid' || server.kind === 'invalid' || problems.length > 0)
    throw new ConfigurationError(problems);
  return { values: read.values, server: server.config };
}

type Opened =
  | { readonly kind: 'ok'; readonly config: ReloadableServerConfig }
  | { readonly kind: 'invalid'; readonly problems: readonly LocatedProblem[] };

function openServerConfig(record: EnvironmentRecord): Opened {
  const path = readEnv(record, { path: PROCESS_VARIABLES.serverFile });
  // The problem of the variable itself is among those of the environment.
  if (path.kind === 'invalid') return { kind: 'invalid', problems: [] };
  try {
    return { kind: 'ok', config: reloadableServerConfig(path.values.path) };
  } catch (error) {
    if (error instanceof ConfigurationError) return { kind: 'invalid', problems: error.problems };
    throw error;
  }
}
