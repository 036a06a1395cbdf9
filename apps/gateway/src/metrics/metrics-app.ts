import express, { type Express } from 'express';
import { collectDefaultMetrics } from 'prom-client';
import type { Metrics } from './metrics.ts';

/** `/metrics`, on a port of its own: what counts webhooks is not for who sends them. */
export function createMetricsApp({ registry }: Metrics): Express {
  collectDefaultMetrics({ register: registry });
  const app = express();
  app.disable('x-powered-by');
  app.get('/metrics', async (_request, response) => {
    response.type(registry.contentType).send(await registry.metrics());
  });
  return app;
}
