import type { CountedRequest, InstallationLimits } from '@nereid/github';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** For requests to GitHub, which usually take 0.3 s; GitHub gives up after ten. */
const SECONDS = [0.1, 0.3, 1, 3, 10];

export interface GitHubMetrics {
  /** Counts a request to GitHub, and keeps the budget that GitHub reported with it. */
  readonly onRequest: (request: CountedRequest) => void;
  /** From then on, what waits is counted whenever somebody reads the metrics. */
  readonly watchLimits: (limits: () => readonly InstallationLimits[]) => void;
}

export function measureGitHub(registry: Registry): GitHubMetrics {
  const registers = [registry];
  const requests = new Counter({
    name: 'nereid_github_requests_total',
    help: 'Requests to GitHub by route and status; 0 means no answer.',
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
  return {
    onRequest: (request) => {
      requests.inc({ route: request.route, status: request.status });
      seconds.observe({ route: request.route }, request.durationMs / 1_000);
      if (request.limited) limited.inc();
      if (request.budget) budgets.keep(request.installation, request.budget);
    },
    watchLimits: (limits) => {
      new Gauge({
        name: 'nereid_github_waiting_requests',
        help: "Requests that wait for room within GitHub's limits, or have a turn reserved.",
        registers,
        collect() {
          this.set(sum(limits().map(({ waiting, reserved }) => waiting + reserved)));
        },
      });
    },
  };
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
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
