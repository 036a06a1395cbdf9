import { Counter, Histogram, type Registry } from 'prom-client';

/** One request to an object store, once it is over. */
interface StoreRequest {
  readonly operation: string;
  readonly outcome: string;
  readonly durationMs: number;
}

/** A folder answers within milliseconds, a bucket within a tenth of a second; after 30 s, its client gives up. */
const SECONDS = [0.005, 0.025, 0.1, 0.5, 2.5, 10, 30];

/** Those that take as long as the store takes. Listings and streams also take the time of whoever reads them. */
const TIMED = ['get', 'put', 'delete'];

const OUTCOMES = ['ok', 'conflict', 'unavailable', 'failed'];

/**
 * Returns a function that counts the requests to one of the stores, which the label `store` names. Every series is there from the
 * start, because Prometheus sees no increase in a series that begins with it.
 */
export function measureStores<Store extends string>(
  registry: Registry,
  stores: readonly Store[],
): (store: Store) => (request: StoreRequest) => void {
  const registers = [registry];
  const requests = new Counter({
    name: 'nereid_storage_requests_total',
    help: 'Requests to storage by store, operation and outcome.',
    labelNames: ['store', 'operation', 'outcome'],
    registers,
  });
  const seconds = new Histogram({
    name: 'nereid_storage_request_seconds',
    help: 'How long storage took to answer, by operation.',
    labelNames: ['operation'],
    buckets: SECONDS,
    registers,
  });
  for (const store of stores)
    for (const operation of TIMED) for (const outcome of OUTCOMES) requests.inc({ store, operation, outcome }, 0);
  return (store) =>
    ({ operation, outcome, durationMs }) => {
      requests.inc({ store, operation, outcome });
      if (TIMED.includes(operation)) seconds.observe({ operation }, durationMs / 1_000);
    };
}
