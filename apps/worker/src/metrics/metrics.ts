import type { CountedRequest } from '@nereid/github';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { measureStuck } from './stuck-metrics.ts';

export interface Metrics {
  readonly registry: Registry;
  /** Counts a request to GitHub, and keeps the budget that GitHub reported with it. */
  readonly onGitHubRequest: (request: CountedRequest) => void;
  readonly intakes: Counter<'event' | 'outcome'>;
  readonly forged: Counter<'kind'>;
  /** Records the number of stuck workflows, by type. */
  readonly onStuckWorkflows: (counts: Readonly<Record<string, number>>) => void;
}

/** For requests to GitHub, which usually take 0.3 s; GitHub gives up after ten. */
const SECONDS = [0.1, 0.3, 1, 3, 10];

/** The values of every label are bounded: routes carry the names of their parameters, never the values. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  return {
    registry,
    onGitHubRequest: createGitHubMetrics(registry),
    intakes: new Counter({
      name: 'nereid_intakes_total',
      help: 'Events of GitHub by kind and outcome.',
      labelNames: ['event', 'outcome'],
      registers: [registry],
    }),
    forged: new Counter({
      name: 'nereid_forged_total',
      help: 'Messages and jobs whose signature was missing or wrong, by kind.',
      labelNames: ['kind'],
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
    help: 'Requests that GitHub refused because of a rate limit.',
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

/** The last budget of each installation. Installations are no label: anybody may install the App, so there is no bound. */
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
    /** Undefined when no known budget is still valid. A budget lasts for an hour at most. */
    lowest(): number | undefined {
      forget();
      const left = [...budgets.values()].map(({ remaining }) => remaining);
      return left.length === 0 ? undefined : Math.min(...left);
    },
  };
}

type Budget = NonNullable<CountedRequest['budget']>;
