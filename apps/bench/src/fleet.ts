/**
 * Five thousand lanes: the page that lists them all, when the console has just read them, when somebody asks again, and against what
 * it takes to read the same records from the same folder one after another.
 */
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Stack } from '@nereid/local/stack';
import { createLaneRecords, openObjectStore } from '@nereid/storage';
import { freePort } from '@nereid/test-kit';
import { readUsage } from './deployments/processes.ts';
import { withStack } from './deployments/with-stack.ts';
import { writeLanes } from './fleet/write-lanes.ts';
import { openStream } from './people/open-stream.ts';
import { median, timed } from './timing.ts';

export interface FleetBench {
  readonly lanes: number;
  /** Milliseconds until the whole list is here: right after the lanes appeared, and later, as nothing has changed. */
  readonly coldMs: number;
  readonly warmMs: number;
  /** Milliseconds to read all records, one after another. */
  readonly readMs: number;
  /** KiB of the page, which has the first two hundred of them, before it is compressed, and on its way to a browser. */
  readonly pageKb: number;
  readonly sentKb: number;
  /** Milliseconds until the first byte of the page, later. */
  readonly firstByteMs: number;
  /** Requests to storage within a minute: while nobody looks, and while the page is open. */
  readonly requests: { readonly unwatched: number; readonly watched: number };
  /** MiB of the console before and after. */
  readonly memory: { readonly before: number; readonly after: number };
}

const LANES = 5_000;
const ROUNDS = 5;

/** Longer than the console keeps its picture of the lanes. */
const STALE_MS = 4_000;

export async function benchFleet(env: NodeJS.ProcessEnv): Promise<FleetBench> {
  const metrics = `127.0.0.1:${await freePort()}`;
  const environments = { console: { METRICS_ADDRESS: metrics } };
  return withStack({ env, planReview: 'auto', environments }, async (stack) => {
    const store = await openObjectStore(`file:${stack.folders.storage}`);
    const records = createLaneRecords(store);
    const { console: before } = (await readUsage()).memory;
    await writeLanes(records, LANES);
    await pause(STALE_MS);
    const [coldMs] = await timed(() => pageOf(stack));
    const warm: number[] = [];
    let page = '';
    for (let round = 0; round < ROUNDS; round += 1) {
      await pause(STALE_MS);
      const [ms, text] = await timed(() => pageOf(stack));
      warm.push(ms);
      page = text;
    }
    const [readMs] = await timed(async () => {
      for await (const lane of records.list()) await records.read(lane, lane.rootName);
    });
    store.close();
    const pageKb = page.length / 1_024;
    const { firstByteMs, bytes } = await asBrowsersAsk(`${stack.urls.console}/lanes`);
    const requests = { unwatched: await requestsInAMinute(metrics), watched: await whileOpen(stack, metrics) };
    const { console: after } = (await readUsage()).memory;
    const sentKb = bytes / 1_024;
    const times = { coldMs, warmMs: median(warm), readMs, firstByteMs };
    return { lanes: LANES, ...times, pageKb, sentKb, requests, memory: { before, after } };
  });
}

/** What arrives is counted as it is sent, compressed. */
async function asBrowsersAsk(url: string): Promise<{ readonly firstByteMs: number; readonly bytes: number }> {
  const begun = performance.now();
  const [answer] = (await once(get(url, { headers: { 'accept-encoding': 'gzip, br' } }), 'response')) as [
    IncomingMessage,
  ]; // As Node says.
  const firstByteMs = performance.now() - begun;
  let bytes = 0;
  for await (const chunk of answer) bytes += (chunk as Buffer).length;
  return { firstByteMs, bytes };
}

async function whileOpen({ urls }: Stack, metrics: string): Promise<number> {
  const gone = new AbortController();
  const page = openStream(`${urls.console}/api/v1/events?kinds=lane&brief=yes`, gone.signal, () => undefined);
  try {
    return await requestsInAMinute(metrics);
  } finally {
    gone.abort();
    await Promise.allSettled([page]);
  }
}

async function requestsInAMinute(metrics: string): Promise<number> {
  const before = await requestsTo(metrics);
  await pause(60_000);
  return (await requestsTo(metrics)) - before;
}

async function requestsTo(metrics: string): Promise<number> {
  const text = await (await fetch(`http://${metrics}/metrics`)).text();
  const counts = Array.from(text.matchAll(/^nereid_storage_requests_total\{[^}]*\} (\d+)/gm), ([, count]) =>
    Number(count),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

async function pageOf({ urls }: Stack): Promise<string> {
  const answer = await fetch(`${urls.console}/lanes`);
  const text = await answer.text();
  if (!answer.ok || !text.includes(`${LANES} lanes`))
    throw new Error(`expected ${LANES} lanes, found ${answer.status}`);
  return text;
}
