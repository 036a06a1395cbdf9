import type { LoginMode, ReloadableServerConfig } from '@nereid/config';
import { githubPages } from '@nereid/github-pages';
import { createIdentify, type Identify } from '@nereid/identity';
import {
  createLogger,
  createPayloadCodec,
  createStartIntake,
  createTemporalClient,
  createTemporalProbe,
  measureServerFile,
  measureTemporal,
  reloadOnHangup,
  type TemporalProbe,
} from '@nereid/process';
import {
  createAuditTrail,
  createDeploymentRecords,
  createEndedDeployments,
  createDrainRecords,
  createHostRecords,
  createWorkerDiagnoses,
  createJobLogs,
  createLaneRecords,
  createOutbox,
  createPullRequestRecords,
  createRolloutRecords,
  createWaveCheckRecords,
  createStopRecords,
  measuredStore,
  openObjectStore,
  type DeploymentRecords,
  type DrainRecords,
  type HostRecords,
  type JobLogsOfPools,
  type LaneRecords,
  type PullRequestRecords,
  type RolloutRecords,
} from '@nereid/storage';
import { Connection } from '@temporalio/client';
import type { Logger } from 'pino';
import { createAskAccess } from './access/ask-access.ts';
import { createOperatorRights, type OperatorRights } from './access/operator-rights.ts';
import { createRepositoryAccess, type RepositoryAccess } from './access/repository-access.ts';
import { READER_ASKED_MS } from './access/watch-reader.ts';
import { createRequests, type Requests } from './actions/make-request.ts';
import type { Codec } from './codec/routes.ts';
import type { LinkSettings } from './deployments/find/deployment-links.ts';
import { consoleChecks } from './doctor/console-checks.ts';
import { createAskDoctor, type AskDoctor } from './doctor/create-ask-doctor.ts';
import { createReadWorkers } from './doctor/read-workers.ts';
import { createFleet, type ReadFleet } from './fleet/fleet.ts';
import { createReadProgress, createReadWaits, type ReadProgress } from './fleet/read-waits.ts';
import { createReadDestinations, type ReadDestinations } from './notifications/read-destinations.ts';
import { createReadHosts, type ReadHosts } from './hosts/read-hosts.ts';
import { createLaneHistory, type LaneHistory } from './lanes/lane/lane-history.ts';
import { createLogin, type Login } from './login/create-login.ts';
import { createCsrf, csrfSecretOf, type Csrf } from './login/visitor/csrf.ts';
import { createFindVisitor } from './login/visitor/find-visitor.ts';
import type { FindVisitor } from './login/visitor/visitor.ts';
import type { Access, ConsoleConfig } from './platform/config/config.ts';
import { STORAGE_PATIENCE_MS } from './platform/in-time.ts';
import { createRequestLimits, type RequestLimits } from './platform/limits/request-limits.ts';
import { createStreamSlots, type StreamSlots } from './platform/limits/stream-slots.ts';
import { createMetrics, type Metrics } from './platform/metrics/metrics.ts';
import { createAskPending, type AskPending } from './platform/temporal/ask-pending.ts';
import { createAskStatuses } from './platform/temporal/ask-statuses.ts';
import { createAskStuck } from './platform/temporal/ask-stuck.ts';
import { createAskWorkflows, type AskWorkflows, type ClientWith } from './platform/temporal/ask-workflows.ts';
import { createFindLane, type FindLane } from './platform/temporal/find-lane.ts';
import { createReadChecked, type ReadChecked } from './rollouts/next-wave.ts';
import { createReadStops, type ReadStops } from './access/stops/read-stops.ts';
import { createTrailReaders, type TrailReaders } from './trail/readers.ts';

/** Everything that pages are made from. */
export interface Context extends AskWorkflows, RepositoryAccess {
  readonly access: Access;
  readonly findVisitor: FindVisitor;
  readonly identify: Identify;
  readonly operatorRights: OperatorRights;
  readonly askDoctor: AskDoctor;
  readonly loginMode: LoginMode | undefined;
  /** Undefined where nobody has a session. */
  readonly login: Login | undefined;
  /** Of Express: whose word counts for the address of a client. */
  readonly trustedProxies: readonly string[];
  readonly server: Pick<ReloadableServerConfig, 'current'>;
  readonly codec: Codec;
  /** Undefined where the console only reads. */
  readonly requests: Requests | undefined;
  readonly csrf: Csrf;
  readonly logger: Logger;
  readonly findLane: FindLane;
  readonly askPending: AskPending;
  readonly isTemporalReachable: TemporalProbe;
  readonly deploymentRecords: DeploymentRecords;
  readonly pullRequestRecords: Pick<PullRequestRecords, 'read' | 'readPreview'>;
  readonly laneRecords: LaneRecords;
  readonly rolloutRecords: Pick<RolloutRecords, 'ofRevision'>;
  readonly readChecked: ReadChecked;
  readonly hostRecords: Pick<HostRecords, 'read'>;
  readonly drainRecords: Pick<DrainRecords, 'read'>;
  readonly readHosts: ReadHosts;
  readonly readStops: ReadStops;
  readonly readDestinations: ReadDestinations;
  readonly readFleet: ReadFleet;
  readonly readProgress: ReadProgress;
  readonly laneHistory: LaneHistory;
  /** How often a stream looks who follows it, in milliseconds. */
  readonly readerAskedMs: number;
  /** How long a page waits for storage, in milliseconds. */
  readonly patienceMs: number;
  readonly trail: TrailReaders;
  readonly jobLogs: JobLogsOfPools;
  readonly links: LinkSettings;
  readonly streams: StreamSlots;
  readonly metrics: Metrics;
  readonly requestLimits: RequestLimits;
  /** Aborted when the console stops, which ends all streams. */
  readonly stopping: AbortController;
  close(): Promise<void>;
}

