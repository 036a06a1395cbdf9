/** The console's test fixtures: a console with storage in a folder, and a Temporal that behaves as the test says. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from '@jest/globals';
import type { LaneRecord } from '@nereid/domain/lane';
import { DEFAULT_POOL } from '@nereid/domain/root';
import { deploymentUrl, pullRequestPageUrl } from '@nereid/texts';
import { createPullRequestRecords, openObjectStore, type JobLogsOfPools } from '@nereid/storage';
import type { Answered, PersonRequest, Requests } from './actions/make-request.ts';
import { openConsole } from './console.ts';
import type { Pace } from './events/watches.ts';
import { aDeployment, REPOSITORY } from '@nereid/domain/testing';
import { aLaneRecord, contextOf, KEY, LANE, type Outside } from './fixtures/outside.ts';

export { aLaneRecord, LANE, type Outside } from './fixtures/outside.ts';
export { REPOSITORY } from '@nereid/domain/testing';
export { API_TOKEN, LOCAL_PERSON, TOKEN } from './login/testing.ts';
export type { Answered, PersonRequest, Requests } from './actions/make-request.ts';

export const JOB = { id: '5b1c8c1e-0d4b-4e7a-9c55-1f0e6b7a2d90', startedAt: '2026-01-31T14:01:00.000Z' };
export const RUNNING = aDeployment({ status: 'planning', jobs: { plan: JOB } });

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
