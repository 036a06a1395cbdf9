import type { ReloadableServerConfig, Secret } from '@nereid/config';
import {
  connectionUntilDeadline,
  createLogger,
  createStartIntake,
  createTemporalClient,
  createTemporalProbe,
  measureServerFile,
  measureTemporal,
  type StartIntake,
  type TemporalProbe,
} from '@nereid/process';
import { createSigner, type Signer } from '@nereid/signature';
import type { Logger } from 'pino';
import type { GatewayConfig } from './config.ts';
import { openIssuerSite, type IssuerSite } from './issuer/issuer-site.ts';
import { createMetrics, type Metrics } from './metrics/metrics.ts';

/** The dependencies of the request handlers. */
export interface Context {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly server: Pick<ReloadableServerConfig, 'current'>;
  readonly webhookSecrets: readonly Secret[];
  readonly appId: number;
  readonly signer: Signer;
  /** Undefined where it publishes no keys of identities. */
  readonly issuer: IssuerSite | undefined;
  readonly startIntake: StartIntake;
  readonly isTemporalReachable: TemporalProbe;
  /** Aborted when the gateway stops, so that load balancers send webhooks elsewhere. */
  readonly stopping: AbortController;
  close(): Promise<void>;
}

/** Connects to nothing yet: Temporal may be down when the gateway starts. */
export async function createContext(config: GatewayConfig): Promise<Context> {
  const connection = connectionUntilDeadline(config.temporal);
  const client = createTemporalClient(config.temporal, { connection });
  const metrics = createMetrics();
  const isTemporalReachable = createTemporalProbe(connection);
  measureTemporal(metrics.registry, isTemporalReachable);
  measureServerFile(metrics.registry, config.server);
  return {
    logger: createLogger('gateway', config.log),
    metrics,
    server: config.server,
    webhookSecrets: config.webhookSecrets,
    appId: config.appId,
    signer: createSigner(config.signingKey),
    issuer: config.issuer && (await openIssuerSite(config.issuer)),
    startIntake: createStartIntake(client),
    isTemporalReachable,
    stopping: new AbortController(),
    close: () => connection.close(),
  };
}