/** Connects to nothing: Temporal and storage may be away at the start, and are connected to when they are needed. */
export async function createContext(config: ConsoleConfig): Promise<Context> {
  const { temporalUiUrl, namesTraces } = config;
  const { connection: connectionOptions, namespace } = config.temporal;
  const { storage } = config;
  const connection = Connection.lazy(connectionOptions);
  const logger = createLogger('console', config.log);
  const streams = createStreamSlots();
  const metrics = createMetrics(streams);
  const records = measuredStore(
    await openObjectStore(storage.deployments, storage),
    metrics.onStoreRequest('deployments'),
  );
  const jobLogs = measuredStore(await openObjectStore(storage.logs, storage), metrics.onStoreRequest('logs'));
  const isTemporalReachable = createTemporalProbe(connection);
  measureTemporal(metrics.registry, isTemporalReachable);
  measureServerFile(metrics.registry, config.server);
  const clientWith: ClientWith = (options) => createTemporalClient(config.temporal, { ...options, connection });
  const client = clientWith({});
  const laneRecords = createLaneRecords(records);
  const askWorkflows = createAskWorkflows(clientWith, logger);
  const readProgress = createReadProgress(askWorkflows.askProgress);
  const readWaits = createReadWaits(readProgress);
  const keys = config.requestKeys;
  const { login: policy } = config.server.current().console;
  const login = createLogin(policy, { ...config, settings: config.login, store: records, logger });
  const identify = createIdentify({ server: config.server, githubApiUrl: config.githubApiUrl });
  const stopReloading = reloadOnHangup(config.server, logger);
  const deploymentRecords = createDeploymentRecords(records);
  const hostRecords = createHostRecords(records);
  const drainRecords = createDrainRecords(records);
  const onBroken = (key: string, err: Error) => {
    logger.error({ err, key }, 'an entry of a list is broken, and left out');
  };
  return {
    access: config.access,
    findVisitor: createFindVisitor({ access: config.access, identify, policy, login }),
    identify,
    operatorRights: createOperatorRights(config.server),
    askDoctor: createAskDoctor(consoleChecks(config), createReadWorkers(createWorkerDiagnoses(records), logger)),
    loginMode: policy?.mode,
    login,
    trustedProxies: config.trustedProxies,
    server: config.server,
    codec: codecOf(config),
    ...createRepositoryAccess({ askAccess: createAskAccess(config, client, logger) }),
    requests: keys && createRequests({ keys, startIntake: createStartIntake(client), isTemporalReachable, client }),
    csrf: createCsrf(csrfSecretOf(config)),
    logger,
    findLane: createFindLane(client),
    ...askWorkflows,
    askPending: createAskPending(client, logger),
    isTemporalReachable,
    deploymentRecords,
    readProgress,
    laneHistory: createLaneHistory(deploymentRecords, logger),
    readerAskedMs: READER_ASKED_MS,
    patienceMs: STORAGE_PATIENCE_MS,
    laneRecords,
    rolloutRecords: createRolloutRecords(records),
    readChecked: createReadChecked({ ...config, waveCheckRecords: createWaveCheckRecords(records), logger }),
    hostRecords,
    drainRecords,
    readDestinations: createReadDestinations({
      ...{ server: config.server, outbox: createOutbox(records), logger, patienceMs: STORAGE_PATIENCE_MS },
    }),
    readHosts: createReadHosts({ hostRecords, drainRecords, logger }),
    readStops: createReadStops({
      ...{ stopRecords: createStopRecords(records), controlKeys: config.controlKeys, logger },
    }),
    readFleet: createFleet({
      ...{ laneRecords, readWaits, logger },
      askStatuses: createAskStatuses(client, logger),
      askStuck: createAskStuck(client, logger),
    }),
    trail: createTrailReaders(createAuditTrail(records, { onBroken }), createEndedDeployments(records, { onBroken })),
    pullRequestRecords: createPullRequestRecords(records),
    jobLogs: createJobLogs(jobLogs),
    links: { forgePages: githubPages(config.githubUrl), temporalUiUrl, namespace, namesTraces },
    streams,
    metrics,
    requestLimits: createRequestLimits(),
    stopping: new AbortController(),
    close: async () => {
      stopReloading();
      await connection.close();
      records.close();
      jobLogs.close();
    },
  };
}

function codecOf({ temporal: { payloadKeys }, codecUiOrigin }: ConsoleConfig): Codec {
  return { codec: createPayloadCodec(payloadKeys), uiOrigin: codecUiOrigin };
}
