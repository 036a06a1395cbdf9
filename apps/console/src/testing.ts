/** The console's test fixtures: a console with storage in a folder, and a Temporal that behaves as the test says. */
import { githubPages } from '@nereid/github-pages';
import type { KeyObject } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from '@jest/globals';
import { operatorOf, Secret, type ConsolePolicy, type ServerConfig } from '@nereid/config';
import type { Deployment, DeploymentStatus, Progress } from '@nereid/domain/deployment';
import { type LaneRecord, viewOfRecord } from '@nereid/domain/lane';
import { DEFAULT_POOL } from '@nereid/domain/root';
import { ok, type Check } from '@nereid/doctor';
import { deploymentUrl, pullRequestPageUrl } from '@nereid/texts';
import { aDeployment } from '@nereid/domain/testing';
import { createPayloadCodec } from '@nereid/process';
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
  createStopRecords,
  openObjectStore,
  type JobLogsOfPools,
  type ObjectStore,
} from '@nereid/storage';
import { pino } from 'pino';
import type { Answered, PersonRequest, Requests } from './actions/make-request.ts';
import type { Codec } from './codec/routes.ts';
import { openConsole } from './console.ts';
import type { Context } from './context.ts';
import { createAskDoctor } from './doctor/create-ask-doctor.ts';
import { createReadWorkers } from './doctor/read-workers.ts';
import type { Pace } from './events/watches.ts';
import { createFleet } from './fleet/fleet.ts';
import { createReadProgress, createReadWaits } from './fleet/read-waits.ts';
import { createReadDestinations } from './notifications/read-destinations.ts';
import { createReadHosts } from './hosts/read-hosts.ts';
import { createLaneHistory } from './lanes/lane/lane-history.ts';
import { LOCAL_PERSON, stagedLogin, type StagedLogin } from './login/testing.ts';
import type { Access } from './platform/config/config.ts';
import { createRequestLimits, type RequestRates } from './platform/limits/request-limits.ts';
import { createStreamSlots } from './platform/limits/stream-slots.ts';
import { createMetrics } from './platform/metrics/metrics.ts';
import type { PendingActivity } from './platform/temporal/ask-pending.ts';
import type { AskStatuses } from './platform/temporal/ask-statuses.ts';
import type { Asked } from './platform/temporal/asked.ts';
import { createReadStops } from './access/stops/read-stops.ts';
import { createTrailReaders } from './trail/readers.ts';

export { API_TOKEN, LOCAL_PERSON, TOKEN } from './login/testing.ts';
export type { Answered, PersonRequest, Requests } from './actions/make-request.ts';

export const LANE = { owner: 'acme', name: 'infra', rootName: 'network' };
export const REPOSITORY = { owner: 'acme', name: 'infra', installationId: 1 };
export const JOB = { id: '5b1c8c1e-0d4b-4e7a-9c55-1f0e6b7a2d90', startedAt: '2026-01-31T14:01:00.000Z' };
export const RUNNING = aDeployment({ status: 'planning', jobs: { plan: JOB } });

export interface Outside {
  /** The lane's record at the start. */
  readonly lane?: Partial<LaneRecord>;
  /** The lane's answer; without it the lane does not run. */
  readonly live?: Partial<LaneRecord>;
  /** The answer of the deployment's own workflow; without it there is no such workflow. */
  readonly progress?: Progress | 'silent';
  /** What the deployment's workflow does, as Temporal describes it. */
  readonly pending?: readonly PendingActivity[];
  /** What Temporal lists of the deployments that run. */
  readonly statuses?: ReadonlyMap<string, DeploymentStatus>;
  /** The workflows that the last watch found stuck. */
  readonly stuck?: readonly string[];
  readonly findLane?: Asked<typeof LANE>;
  readonly isTemporalAway?: boolean;
  readonly areWorkersAway?: boolean;
  /** Anyone on this machine reads everything, without a link. */
  readonly isLocal?: boolean;
  /** How long pages wait for storage, for tests in which it hangs. */
  readonly patienceMs?: number;
  /** How people log in; by default nobody does, or everybody on this machine. */
  readonly login?: StagedLogin;
  /** How control answers requests; without it the console only reads. */
  readonly requests?: Requests;
  /** With what it opens payloads. */
  readonly codec?: Codec;
  /** Of control's signatures of stops; without them, stops are not verified. */
  readonly controlKeys?: readonly KeyObject[];
  /** As in the server's file. */
  readonly operators?: readonly string[];
  readonly notifications?: ServerConfig['notifications'];
  readonly windows?: ServerConfig['windows'];
  /** Of the doctor. */
  readonly checks?: readonly Check[];
  /** How many streams it keeps open. */
  readonly streamsLimit?: number;
  /** How many requests it answers within a minute. */
  readonly requestRates?: RequestRates;
}

