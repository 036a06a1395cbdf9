/** Everything that is kept outside of Temporal, opened as the server's file says. */
import { join } from 'node:path';
import { openAudit, type Audit } from '@nereid/audit';
import {
  createBegunApplies,
  createDeploymentRecords,
  createHostRecords,
  createJobLogs,
  createKeptPlans,
  createLaneRecords,
  createLaneTurns,
  createPullRequestRecords,
  createRepositoryRecords,
  createRolloutRecords,
  createRootPlaces,
  openObjectStore,
  readOrMakeKeyFile,
  type BegunApplies,
  type DeploymentRecords,
  type HostRecords,
  type JobLogs,
  type KeptPlans,
  type LaneRecords,
  type LaneTurns,
  type PullRequestRecords,
  type RepositoryRecords,
  type RolloutRecords,
  type RootPlaces,
} from '@nereid/storage';
import type { WorkerConfig } from './config.ts';

export interface Storage {
  readonly laneRecords: LaneRecords;
  readonly laneTurns: LaneTurns;
  readonly deploymentRecords: DeploymentRecords;
  readonly repositoryRecords: RepositoryRecords;
  readonly pullRequestRecords: PullRequestRecords;
  readonly rolloutRecords: RolloutRecords;
  readonly rootPlaces: RootPlaces;
  readonly hostRecords: HostRecords;
  readonly begunApplies: BegunApplies;
  readonly keptPlans: KeptPlans;
  readonly jobLogs: JobLogs;
  /** Undefined when none is configured, and on a host alone. */
  readonly audit: Audit | undefined;
  close(): void;
}

/** Reads and writes nothing but the key file of kept plans. Later changes to the server's file need a restart. */
export async function openStorage(config: WorkerConfig): Promise<Storage> {
  const { storage, audit: wanted } = config.server.current();
  const deployments = await openObjectStore(storage.deployments, storage.s3);
  const plans = await openObjectStore(storage.plans, storage.s3);
  const logs = await openObjectStore(storage.logs, storage.s3);
  // A host alone writes no events, and needs no credentials for them.
  const isWriter = config.roles.includes('control');
  const audit = wanted.to === undefined || !isWriter ? undefined : await openAudit(wanted.to, wanted.sns);
  return {
    laneRecords: createLaneRecords(deployments),
    laneTurns: createLaneTurns(deployments),
    deploymentRecords: createDeploymentRecords(deployments),
    repositoryRecords: createRepositoryRecords(deployments),
    pullRequestRecords: createPullRequestRecords(deployments),
    rolloutRecords: createRolloutRecords(deployments),
    rootPlaces: createRootPlaces(deployments),
    hostRecords: createHostRecords(deployments),
    begunApplies: createBegunApplies(deployments),
    keptPlans: createKeptPlans(plans, await planKeys(config)),
    jobLogs: createJobLogs(logs),
    audit,
    close: () => {
      for (const each of [deployments, plans, logs, audit]) each?.close();
    },
  };
}

async function planKeys({ planKeys: given, dataDir }: WorkerConfig): Promise<readonly Uint8Array[]> {
  if (given) return given.map((key) => Buffer.from(key.reveal(), 'base64'));
  return readOrMakeKeyFile(join(dataDir, 'plan-key'));
}
