import { measureStores } from '@nereid/process';
import type { StoreRequest } from '@nereid/storage';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

export interface Metrics {
  readonly registry: Registry;
  /** Counts a request that was answered. `seconds` is undefined of a stream, which lasts as long as a person looks. */
  readonly onRequest: (answered: AnsweredRequest) => void;
  readonly onStoreRequest: (store: StoreName) => (request: StoreRequest) => void;
}

/** How many there are. */
interface OpenStreams {
  taken(): number;
}

export interface AnsweredRequest {
  /** As it is written in the code, with the names of its parameters. */
  readonly route: string;
  readonly status: number;
  readonly seconds: number | undefined;
}

/** What the console reads, as in the server's file. */
const STORES = ['deployments', 'logs'] as const;

type StoreName = (typeof STORES)[number];

/** A page waits for Temporal at most three times, for 2 s each. */
const SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function createMetrics(streams: OpenStreams): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Counter({
    name: 'nereid_console_requests_total',
    help: 'Requests to the console by route and status.',
    labelNames: ['route', 'status'],
    registers,
  });
  const seconds = new Histogram({
    name: 'nereid_console_request_seconds',
    help: 'How long the console took to answer, by route; without streams.',
    labelNames: ['route'],
    buckets: SECONDS,
    registers,
  });
  new Gauge({
    name: 'nereid_console_streams',
    help: 'Streams of events and of logs that are open.',
    registers,
    collect() {
      this.set(streams.taken());
    },
  });
  return {
    registry,
    onRequest: ({ route, status, seconds: took }) => {
      requests.inc({ route, status });
      if (took !== undefined) seconds.observe({ route }, took);
    },
    onStoreRequest: measureStores(registry, STORES),
  };
}
