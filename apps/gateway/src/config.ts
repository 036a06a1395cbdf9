import { ConfigurationError, env, readProcessConfig } from '@nereid/config';
import type { Address, EnvironmentRecord, ReloadableServerConfig, Secret } from '@nereid/config';
import type { LogConfig } from './logger.ts';
import { readTemporalConfig, type TemporalConfig } from './temporal/connection-options.ts';

export interface GatewayConfig {
  readonly address: Address;
  readonly metricsAddress: Address | undefined;
  readonly webhookSecrets: readonly Secret[];
  readonly appId: number;
  readonly server: ReloadableServerConfig;
  readonly temporal: TemporalConfig;
  readonly log: LogConfig;
}

const VARIABLES = {
  address: env.address('GATEWAY_ADDRESS').default('0.0.0.0:4143'),
  webhookSecrets: env.secrets('GITHUB_WEBHOOK_SECRET').required(),
  appId: env.integer('GITHUB_APP_ID', { min: 1, max: 999_999_999_999 }).required(),
};

/** Throws a ConfigurationError with every problem of the environment and the server's file. */
export function readConfig(record: EnvironmentRecord, isTerminal: boolean): GatewayConfig {
  const temporal = readTemporalConfig(record);
  const others = temporal.kind === 'invalid' ? temporal.problems : [];
  const { values, server } = readProcessConfig(record, VARIABLES, () => others);
  if (temporal.kind === 'invalid') throw new ConfigurationError(others);
  return {
    address: values.address,
    metricsAddress: values.metricsAddress,
    webhookSecrets: values.webhookSecrets,
    appId: values.appId,
    server,
    temporal: temporal.config,
    log: { level: values.logLevel, format: values.logFormat ?? (isTerminal ? 'pretty' : 'json') },
  };
}
