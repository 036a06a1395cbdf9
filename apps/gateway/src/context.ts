import type { ReloadableServerConfig, Secret } from '@nereid/config';
import { Client, Connection } from '@temporalio/client';
import type { Logger } from 'pino';
import type { GatewayConfig } from './config.ts';
import { createDrain, type Drain } from './health/drain.ts';
import { createLogger } from './logger.ts';
import { createMetrics, type Metrics } from './metrics/metrics.ts';
import { createStartIntake, type StartIntake } from './temporal/start-intake.ts';
import { createTemporalProbe, type TemporalProbe } from './temporal/temporal-probe.ts';

/** What requests are answered with. */
export interface Context {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly server: Pick<ReloadableServerConfig, 'current'>;
  readonly webhookSecrets: readonly Secret[];
  readonly appId: number;
  readonly startIntake: StartIntake;
  readonly isTemporalReachable: TemporalProbe;
  readonly drain: Drain;
  close(): Promise<void>;
}

/** Connects to nothing: Temporal may be away when we start, and is found when it is needed. */
export function createContext(config: GatewayConfig): Context {
  const connection = Connection.lazy(config.temporal.connection);
  const client = new Client({ connection, namespace: config.temporal.namespace });
  return {
    logger: createLogger(config.log),
    metrics: createMetrics(),
    server: config.server,
    webhookSecrets: config.webhookSecrets,
    appId: config.appId,
    startIntake: createStartIntake(client),
    isTemporalReachable: createTemporalProbe(connection),
    drain: createDrain(),
    close: () => connection.close(),
  };
}
