import type { CountedRequest } from '@nereid/github';
import { Counter, Gauge, Registry } from 'prom-client';

export interface Metrics {
  readonly registry: Registry;
  /** Counts a request to GitHub, and keeps what it said of the budget. */
  readonly onGitHubRequest: (request: CountedRequest) => void;
  readonly intakes: Counter<'event' | 'outcome'>;
}

/** No label without a bound: routes carry the names of their parameters, never the values. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const requests = new Counter({
    name: 'nereid_github_requests_total',
    help: 'Requests to GitHub by route and status; 0 is no answer.',
    labelNames: ['route', 'status'],
    registers: [registry],
  });
  const remaining = new Gauge({
    name: 'nereid_github_budget_remaining',
    help: 'Requests left until GitHub refuses more, as it last said.',
    registers: [registry],
  });
  return {
    registry,
    onGitHubRequest: ({ route, status, remaining: left }) => {
      requests.inc({ route, status });
      if (left !== undefined) remaining.set(left);
    },
    intakes: new Counter({
      name: 'nereid_intakes_total',
      help: 'Events of GitHub by kind and by what became of them.',
      labelNames: ['event', 'outcome'],
      registers: [registry],
    }),
  };
}
