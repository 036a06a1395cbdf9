import { createIdentify } from '@nereid/identity';
import type { Repository } from '@nereid/contracts';
import { createLogger, createStartIntake, createTemporalProbe, type TemporalProbe } from '@nereid/process';
import {
  createAuditTrail,
  createDeploymentRecords,
  createEndedDeployments,
  createDrainRecords,
  createHostRecords,
  createJobLogs,
  createLaneRecords,
  createPullRequestRecords,
  openObjectStore,
  type DeploymentRecords,
  type DrainRecords,
  type HostRecords,
  type JobLogs,
  type LaneRecords,
  type PullRequestRecords,
} from '@nereid/storage';
import { Client, Connection } from '@temporalio/client';
import type { Logger } from 'pino';
import { createCsrf, type Csrf } from './actions/csrf.ts';
import { createRequests, type Requests } from './actions/make-request.ts';
import type { Access, ConsoleConfig } from './config.ts';
import { createFindVisitor } from './login/find-visitor.ts';
import type { FindVisitor, Visitor } from './login/visitor.ts';
import { createReadHistory, type ReadHistory } from './fleet/lane-history.ts';
import { createFleet, type ReadFleet } from './fleet/fleet.ts';
import { createReadHosts, type ReadHosts } from './hosts/read-hosts.ts';
import { createStreamSlots, type StreamSlots } from './streams/stream-slots.ts';
import { createAskStatuses } from './temporal/ask-statuses.ts';
import { createAskWorkflows, type AskWorkflows } from './temporal/ask-workflows.ts';
import { createFindLane, type FindLane } from './temporal/find-lane.ts';
import { createTrailReaders, type TrailReaders } from './trail/readers.ts';

/** Everything that pages are made from. */
export interface Context extends AskWorkflows {
  readonly access: Access;
  readonly findVisitor: FindVisitor;
  /** Whether this repository exists for them: what they may not see is not there. */
  maySee(visitor: Visitor, repository: Pick<Repository, 'owner' | 'name'>): Promise<boolean>;
  /** Undefined where the console only reads, like `csrf`. */
  readonly requests: Requests | undefined;
  readonly csrf: Csrf | undefined;
  readonly logger: Logger;
  readonly findLane: FindLane;
  readonly isTemporalReachable: TemporalProbe;
  readonly deploymentRecords: DeploymentRecords;
  readonly pullRequestRecords: Pick<PullRequestRecords, 'read' | 'readPreview'>;
  readonly laneRecords: LaneRecords;
  readonly hostRecords: Pick<HostRecords, 'read'>;
  readonly drainRecords: Pick<DrainRecords, 'read'>;
  readonly readHosts: ReadHosts;
  readonly readFleet: ReadFleet;
  readonly readHistory: ReadHistory;
  readonly trail: TrailReaders;
  readonly jobLogs: JobLogs;
  readonly links: LinkSettings;
  readonly streams: StreamSlots;
  /** Aborted when the console stops, which ends all streams. */
  readonly stopping: AbortController;
  close(): Promise<void>;
}

/** Where to find the pages that our pages link to. */
export interface LinkSettings {
  readonly githubUrl: string;
  readonly temporalUiUrl: string | undefined;
  readonly namespace: string;
}

/** Connects to nothing: Temporal and storage may be away at the start, and are connected to when they are needed. */
export async function createContext(config: ConsoleConfig): Promise<Context> {
  const { githubUrl, temporalUiUrl } = config;
  const { connection: connectionOptions, namespace } = config.temporal;
  const { deployments, logs, s3 } = config.storage;
  const connection = Connection.lazy(connectionOptions);
  const logger = createLogger('console', config.log);
  const records = await openObjectStore(deployments, s3);
  const jobLogs = await openObjectStore(logs, s3);
  const client = new Client({ connection, namespace });
  const laneRecords = createLaneRecords(records);
  const keys = config.requestKeys;
  const { login } = config.server.current().console;
  const deploymentRecords = createDeploymentRecords(records);
  const hostRecords = createHostRecords(records);
  const drainRecords = createDrainRecords(records);
  const onBroken = (key: string, err: Error) => {
    logger.error({ err, key }, 'an entry of a list is broken, and left out');
  };
  return {
    access: config.access,
    findVisitor: createFindVisitor({
      access: config.access,
      identify: createIdentify({ server: config.server, githubApiUrl: config.githubApiUrl }),
      localPerson: () => (login?.mode === 'local' ? login.as : undefined),
    }),
    maySee: () => Promise.resolve(true),
    requests: keys && createRequests({ keys, startIntake: createStartIntake(client), client }),
    csrf: keys && createCsrf(keys.signing),
    logger,
    findLane: createFindLane(client),
    ...createAskWorkflows({ connection, namespace }, logger),
    isTemporalReachable: createTemporalProbe(connection),
    deploymentRecords,
    readHistory: createReadHistory(deploymentRecords),
    laneRecords,
    hostRecords,
    drainRecords,
    readHosts: createReadHosts({ hostRecords, drainRecords, logger }),
    readFleet: createFleet({ laneRecords, askStatuses: createAskStatuses(client, logger), logger }),
    trail: createTrailReaders(createAuditTrail(records, { onBroken }), createEndedDeployments(records, { onBroken })),
    pullRequestRecords: createPullRequestRecords(records),
    jobLogs: createJobLogs(jobLogs),
    links: { githubUrl, temporalUiUrl, namespace },
    streams: createStreamSlots(),
    stopping: new AbortController(),
    close: async () => {
      await connection.close();
      records.close();
      jobLogs.close();
    },
  };
}
