/** Everything that is kept outside of Temporal, opened as the server's file says. */
import { join } from 'node:path';
import { openAudit, severalAudits, type Audit } from '@nereid/audit';
import type { AuditConfig } from '@nereid/config';
import {
  createAuditTrail,
  createBegunApplies,
  createBudgetLeases,
  createDeploymentRecords,
  createEndedDeployments,
  createErasure,
  createDrainRecords,
  createReminderRecords,
  createStopRecords,
  createHostRecords,
  createJobLogs,
  createKeptPlans,
  createLaneRecords,
  createLaneTurns,
  createMergeReviews,
  createOutbox,
  createOwedAudits,
  createOwnNamespaces,
  createProtectedRuns,
  createPullRequestRecords,
  createRepositoryRecords,
  createRolloutRecords,
  createRootPlaces,
  createSeenStates,
  createSweeper,
  createWaveCheckRecords,
  createWorkerDiagnoses,
  measuredStore,
  openObjectStore,
  readOrMakeKeyFile,
  type AuditTrail,
  type BegunAppliesOfPools,
  type BudgetLeases,
  type DeploymentRecords,
  type EndedDeployments,
  type Erasure,
  type DrainRecords,
  type StopRecords,
  type HostRecords,
  type JobLogsOfPools,
  type KeptPlansOfPools,
  type LaneRecords,
  type LaneTurns,
  type ObjectStore,
  type MergeReviews,
  type Outbox,
  type OwedAudits,
  type OwnNamespaces,
  type ProtectedRuns,
  type PullRequestRecords,
  type ReminderRecords,
  type RepositoryRecords,
  type RolloutRecords,
  type RootPlaces,
  type SeenStates,
  type Sweeper,
  type WaveCheckRecords,
  type WorkerDiagnoses,
} from '@nereid/storage';
import { keptAudit } from '../audit/kept-audit.ts';
import type { WorkerConfig } from '../config/config.ts';
import type { Metrics } from '../metrics/metrics.ts';

/** The records that control decides by. */
export interface ControlRecords {
  readonly laneRecords: LaneRecords;
  readonly laneTurns: LaneTurns;
  readonly reminderRecords: ReminderRecords;
  readonly stopRecords: StopRecords;
  readonly budgetLeases: BudgetLeases;
  readonly deploymentRecords: DeploymentRecords;
  readonly repositoryRecords: RepositoryRecords;
  readonly protectedRuns: ProtectedRuns;
  readonly pullRequestRecords: PullRequestRecords;
  readonly mergeReviews: MergeReviews;
  readonly rolloutRecords: RolloutRecords;
  readonly waveCheckRecords: WaveCheckRecords;
  readonly rootPlaces: RootPlaces;
  readonly seenStates: SeenStates;
  readonly auditTrail: AuditTrail;
  readonly owedAudits: OwedAudits;
  readonly outbox: Outbox;
  readonly endedDeployments: EndedDeployments;
  readonly ownNamespaces: OwnNamespaces;
  readonly sweeper: Sweeper;
  readonly erasure: Erasure;
}

export interface Storage {
  /** Undefined on a host alone: apps/docs/guides/storage-credentials.md has the prefixes that its credentials need. */
  readonly control: ControlRecords | undefined;
  readonly hostRecords: HostRecords;
  /** Hosts only read it. */
  readonly drainRecords: DrainRecords;
  readonly workerDiagnoses: WorkerDiagnoses;
  readonly begunApplies: BegunAppliesOfPools;
  /** Control alone has no key of them, and only removes them. */
  readonly keptPlans: KeptPlansOfPools;
  readonly jobLogs: JobLogsOfPools;
  /** Undefined on a host alone. */
  readonly audit: Audit | undefined;
  close(): void;
}

type StorageMetrics = Pick<Metrics, 'onStoreRequest' | 'measuredAudit'>;

/** Reads and writes nothing but the key file of kept plans. Later changes to the server's file need a restart. */
export async function openStorage(config: WorkerConfig, metrics: StorageMetrics): Promise<Storage> {
  const { storage } = config;
  const { audit: wanted } = config.server.current();
  const open = async (name: 'deployments' | 'plans' | 'logs') =>
    measuredStore(await openObjectStore(storage[name], storage), metrics.onStoreRequest(name));
  const deployments = await open('deployments');
  const plans = await open('plans');
  const logs = await open('logs');
  // A host alone writes no events, and needs no credentials for them.
  const isControl = config.roles.includes('control');
  const audit = isControl ? await openPlaces(wanted, createAuditTrail(deployments), metrics) : undefined;
  return {
    control: isControl ? controlRecords(deployments, logs) : undefined,
    hostRecords: createHostRecords(deployments),
    drainRecords: createDrainRecords(deployments),
    workerDiagnoses: createWorkerDiagnoses(deployments),
    begunApplies: createBegunApplies(deployments),
    keptPlans: createKeptPlans(plans, await planKeys(config)),
    jobLogs: createJobLogs(logs),
    audit,
    close: () => {
      for (const each of [deployments, plans, logs, audit]) each?.close();
    },
  };
}

/** Storage, and the places that the server's file names. */
async function openPlaces(wanted: AuditConfig, trail: AuditTrail, metrics: StorageMetrics): Promise<Audit> {
  const sinks = await Promise.all(wanted.to.map((sink) => openAudit(sink, wanted)));
  return severalAudits([{ name: 'storage', audit: keptAudit(trail) }, ...sinks].map(metrics.measuredAudit));
}

function controlRecords(deployments: ObjectStore, logs: ObjectStore): ControlRecords {
  return {
    laneRecords: createLaneRecords(deployments),
    laneTurns: createLaneTurns(deployments),
    reminderRecords: createReminderRecords(deployments),
    stopRecords: createStopRecords(deployments),
    budgetLeases: createBudgetLeases(deployments),
    deploymentRecords: createDeploymentRecords(deployments),
    repositoryRecords: createRepositoryRecords(deployments),
    protectedRuns: createProtectedRuns(deployments),
    pullRequestRecords: createPullRequestRecords(deployments),
    mergeReviews: createMergeReviews(deployments),
    rolloutRecords: createRolloutRecords(deployments),
    waveCheckRecords: createWaveCheckRecords(deployments),
    rootPlaces: createRootPlaces(deployments),
    seenStates: createSeenStates(deployments),
    auditTrail: createAuditTrail(deployments),
    owedAudits: createOwedAudits(deployments),
    outbox: createOutbox(deployments),
    endedDeployments: createEndedDeployments(deployments),
    ownNamespaces: createOwnNamespaces(deployments),
    erasure: createErasure(deployments),
    sweeper: createSweeper({ records: deployments, logs }),
  };
}

async function planKeys({ roles, planKeys: given, dataDir }: WorkerConfig): Promise<readonly Uint8Array[] | undefined> {
  if (!roles.includes('terraform')) return undefined;
  if (given) return given.map((key) => Buffer.from(key.reveal(), 'base64'));
  return readOrMakeKeyFile(join(dataDir, 'plan-key'));
}
