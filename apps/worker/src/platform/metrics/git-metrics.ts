import type { MirrorsOptions } from '@nereid/git';
import { Histogram, type Registry } from 'prom-client';

/** A fetch of a push takes a second; the first one of a large repository takes minutes, and is given up after fifteen. */
const SECONDS = [0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 900];

/** Returns a function that counts each fetch of a mirror. Repositories are no label: there is no bound. */
export function measureFetches(registry: Registry): Required<MirrorsOptions>['onFetch'] {
  const seconds = new Histogram({
    name: 'nereid_mirror_fetch_seconds',
    help: 'How long fetches of mirrors took, by outcome; gone: the server does not have the commit.',
    labelNames: ['outcome'],
    buckets: SECONDS,
    registers: [registry],
  });
  for (const outcome of ['ok', 'gone', 'stopped', 'failed']) seconds.zero({ outcome });
  return ({ outcome, durationMs }) => {
    seconds.observe({ outcome }, durationMs / 1_000);
  };
}
