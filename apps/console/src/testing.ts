/** What the console's tests start from: a console on a folder, and on workflows that answer as the test says. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from '@jest/globals';
import { Secret } from '@nereid/config';
import type { Deployment, LaneRecord, LaneView, Progress } from '@nereid/contracts';
import { deploymentUrl } from '@nereid/github';
import { aDeployment } from '@nereid/github/testing';
import {
  createDeploymentRecords,
  createJobLogs,
  createLaneRecords,
  openObjectStore,
  type JobLogs,
  type ObjectStore,
} from '@nereid/storage';
import { pino } from 'pino';
import { openConsole } from './console.ts';
import type { Context } from './context.ts';
import type { Asked } from './temporal/workflow-reader.ts';

export const LANE = { owner: 'acme', name: 'infra', rootName: 'network' };
export const REPOSITORY = { owner: 'acme', name: 'infra', installationId: 1 };
export const JOB = { id: '5b1c8c1e-0d4b-4e7a-9c55-1f0e6b7a2d90', startedAt: '2026-01-31T14:01:00.000Z' };
export const RUNNING = aDeployment({ status: 'planning', jobs: { plan: JOB } });

/** What Temporal says; a test may change it while the console runs. */
export interface Answers {
  lane: Asked<LaneView>;
  progress?: Asked<Progress>;
  laneOf?: Asked<typeof LANE>;
}

const KEY = 'secret';

const closings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close();
});

/** Closed after the test. */
export async function aConsole(answers: Answers) {
  const folder = await mkdtemp(join(tmpdir(), 'nereid-console-'));
  closings.push(() => rm(folder, { recursive: true, force: true }));
  const store = await openObjectStore(`file:${folder}`);
  const context = contextOf(store, answers);
  const console = await openConsole({ address: { host: '127.0.0.1', port: 0 } }, context);
  let closed: Promise<void> | undefined;
  const closeOnce = () => (closed ??= console.close());
  closings.push(closeOnce);

  return {
    close: closeOnce,
    records: context.deploymentRecords,
    lanes: context.laneRecords,
    logs: context.jobLogs,
    writeLog: (text: string) => writeLog(context.jobLogs, text),
    url: `http://${console.address}`,
    get: (path: string, headers: Record<string, string> = {}) => fetch(`http://${console.address}${path}`, { headers }),
    pathOf,
    apiOf: (id: string) => `/api/v1${pathOf(id)}`,
    logPathOf: (job: string, rest = '') => pathOf(RUNNING.id).replace('?', `/logs/${job}${rest}?`),
  };
}

export function laneWith(running: Deployment, waiting: readonly Deployment[] = []): Asked<LaneView> {
  const lane = { repository: REPOSITORY, rootName: 'network', isRestored: true, lifted: [] };
  return { kind: 'found', value: { ...lane, running, waiting, ended: [] } };
}

function contextOf(store: ObjectStore, answers: Answers): Context {
  const absent = { kind: 'absent' } as const;
  return {
    access: { kind: 'link', key: new Secret(KEY) },
    logger: pino({ level: 'silent' }),
    workflows: {
      lane: () => Promise.resolve(answers.lane),
      progress: () => Promise.resolve(answers.progress ?? absent),
      laneOf: () => Promise.resolve(answers.laneOf ?? absent),
    },
    isTemporalReachable: () => Promise.resolve(answers.lane.kind !== 'unavailable'),
    deploymentRecords: createDeploymentRecords(store),
    laneRecords: createLaneRecords(store),
    jobLogs: createJobLogs(store, { flushMs: 10, patienceMs: 0, retryMs: 10, pauseMs: 0 }),
    links: { githubUrl: 'https://github.example', temporalUiUrl: undefined, namespace: 'default' },
    stopping: new AbortController(),
    close: () => {
      store.close();
      return Promise.resolve();
    },
  };
}

async function writeLog(logs: JobLogs, text: string): Promise<void> {
  const writer = logs.writer(JOB.id, { mask: [], onError: () => undefined });
  await writer.write(Buffer.from(text));
  await writer.end();
}

/** As the link of a check run has it. */
function pathOf(id: string): string {
  const { pathname, search } = new URL(deploymentUrl('http://console.example', KEY, id, LANE));
  return pathname + search;
}

/** What is stored of a lane. */
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
