import type { RequestListener, ServerResponse } from 'node:http';
import { collectDefaultMetrics, type Registry } from 'prom-client';
import type { Metrics } from './metrics.ts';

/** `/metrics`, on a port of its own. */
export function metricsListener({ registry }: Metrics): RequestListener {
  collectDefaultMetrics({ register: registry });
  return (request, response) => {
    if (request.url === '/metrics') void send(registry, response);
    else response.writeHead(404).end();
  };
}

async function send(registry: Registry, response: ServerResponse): Promise<void> {
  try {
    const text = await registry.metrics();
    response.writeHead(200, { 'content-type': registry.contentType }).end(text);
  } catch {
    response.writeHead(500).end();
  }
}