const KEY = 'secret';

/** Longer than the busiest machine reads a file. */
const PATIENCE_MS = 60_000;

const closings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close();
});

/** Tests wait for what a console sees. */
const PACE: Pace = { fleetMs: 50, oneMs: 50, restingMs: 50 };

/** Closed after the test. */
export async function aConsole({ lane, ...outside }: Outside = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'nereid-console-'));
  closings.push(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const { context, store, console, close } = await open(folder, outside);
  const version = lane && (await context.laneRecords.write(aLaneRecord(lane), null));

  return {
    close,
    /** Another one with the same storage: beside it, or in its place once it is closed. */
    another: async (place: 'beside' | 'instead') => {
      const port = place === 'beside' ? 0 : Number(console.address.split(':')[1]);
      const { console: other } = await open(folder, outside, port);
      return `http://${other.address}`;
    },
    records: context.deploymentRecords,
    lanes: context.laneRecords,
    pullRequests: createPullRequestRecords(store),
    store,
    /** The kinds of records that pages looked for, in order. */
    reads: context.reads,
    /** Stores the lane's record again; works only once. */
    becomes: (next: Partial<LaneRecord>) =>
      context.laneRecords.write({ ...aLaneRecord(next), writer: { runId: 'run', sequence: 2 } }, version ?? null),
    logs: context.jobLogs,
    writeLog: (text: string) => writeLog(context.jobLogs, text),
    url: `http://${console.address}`,
    get: (path: string, headers: Record<string, string> = {}) => fetch(`http://${console.address}${path}`, { headers }),
    pathOf,
    pullPathOf,
    apiOf: (id: string) => `/api/v1${pathOf(id)}`,
    logPathOf: (job: string, rest = '') => pathOf(RUNNING.id).replace('?', `/logs/${job}${rest}?`),
  };
}

async function open(folder: string, outside: Omit<Outside, 'lane'>, port = 0) {
  const store = await openObjectStore(`file:${folder}`);
  const context = contextOf(store, outside);
  const console = await openConsole({ address: { host: '127.0.0.1', port }, metricsAddress: undefined }, context, PACE);
  let closed: Promise<void> | undefined;
  const close = () => (closed ??= console.close());
  closings.push(close);
  return { context, store, console, close };
}

export function laneWith(running: Deployment, merged: readonly Deployment[] = []): Partial<LaneRecord> {
  return { running, merged };
}

