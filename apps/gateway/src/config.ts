import type { KeyObject } from 'node:crypto';
import { env, type Address, type EnvironmentRecord, type Secret } from '@nereid/config';
import { readProcessConfig, type CommonConfig } from '@nereid/process';
import { ISSUER_VARIABLES, issuerConfigOf, issuerProblems, type IssuerConfig } from './issuer/issuer-config.ts';

export interface GatewayConfig extends CommonConfig {
  readonly address: Address;
  readonly webhookSecrets: readonly Secret[];
  readonly appId: number;
  /** Signs events. */
  readonly signingKey: KeyObject;
  /** Undefined where it publishes no keys of identities. */
  readonly issuer: IssuerConfig | undefined;
}

const VARIABLES = {
  address: env.address('GATEWAY_ADDRESS').default('0.0.0.0:4143'),
  webhookSecrets: env.secrets('GITHUB_WEBHOOK_SECRET').required(),
  signingKey: env.privateKey('GATEWAY_KEY').required(),
  appId: env.integer('GITHUB_APP_ID', { min: 1, max: 999_999_999_999 }).required(),
  ...ISSUER_VARIABLES,
};

/** Throws a ConfigurationError with every problem of the environment and the server's file. */
export function readConfig(record: EnvironmentRecord, isTerminal: boolean): GatewayConfig {
  const { values, ...common } = readProcessConfig(record, isTerminal, VARIABLES, () => issuerProblems(record));
  const { address, webhookSecrets, signingKey, appId } = values;
  return { ...common, address, webhookSecrets, signingKey, appId, issuer: issuerConfigOf(values) };
}
