import { afterEach, expect, test } from '@jest/globals';
import { listen, type Listener } from '@nereid/process';
import express, { Router } from 'express';
import { createStreamSlots } from '../limits/stream-slots.ts';
import { measureRequests } from './measure-requests.ts';
import { createMetrics, type Metrics } from './metrics.ts';

let listener: Listener | undefined;

afterEach(() => listener?.close(0));

/** A console with a route of each kind. */
async function open(): Promise<{ readonly metrics: Metrics; readonly ask: (path: string) => Promise<number> }> {
  const metrics = createMetrics(createStreamSlots());
  const app = express();
  const logs = Router({ mergeParams: true });
  logs.get('/:job/events', (_request, response) => {
    response.setHeader('content-type', 'text/event-stream; charset=utf-8');
    response.end();
  });
  app.use(measureRequests(metrics));
  app.get(['/healthz', '/readyz'], (_request, response) => void response.end());
  app.get('/deployments/:id', (_request, response) => void response.status(404).end());
  app.use('/deployments/:id/logs', logs);
  listener = await listen(app, { host: '127.0.0.1', port: 0 }, 'CONSOLE_ADDRESS', { requestMs: 10_000 });
  const { address } = listener;
  return {
    metrics,
    ask: async (path) => {
      const response = await fetch(`http://${address}${path}`);
      await response.text();
      return response.status;
    },
  };
}

async function linesOf({ registry }: Metrics, name: string): Promise<readonly string[]> {
  return (await registry.metrics()).split('\n').filter((line) => line.startsWith(name));
}

test('requests are counted by route and status; whatever stands in an address is no label', async () => {
  const { metrics, ask } = await open();

  for (const path of [
    '/healthz',
    '/deployments/one',
    '/deployments/two',
    '/deployments/one/logs/plan/events',
    '/made-up',
  ])
    await ask(path);

  expect(await linesOf(metrics, 'nereid_console_requests_total')).toEqual([
    'nereid_console_requests_total{route="/healthz /readyz",status="200"} 1',
    'nereid_console_requests_total{route="/deployments/:id",status="404"} 2',
    'nereid_console_requests_total{route="/:job/events",status="200"} 1',
    'nereid_console_requests_total{route="other",status="404"} 1',
  ]);
});

test('a stream lasts as long as somebody looks, so its time is not kept', async () => {
  const { metrics, ask } = await open();

  await ask('/deployments/one');
  await ask('/deployments/one/logs/plan/events');

  expect(await linesOf(metrics, 'nereid_console_request_seconds_count')).toEqual([
    'nereid_console_request_seconds_count{route="/deployments/:id"} 1',
  ]);
});

test('streams that are open are counted', async () => {
  const streams = createStreamSlots();
  const metrics = createMetrics(streams);

  const slot = streams.acquire([]);
  const open = await linesOf(metrics, 'nereid_console_streams');
  if (slot.kind === 'taken') slot.leave();

  expect([open, await linesOf(metrics, 'nereid_console_streams')]).toEqual([
    ['nereid_console_streams 1'],
    ['nereid_console_streams 0'],
  ]);
});
