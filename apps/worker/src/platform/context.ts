/** The context of all activities: everything that is opened once for the life of the process. */
import { EventEmitter } from 'node:events';
import { join } from 'node:path';
import type { EnvironmentRecord, ReloadableServerConfig } from '@nereid/config';
import { openDiscovery, type Discovery } from '@nereid/discovery';
import { createMirrors, type Mirrors } from '@nereid/git';
import type { Forge } from '@nereid/forge';
import { createGitHub, gitAuthorization } from '@nereid/github';
import {
  createLogger,
  createTemporalClient,
  createTemporalProbe,
  measureServerFile,
  measureTemporal,
} from '@nereid/process';
import type {
  BegunAppliesOfPools,
  DrainRecords,
  HostRecords,
  JobLogsOfPools,
  KeptPlansOfPools,
  WorkerDiagnoses,
} from '@nereid/storage';
import { Connection, type Client } from '@temporalio/client';
import { createProviderCache, type ProviderCache } from '@nereid/terraform';
import { createIdentify, type Identify } from '@nereid/identity';
import { createIssuer, createOpener, type Issuer, type Opener } from '@nereid/signature';
import type { Logger } from 'pino';
import type { WorkerConfig } from './config/config.ts';
import { openDataDir } from './disk/data-dir.ts';
import { environmentForOthers } from './environment.ts';
import { forgedEvent } from './events/forged-event.ts';
import { notificationLinks } from './events/notification-links.ts';
import { createPublish, type Publish } from './events/publish.ts';
import { createSubscribers } from './events/subscribers.ts';
import { createGitHubLog } from './log/github-log.ts';
import { createNotedRefusals, type NotedRefusals } from './memory/noted-refusals.ts';
import { createRefusedRevisions, type RefusedRevisions } from './memory/refused-revisions.ts';
import { createCheckRunWrites, type CheckRunWrites } from './memory/check-run-writes.ts';
import { createMetrics, type Metrics } from './metrics/metrics.ts';
import { createSignatures, type Signatures } from './keys/signatures.ts';
import { readRelease } from './release.ts';
import { openStorage, type ControlRecords } from './storage/storage.ts';
import { openTraces } from './traces/open-traces.ts';
import { tokensFromControl } from './tokens/ask-control.ts';
import {
  identityTokensFromControl,
  issuedIdentityTokens,
  type IdentityTokens,
} from './tokens/identity/identity-tokens.ts';
import { createMint, mintedTokens, type ReadTokens } from './tokens/read-tokens.ts';

export interface WorkerContext extends ControlRecords {
  readonly config: WorkerConfig;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Says what happened to all who want to hear of it. */
  readonly publish: Publish;
  /** Emits `kept` once a notification waits for its delivery. */
  readonly notifications: EventEmitter<{ kept: [] }>;
  /** Call `current()` each time: the configuration changes when the file is reloaded. */
  readonly server: Pick<ReloadableServerConfig, 'current'>;
  readonly forge: Forge;
  readonly checkRunWrites: CheckRunWrites;
  readonly readTokens: ReadTokens;
  readonly identityTokens: IdentityTokens;
  /** Undefined where roots have no identities. */
  readonly issuer: Issuer | undefined;
  /** Who made a request in the console. */
  readonly identify: Identify;
  /** Opens what the console sealed. */
  readonly requestOpener: Opener;
  readonly mirrors: Mirrors;
  readonly providers: ProviderCache;
  readonly discovery: Discovery;
  readonly refusedRevisions: RefusedRevisions;
  readonly notedRefusals: NotedRefusals;
  readonly hostRecords: HostRecords;
  readonly drainRecords: DrainRecords;
  readonly workerDiagnoses: WorkerDiagnoses;
  readonly begunApplies: BegunAppliesOfPools;
  readonly keptPlans: KeptPlansOfPools;
  readonly jobLogs: JobLogsOfPools;
  readonly signatures: Signatures;
  /** Connects on first use, and reconnects when necessary. */
  readonly temporal: Client;
  /** Random; the same for the life of the data folder. */
  readonly hostId: string;
  /** The environment of the process without our own secrets. */
  readonly environment: EnvironmentRecord;
  /** Closes everything; the context must not be used afterwards. */
  close(): Promise<void>;
}

/** The parts of the forge that a room uses. */
export interface OfForge<Part extends keyof Forge> {
  readonly forge: Pick<Forge, Part>;
}

/** For a worker that is a host alone: it neither acts on the forge nor decides by records. */
export interface HostOnlyContext extends Omit<WorkerContext, 'forge' | keyof ControlRecords> {
  readonly forge: undefined;
}

