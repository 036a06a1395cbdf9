/** A revision with all its deployments: from those that run or wait, and those that ended. Pure. */
import type { DeploymentSummary, RolloutDetail, RolloutSummary } from '@nereid/api';
import type { DeploymentStatus } from '@nereid/contracts';

type Rollout = Omit<RolloutDetail, 'unavailable'>;

/** Where a root of a rollout stands; the order is that of the page. */
export const STANDS = ['review', 'failed', 'working', 'waiting', 'left', 'done'] as const;
export type Stand = (typeof STANDS)[number];

/** Undefined without any deployment. They may come in any order, and several times. */
export function rolloutOf(deployments: readonly DeploymentSummary[]): Rollout | undefined {
  const newest = newestOfEachRoot(deployments);
  const [first] = newest.toSorted((a, b) => byTime(a.receivedAt, b.receivedAt));
  if (first === undefined) return undefined;
  const { repository, revision, pullRequest, receivedAt: at } = first;
  const number = pullRequest !== undefined && { pullRequest };
  return { repository, revision, ...number, at, counts: countsOf(newest), deployments: newest.toSorted(byUrgency) };
}

/** The revisions of these deployments, the newest first. */
export function rolloutsOf(deployments: readonly DeploymentSummary[]): readonly RolloutSummary[] {
  const byRevision = Map.groupBy(deployments, ({ repository, revision }) => `${repository}@${revision.sha}`);
  return [...byRevision.values()]
    .flatMap((ofOne) => rolloutOf(ofOne) ?? [])
    .map(({ deployments: _all, ...summary }) => summary)
    .toSorted((a, b) => byTime(b.at, a.at));
}

/** A re-run takes the place of what it re-runs. */
function newestOfEachRoot(deployments: readonly DeploymentSummary[]): readonly DeploymentSummary[] {
  const newest = new Map<string, DeploymentSummary>();
  for (const deployment of deployments) {
    const known = newest.get(deployment.rootName);
    if (known === undefined || isNewer(deployment, known)) newest.set(deployment.rootName, deployment);
  }
  return [...newest.values()];
}

/** Of two that tell of the same deployment, the one that has ended is newer. */
function isNewer(one: DeploymentSummary, other: DeploymentSummary): boolean {
  if (one.id === other.id) return one.endedAt !== undefined;
  return one.receivedAt > other.receivedAt;
}

const STAND: Readonly<Record<DeploymentStatus, Stand>> = {
  queued: 'waiting',
  blocked: 'waiting',
  preparing: 'working',
  planning: 'working',
  'awaiting-review': 'review',
  applying: 'working',
  succeeded: 'done',
  'no-changes': 'done',
  planned: 'done',
  skipped: 'left',
  rejected: 'left',
  expired: 'left',
  cancelled: 'left',
  refused: 'failed',
  'plan-failed': 'failed',
  'apply-failed': 'failed',
  'apply-outcome-unknown': 'failed',
  'host-lost': 'failed',
};

export function standOf({ status }: Pick<DeploymentSummary, 'status'>): Stand {
  return STAND[status];
}

function countsOf(deployments: readonly DeploymentSummary[]): RolloutSummary['counts'] {
  const count = (stand: Stand) => deployments.filter((each) => standOf(each) === stand).length;
  return {
    total: deployments.length,
    done: count('done'),
    failed: count('failed'),
    review: count('review'),
    working: count('working'),
    waiting: count('waiting'),
    left: count('left'),
  };
}

function byUrgency(a: DeploymentSummary, b: DeploymentSummary): number {
  return STANDS.indexOf(standOf(a)) - STANDS.indexOf(standOf(b)) || a.rootName.localeCompare(b.rootName);
}

function byTime(a: string, b: string): number {
  return Date.parse(a) - Date.parse(b);
}
