import type { CountedRequest } from '@nereid/github';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { measureStuck } from './stuck-metrics.ts';

export interface Metrics {
  readonly registry: Registry;
  /** Counts a request to GitHub, and keeps what it said of the budget. */
  readonly onGitHubRequest: (request: CountedRequest) => void;
  readonly intakes: Counter<'event' | 'outcome'>;
  /** Takes how many workflows are stuck, by type. */
  readonly onStuckWorkflows: (counts: Readonly<Record<string, number>>) => void;
}

/** Of requests to GitHub, which take 0.3 s; it gives up after ten. */
const SECONDS = [0.1, 0.3, 1, 3, 10];

/** No label without a bound: routes carry the names of their parameters, never the values. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  return {
    registry,
    onGitHubRequest: createGitHubMetrics(registry),
    intakes: new Counter({
      name: 'nereid_intakes_total',
      help: 'Events of GitHub by kind and by what became of them.',
      labelNames: ['event', 'outcome'],
      registers: [registry],
    }),
    onStuckWorkflows: measureStuck(registry),
  };
}

function createGitHubMetrics(registry: Registry): Metrics['onGitHubRequest'] {
  const registers = [registry];
  const requests = new Counter({
    name: 'nereid_github_requests_total',
    help: 'Requests to GitHub by route and status; 0 is no answer.',
    labelNames: ['route', 'status'],
    registers,
  });
  const limited = new Counter({
    name: 'nereid_github_limited_total',
    help: 'Requests to which GitHub answered that it wants to be left alone for a while.',
    registers,
  });
  const seconds = new Histogram({
    name: 'nereid_github_request_seconds',
    help: 'How long GitHub took to answer, by route.',
    labelNames: ['route'],
    buckets: SECONDS,
    registers,
  });
  const budgets = createBudgets();
  new Gauge({
    name: 'nereid_github_budget_remaining',
    help: 'Requests left until GitHub refuses more, of the installation that has the fewest.',
    registers,
    collect() {
      this.set(budgets.lowest() ?? Number.NaN);
    },
  });
  return (request) => {
    requests.inc({ route: request.route, status: request.status });
    seconds.observe({ route: request.route }, request.durationMs / 1_000);
    if (request.limited) limited.inc();
    if (request.budget) budgets.keep(request.installation, request.budget);
  };
}

/** What GitHub last said to each installation. A label would be one without a bound: anybody may install the App. */
function createBudgets() {
  const budgets = new Map<string, Budget>();
  const forget = () => {
    for (const [installation, { resetsAtMs }] of budgets) if (resetsAtMs <= Date.now()) budgets.delete(installation);
  };
  return {
    keep(installation: string, budget: Budget) {
      forget();
      budgets.set(installation, budget);
    },
    /** Undefined when none was asked within the hour. */
    lowest(): number | undefined {
      forget();
      const left = [...budgets.values()].map(({ remaining }) => remaining);
      return left.length === 0 ? undefined : Math.min(...left);
    },
  };
}

type Budget = NonNullable<CountedRequest['budget']>;