/** Throws a ConfigurationError when another worker uses the data folder. Opens no connection. */
export async function createContext(
  config: WorkerConfig,
  environment: EnvironmentRecord,
  openForge: OpenForge = openGitHub,
): Promise<WorkerContext | HostOnlyContext> {
  const logger = createLogger('worker', config.log);
  const metrics = createMetrics();
  const dataDir = await openDataDir(config.dataDir);
  const { control, audit, ...storage } = await openStorage(config, metrics);
  const forge = openForge(config, logger, metrics);
  const notifications = new EventEmitter<{ kept: [] }>();
  const pages = forge && notificationLinks(config, forge);
  const outbox = pages && control && { outbox: control.outbox, pages, onKept: () => notifications.emit('kept') };
  // A host alone publishes nothing of a deployment.
  const traces =
    pages && config.traces
      ? await openTraces({ config: config.traces, release: readRelease(), hostId: dataDir.hostId, logger })
      : undefined;
  const subscribers = createSubscribers({
    ...{ audit, notifications: outbox, config, logger, metrics },
    traces: pages && traces && { send: traces.send, pages },
  });
  const publish = createPublish(subscribers, logger);
  const discovery = openDiscovery();
  const connection = Connection.lazy(config.temporal.connection);
  const temporal = createTemporalClient(config.temporal, { connection });
  measureTemporal(metrics.registry, createTemporalProbe(connection));
  measureServerFile(metrics.registry, config.server);
  const signatures = createSignatures({
    keys: config.signingKeys,
    pool: config.pool,
    server: config.server,
    onForged: (error, about) => void publish(forgedEvent(error, about)),
  });
  const opener = createOpener(config.sealKeys.privateKeys);
  const issuer = config.issuer && createIssuer(config.issuer);

  const common = {
    ...storage,
    config,
    logger,
    metrics,
    publish,
    notifications,
    server: config.server,
    readTokens: forge
      ? mintedTokens(createMint({ forge, server: config.server, logger }))
      : tokensFromControl({ temporal, signatures, opener }),
    identityTokens: control
      ? issuedIdentityTokens({ ...control, server: config.server, signatures, logger, issuer })
      : identityTokensFromControl({ temporal, signatures, opener }),
    issuer,
    identify: createIdentify({
      ...{ server: config.server, githubApiUrl: config.github.apiUrl, appId: config.github.app?.id },
    }),
    requestOpener: createOpener(config.requestKeys),
    checkRunWrites: createCheckRunWrites(),
    mirrors: openMirrors(config, environment, { hostId: dataDir.hostId, forge, metrics }),
    providers: openProviders(config, logger),
    discovery,
    refusedRevisions: createRefusedRevisions(),
    notedRefusals: createNotedRefusals(),
    signatures,
    temporal,
    hostId: dataDir.hostId,
    environment: environmentForOthers(environment),
    close: async () => {
      await subscribers.flush();
      await discovery.close();
      await traces?.close();
      await connection.close();
      storage.close();
      dataDir.close();
    },
  };
  return forge && control ? { ...common, ...control, forge } : { ...common, forge: undefined };
}

/** Undefined for a worker that is a host alone. */
type OpenForge = (config: WorkerConfig, logger: Logger, metrics: Metrics) => Forge | undefined;

function openGitHub({ github }: WorkerConfig, logger: Logger, metrics: Metrics): Forge | undefined {
  if (github.app === undefined) return undefined;
  const forge = createGitHub({
    appId: github.app.id,
    privateKey: github.app.privateKey.reveal(),
    apiUrl: github.apiUrl,
    webUrl: github.url,
    log: createGitHubLog(logger),
    onRequest: metrics.github.onRequest,
  });
  metrics.github.watchLimits(() => forge.limits());
  return forge;
}

/** Git gets a token that can read this one repository and nothing else. */
function openMirrors(
  config: WorkerConfig,
  environment: EnvironmentRecord,
  { hostId, forge, metrics }: Pick<WorkerContext, 'hostId' | 'metrics'> & { readonly forge: Forge | undefined },
): Mirrors {
  return createMirrors({
    dataDir: config.dataDir,
    workDir: config.workDir,
    hostId,
    gitUrl: config.github.url,
    authorization: forge && (async (repository) => gitAuthorization((await forge.readToken(repository)).value)),
    environment,
    onFetch: metrics.onFetch,
  });
}

function openProviders({ dataDir }: WorkerConfig, logger: Logger): ProviderCache {
  return createProviderCache({
    dir: join(dataDir, 'providers'),
    onProblem: (err) => logger.warn({ err }, 'a provider is not shared, so it is downloaded again'),
  });
}
