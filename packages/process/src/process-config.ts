/** Reads the environment and the server's file before a process starts, and reports all problems of both at once. */
import {
  ConfigurationError,
  env,
  readEnv,
  reloadableServerConfig,
  type Address,
  type EnvironmentRecord,
  type LocatedProblem,
  type ReloadableServerConfig,
  type ServerConfig,
  type ValuesOf,
  type Variables,
} from '@nereid/config';
import type { LogConfig } from './logger.ts';
import { readTemporalConfig, type TemporalConfig } from './temporal/temporal-config.ts';

/** The variables of every process; each app adds its own. */
const PROCESS_VARIABLES = {
  /** The path of the server's file. */
  serverFile: env.string('NEREID_CONFIG').default('nereid.server.yaml'),
  logLevel: env.oneOf('LOG_LEVEL', ['trace', 'debug', 'info', 'warn', 'error', 'fatal']).default('info'),
  /** Where `/metrics` is served; nowhere when absent. */
  metricsAddress: env.address('METRICS_ADDRESS'),
  /** Checked here, because Temporal's own reader takes any text, and then waits for a server that cannot exist. */
  temporalAddress: env.server('TEMPORAL_ADDRESS'),
};

/** The configuration of every process. */
export interface CommonConfig {
  readonly server: ReloadableServerConfig;
  readonly temporal: TemporalConfig;
  /** Undefined when metrics are served nowhere. */
  readonly metricsAddress: Address | undefined;
  readonly log: LogConfig;
}

export interface ProcessConfig<V extends Variables> extends CommonConfig {
  /** The values of the process's own variables. */
  readonly values: ValuesOf<V>;
}

/**
 * Reads the process's own variables, the common ones, and the server's file. Throws one ConfigurationError with all
 * problems. `others` finds problems that involve several variables, or a variable and the server's file, which is
 * undefined when it could not be read. `isTerminal` decides between pretty and JSON logs.
 */
export function readProcessConfig<V extends Variables>(
  record: EnvironmentRecord,
  isTerminal: boolean,
  variables: V,
  others: (server: ServerConfig | undefined) => readonly LocatedProblem[] = () => [],
): ProcessConfig<V> {
  const own = readEnv(record, variables);
  const common = readEnv(record, PROCESS_VARIABLES);
  const temporal = readTemporalConfig(record);
  const server = openServerConfig(record);
  const problems = [
    ...[own, common].flatMap((read) => (read.kind === 'invalid' ? read.problems : [])),
    ...others(server.kind === 'ok' ? server.config.current() : undefined),
    ...[temporal, server].flatMap((read) => (read.kind === 'invalid' ? read.problems : [])),
  ];
  const areValid = own.kind === 'ok' && common.kind === 'ok' && temporal.kind === 'ok' && server.kind === 'ok';
  if (!areValid || problems.length > 0) throw new ConfigurationError(problems);
  const { logLevel: level, metricsAddress } = common.values;
  const log = { level, format: isTerminal ? 'pretty' : 'json' } as const;
  return { values: own.values, server: server.config, temporal: temporal.config, metricsAddress, log };
}

type Opened =
  | { readonly kind: 'ok'; readonly config: ReloadableServerConfig }
  | { readonly kind: 'invalid'; readonly problems: readonly LocatedProblem[] };

function openServerConfig(record: EnvironmentRecord): Opened {
  const path = readEnv(record, { path: PROCESS_VARIABLES.serverFile });
  // The problems of the environment already include this one.
  if (path.kind === 'invalid') return { kind: 'invalid', problems: [] };
  try {
    return { kind: 'ok', config: reloadableServerConfig(path.values.path) };
  } catch (error) {
    if (error instanceof ConfigurationError) return { kind: 'invalid', problems: error.problems };
    throw error;
  }
}
