/** The console's test fixtures: a console with storage in a folder, and a Temporal that behaves as the test says. */
import { mkdtemp, rm } from 'node:fs/promises';
import { createPrivateKey } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from '@jest/globals';
import { Secret } from '@nereid/config';
import type { Deployment, DeploymentStatus, LaneRecord, Progress } from '@nereid/contracts';
import { deploymentUrl, pullRequestPageUrl } from '@nereid/github';
import { aDeployment } from '@nereid/github/testing';
import { createIdentify, hashOfToken } from '@nereid/identity';
import { viewOfRecord } from '@nereid/lane';
import { createKeyPair } from '@nereid/signature';
import {
  createAuditTrail,
  createDeploymentRecords,
  createEndedDeployments,
  createHostRecords,
  createJobLogs,
  createLaneRecords,
  createPullRequestRecords,
  openObjectStore,
  type JobLogs,
  type ObjectStore,
} from '@nereid/storage';
import { pino } from 'pino';
import { openConsole } from './console.ts';
import { createCsrf } from './actions/csrf.ts';
import type { Requests } from './actions/make-request.ts';
import type { Context } from './context.ts';
import { createFindVisitor } from './login/find-visitor.ts';
import { createReadHistory } from './fleet/lane-history.ts';
import { createFleet } from './fleet/fleet.ts';
import type { AskStatuses } from './temporal/ask-statuses.ts';
import { createTrailReaders } from './trail/readers.ts';
import type { Asked } from './temporal/asked.ts';

export type { Answered, Asked, Requests } from './actions/make-request.ts';

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
  /** What Temporal lists of the deployments that run. */
  readonly statuses?: ReadonlyMap<string, DeploymentStatus>;
  readonly findLane?: Asked<typeof LANE>;
  readonly isTemporalAway?: boolean;
  readonly areWorkersAway?: boolean;
  /** Anyone on this machine reads everything, without a link. */
  readonly isLocal?: boolean;
  /** How control answers requests; without it the console only reads. */
  readonly requests?: Requests;
}

const KEY = 'secret';

const closings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close();
});

/** Closed after the test. */
export async function aConsole({ lane, ...temporal }: Outside = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'nereid-console-'));
  closings.push(() => rm(folder, { recursive: true, force: true }));
  const store = await openObjectStore(`file:${folder}`);
  closings.push(() => {
    store.close();
    return Promise.resolve();
  });
  const context = contextOf(store, temporal);
  const version = lane && (await context.laneRecords.write(aLaneRecord(lane), null));
  const open = (port: number, of: Context) =>
    openConsole({ address: { host: '127.0.0.1', port }, metricsAddress: undefined }, of);
  let console = await open(0, context);
  const { address } = console;
  let closed: Promise<void> | undefined;
  const closeOnce = () => (closed ??= console.close());
  closings.push(() => closeOnce());

  return {
    close: closeOnce,
    /** Opens it again where it was, with what it had stored; works only once it is closed. */
    async reopen() {
      await closeOnce();
      closed = undefined;
      console = await open(Number(new URL(`http://${address}`).port), contextOf(store, temporal));
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
    url: `http://${address}`,
    get: (path: string, headers: Record<string, string> = {}) => fetch(`http://${address}${path}`, { headers }),
    pathOf,
    pullPathOf,
    apiOf: (id: string) => `/api/v1${pathOf(id)}`,
    logPathOf: (job: string, rest = '') => pathOf(RUNNING.id).replace('?', `/logs/${job}${rest}?`),
  };
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
    isTemporalAway = false,
    areWorkersAway = false,
    isLocal = false,
    statuses = new Map(),
    requests,
  }: Omit<Outside, 'lane'>,
): Context & { readonly reads: string[] } {
  const lanes = createLaneRecords(store);
  const deployments = createDeploymentRecords(store);
  const reads: string[] = [];
  // Each page reads anew.
  let fleetMs = 0;
  const answer = <T>(value: T | 'silent' | undefined): Promise<Asked<T>> => {
    if (isTemporalAway || areWorkersAway || value === 'silent') return Promise.resolve({ kind: 'unavailable' });
    return Promise.resolve(value === undefined ? { kind: 'absent' } : { kind: 'found', value });
  };
  const logger = pino({ level: 'silent' });
  const askStatuses: AskStatuses = () => answer<ReadonlyMap<string, DeploymentStatus>>(statuses);
  return {
    readFleet: createFleet({ laneRecords: lanes, askStatuses, logger, now: () => (fleetMs += 60_000) }),
    readHistory: createReadHistory(deployments),
    ...acting(isLocal, requests),
    access: isLocal ? LOCAL : { kind: 'link', keys: [new Secret(KEY)] },
    logger,
    findLane: () => Promise.resolve(isTemporalAway ? { kind: 'unavailable' } : (findLane ?? { kind: 'absent' })),
    askLane: () => answer(live && viewOfRecord(aLaneRecord(live))),
    askProgress: () => answer(progress),
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
    hostRecords: createHostRecords(store),
    trail: createTrailReaders(createAuditTrail(store), createEndedDeployments(store)),
    reads,
    jobLogs: createJobLogs(store, { flushMs: 10, patienceMs: 0, retryMs: 10, pauseMs: 0 }),
    links: { githubUrl: 'https://github.example', temporalUiUrl: undefined, namespace: 'default' },
    stopping: new AbortController(),
    // The store outlives the console, which may be opened again.
    close: () => Promise.resolve(),
  };
}

/** In whose name people on this machine act. */
export const LOCAL_PERSON = 'alice';

const SIGNING_KEY = createPrivateKey(createKeyPair().privateKey);

/** The token that scripts have in tests, which may review and read. */
export const TOKEN = 'nereid_test';

function acting(isLocal: boolean, requests: Requests | undefined) {
  const login = isLocal ? ({ mode: 'local', as: LOCAL_PERSON } as const) : undefined;
  const token = {
    name: 'ci',
    sha256: hashOfToken(TOKEN),
    login: 'robot',
    scopes: ['read', 'review'],
    repositories: ['acme/infra'],
    expires: '2999-01-01T00:00:00.000Z',
  } as const;
  const console = { ...(login && { login }), people: new Map(), tokens: [token] };
  const identify = createIdentify({ server: { current: () => ({ console }) }, githubApiUrl: 'http://127.0.0.1:9' });
  const access = isLocal ? LOCAL : { kind: 'link' as const, keys: [] };
  return {
    findVisitor: createFindVisitor({ access, identify, localPerson: () => login?.as }),
    maySee: () => Promise.resolve(true),
    requests,
    csrf: requests && createCsrf(SIGNING_KEY),
  };
}

const LOCAL = { kind: 'local', hosts: ['127.0.0.1'] } as const;

async function writeLog(logs: JobLogs, text: string): Promise<void> {
  const writer = logs.writer(JOB.id, { mask: [], onError: () => undefined });
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
