import type { RequestListener, ServerResponse } from 'node:http';
import type { Address } from '@nereid/config';
import { collectDefaultMetrics, type Registry } from 'prom-client';
import { listen, type Listener } from '../listen.ts';

/** Prometheus runs close to us: its requests are small and arrive at once. */
const REQUEST_MS = 5_000;

/**
 * Serves `/metrics` at METRICS_ADDRESS, a separate port, because clients that send us work should not read it. Returns
 * undefined without an address.
 */
export async function serveMetrics(
  address: Address | undefined,
  registry: Registry,
  others?: () => Promise<string>,
): Promise<Listener | undefined> {
  return address && listen(metricsListener(registry, others), address, 'METRICS_ADDRESS', { requestMs: REQUEST_MS });
}

/** Serves `/metrics`: the metrics of the registry and of Node, then `others`, a text that Prometheus can read. */
export function metricsListener(
  registry: Registry,
  others: () => Promise<string> = () => Promise.resolve(''),
): RequestListener {
  collectDefaultMetrics({ register: registry });
  return (request, response) => {
    if (request.url === '/metrics') void send(registry, others, response);
    else response.writeHead(404).end();
  };
}

async function send(registry: Registry, others: () => Promise<string>, response: ServerResponse): Promise<void> {
  try {
    const texts = await Promise.all([registry.metrics(), others()]);
    response.writeHead(200, { 'content-type': registry.contentType }).end(texts.join(''));
  } catch (error) {
    response.writeHead(500).end(`the metrics cannot be collected: ${String(error)}`);
  }
}