function contextOf(
  store: ObjectStore,
  {
    findLane,
    live,
    progress,
    pending = [],
    isTemporalAway = false,
    areWorkersAway = false,
    isLocal = false,
    statuses = new Map(),
    stuck = [],
    patienceMs = PATIENCE_MS,
    requests,
    login = { policy: isLocal ? { mode: 'local', as: LOCAL_PERSON } : undefined },
    streamsLimit,
    requestRates,
    codec = { codec: createPayloadCodec({ seals: undefined, opens: [] }), uiOrigin: undefined },
    controlKeys = [],
    operators = [],
    notifications = [],
    windows,
    checks = [{ name: 'storage: logs', run: () => Promise.resolve(ok('listed and read')) }],
  }: Omit<Outside, 'lane'>,
): Context & { readonly reads: string[] } {
  const lanes = createLaneRecords(store);
  const deployments = createDeploymentRecords(store);
  const hostRecords = createHostRecords(store);
  const workerDiagnoses = createWorkerDiagnoses(store);
  const drainRecords = createDrainRecords(store);
  const reads: string[] = [];
  // Each page reads again.
  let fleetMs = 0;
  const answer = <T>(value: T | 'silent' | undefined): Promise<Asked<T>> => {
    if (isTemporalAway || areWorkersAway || value === 'silent') return Promise.resolve({ kind: 'unavailable' });
    return Promise.resolve(value === undefined ? { kind: 'absent' } : { kind: 'found', value });
  };
  const logger = pino({ level: 'silent' });
  const isLink = login.policy === undefined;
  const access: Access = isLocal ? LOCAL : { kind: isLink ? 'link' : 'login', keys: [new Secret(KEY)] };
  const askStatuses: AskStatuses = () => answer<ReadonlyMap<string, DeploymentStatus>>(statuses);
  const askStuck = () => Promise.resolve(new Set(stuck));
  const askProgress = () => answer(progress);
  const readProgress = createReadProgress(askProgress);
  const readWaits = createReadWaits(readProgress);
  const streams = createStreamSlots(streamsLimit === undefined ? {} : { all: streamsLimit });
  const pace = { now: () => (fleetMs += 60_000), patienceMs, firstPatienceMs: patienceMs };
  return {
    readFleet: createFleet({ laneRecords: lanes, askStatuses, askStuck, readWaits, logger, ...pace }),
    readProgress,
    laneHistory: createLaneHistory(deployments, logger),
    readerAskedMs: 50,
    patienceMs,
    ...stagedLogin(access, login, store),
    requests,
    codec,
    server: aServer(operators, notifications, windows),
    access,
    logger,
    findLane: () => Promise.resolve(isTemporalAway ? { kind: 'unavailable' } : (findLane ?? { kind: 'absent' })),
    askLane: () => answer(live && viewOfRecord(aLaneRecord(live))),
    askProgress,
    askPending: () => Promise.resolve(pending),
    isTemporalReachable: () => Promise.resolve(!isTemporalAway),
    deploymentRecords: {
      ...deployments,
      find: (...asked) => {
        reads.push('deployment');
        return deployments.find(...asked);
      },
    },
    laneRecords: {
      ...lanes,
      read: (...asked) => {
        reads.push('lane');
        return lanes.read(...asked);
      },
    },
    pullRequestRecords: createPullRequestRecords(store),
    rolloutRecords: createRolloutRecords(store),
    hostRecords,
    drainRecords,
    readDestinations: createReadDestinations({
      ...{ server: aServer(operators, notifications), outbox: createOutbox(store), logger, patienceMs, freshMs: 0 },
    }),
    readHosts: createReadHosts({ hostRecords, drainRecords, logger, freshMs: 0 }),
    readStops: createReadStops({
      ...{ stopRecords: createStopRecords(store), controlKeys, logger, freshMs: 0, patienceMs },
    }),
    trail: createTrailReaders(createAuditTrail(store), createEndedDeployments(store)),
    reads,
    jobLogs: createJobLogs(store, { flushMs: 10, patienceMs: 0, retryMs: 10, pauseMs: 0 }),
    askDoctor: createAskDoctor(checks, createReadWorkers(workerDiagnoses, logger)),
    links: { forgePages: githubPages('https://github.example'), temporalUiUrl: undefined, namespace: 'default' },
    streams,
    metrics: createMetrics(streams),
    requestLimits: createRequestLimits(requestRates),
    stopping: new AbortController(),
    // The store outlives the console, which may be opened again.
    close: () => Promise.resolve(),
  };
}

/** Control, as far as the console sees of it: it accepts everything, unless told otherwise. */
export function aControl(answer: Partial<Answered> = {}) {
  const asked: PersonRequest[] = [];
  const result = { kind: 'signalled', sentence: '@alice unlocks network', workflows: [] } as const;
  const answered = { kind: 'done', id: 'r1', result, ...answer } as Answered; // Each test gives the fields of its kind.
  const requests: Requests = {
    make: (one) => {
      asked.push(one);
      return Promise.resolve(answered);
    },
    answerTo: (_visitor, id) => Promise.resolve(id === 'r1' ? answered : undefined),
  };
  return { asked, requests };
}

/** What requests look up in the server's file. */
function aServer(
  operators: readonly string[],
  notifications: ServerConfig['notifications'],
  windows: ServerConfig['windows'] = [],
): Context['server'] {
  const console: Pick<ConsolePolicy, 'operators'> = { operators: operators.map(operatorOf) };
  return { current: () => ({ console, notifications, windows, pools: [] }) as unknown as ServerConfig };
}

const LOCAL = { kind: 'local', hosts: ['127.0.0.1'] } as const;

async function writeLog(logs: JobLogsOfPools, text: string): Promise<void> {
  const writer = logs.of(DEFAULT_POOL).writer(JOB.id, { mask: [], onError: () => undefined });
  await writer.write(Buffer.from(text));
  await writer.end();
}

/** The path in a check run's link. */
function pathOf(id: string): string {
  const { pathname, search } = new URL(
    deploymentUrl('http://console.example', { secret: KEY, from: new Date().toISOString() }, id, LANE),
  );
  return pathname + search;
}

/** The path in the link of a check run `nereid/plan`. */
function pullPathOf(number: number): string {
  const key = { secret: KEY, from: new Date().toISOString() };
  const { pathname, search } = new URL(pullRequestPageUrl('http://console.example', key, { ...REPOSITORY, number }));
  return pathname + search;
}

export function aLaneRecord(changes: Partial<LaneRecord>): LaneRecord {
  return {
    version: 1,
    repository: REPOSITORY,
    rootName: 'network',
    manual: [],
    merged: [],
    seen: { requestIds: [], merges: [] },
    writer: { runId: 'run', sequence: 1 },
    ...changes,
  };
}
