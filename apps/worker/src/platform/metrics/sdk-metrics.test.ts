import type { RequestListener } from 'node:http';
import { afterEach, expect, test } from '@jest/globals';
import { listen, serveMetrics, type Listener } from '@nereid/process';
import { pino } from 'pino';
import { Gauge, Registry } from 'prom-client';
import { readSdkMetrics } from './sdk-metrics.ts';

const ANY_PORT = { host: '127.0.0.1', port: 0 };

const opened: Listener[] = [];

afterEach(async () => {
  for (const listener of opened.splice(0)) await listener.close(0);
});

test("our metrics and those of Temporal's SDK are one answer", async () => {
  const sdk = await open((_request, response) => response.end('temporal_num_pollers 5\n'));

  const { status, text } = await read(sdk);

  expect(status).toBe(200);
  expect(text).toMatch(/^nereid_ours 1\n/m);
  expect(text).toMatch(/^temporal_num_pollers 5\n/m);
});

test.each([
  ['is not there', async () => 'http://127.0.0.1:1/metrics'],
  ['fails', () => open((_request, response) => response.writeHead(500).end('broken'))],
  ['breaks off', () => open((_request, response) => response.socket?.destroy())],
  ['says nothing', () => open(() => undefined)],
])('our metrics are shown when the SDK %s, and the log says so', async (_what, openSdk) => {
  const { status, text, log } = await read(await openSdk());

  expect(status).toBe(200);
  expect(text).toMatch(/^nereid_ours 1\n/m);
  expect(log).toMatchObject([{ level: 40, msg: "the metrics of Temporal's SDK are missing: they could not be read" }]);
});

async function read(sdkMetricsUrl: string): Promise<{ status: number; text: string; log: readonly unknown[] }> {
  const registry = new Registry();
  new Gauge({ name: 'nereid_ours', help: 'One of ours.', registers: [registry] }).set(1);
  const log: unknown[] = [];
  const logger = pino({}, { write: (line) => void log.push(JSON.parse(line)) });
  const listener = await serveMetrics(ANY_PORT, registry, () => readSdkMetrics(sdkMetricsUrl, logger));
  const response = await fetch(urlOf(listener));
  return { status: response.status, text: await response.text(), log };
}

async function open(answer: RequestListener): Promise<string> {
  return urlOf(await listen(answer, ANY_PORT, 'METRICS_ADDRESS', { requestMs: 10_000 }));
}

/** Closed after the test. */
function urlOf(listener: Listener | undefined): string {
  if (listener === undefined) throw new Error('expected that somebody listens, found nobody');
  opened.push(listener);
  return `http://${listener.address}/metrics`;
}
