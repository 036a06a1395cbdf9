import type { RequestListener, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { collectDefaultMetrics, type Registry } from 'prom-client';
import { readSdkMetrics } from './sdk-metrics.ts';

export interface Measured {
  readonly registry: Registry;
  /** Where Temporal's SDK shows its own metrics. */
  readonly sdkMetricsUrl: string;
  readonly logger: Logger;
}

/** `/metrics`, on a port of its own: our metrics, and after them those of Temporal's SDK. */
export function metricsListener(measured: Measured): RequestListener {
  collectDefaultMetrics({ register: measured.registry });
  return (request, response) => {
    if (request.url === '/metrics') void send(measured, response);
    else response.writeHead(404).end();
  };
}

async function send({ registry, sdkMetricsUrl, logger }: Measured, response: ServerResponse): Promise<void> {
  try {
    const [own, sdk] = await Promise.all([registry.metrics(), readSdkMetrics(sdkMetricsUrl, logger)]);
    response.writeHead(200, { 'content-type': registry.contentType }).end(own + sdk);
  } catch {
    response.writeHead(500).end();
  }
}
