/** A revision with all its deployments: those that run or wait, and those that ended. Pure. */
import { STANDS, type RolloutDetail, type RolloutSummary, type Stand } from '@nereid/api';
import { fullName, type DeploymentStatus } from '@nereid/contracts';
import { keyOf, type FleetDeployment } from '../fleet/fleet.ts';
import { briefOf } from '../fleet/lane-summary.ts';
import type { LaneName } from '@nereid/github';

/** A deployment of a lane, wherever it is told of. */
export interface Told extends FleetDeployment {
  readonly lane: LaneName;
  readonly endedAt?: string;
}

/** Undefined without any deployment. They may come in any order, and several times. */
export function rolloutOf(told: readonly Told[], githubUrl: string): Omit<RolloutDetail, 'unavailable'> | undefined {
  const newest = newestOfEachRoot(told);
  const first = firstOf(told);
  if (first === undefined) return undefined;
  const deployments = newest.map((one) => ({
    ...briefOf(one, one.lane, githubUrl),
    rootName: one.lane.rootName,
    stand: STAND[one.status],
    ...(one.endedAt !== undefined && { endedAt: one.endedAt }),
  }));
  return { ...summaryOf(first, newest), deployments: deployments.toSorted(byUrgency) };
}

/** The revisions of these deployments, the newest first. */
export function rolloutsOf(told: readonly Told[]): readonly RolloutSummary[] {
  const byRevision = Map.groupBy(told, ({ lane, revision }) => `${fullName(lane)}@${revision.sha}`);
  return [...byRevision.values()]
    .flatMap((ofOne) => {
      const first = firstOf(ofOne);
      return first === undefined ? [] : [summaryOf(first, newestOfEachRoot(ofOne))];
    })
    .toSorted((one, other) => other.at.localeCompare(one.at));
}

function firstOf(told: readonly Told[]): Told | undefined {
  const [first] = told.toSorted((one, other) => one.receivedAt.localeCompare(other.receivedAt));
  return first;
}

function summaryOf({ lane, revision, receivedAt }: Told, newest: readonly Told[]): RolloutSummary {
  const counts: RolloutSummary['counts'] = {};
  for (const { status } of newest) counts[STAND[status]] = (counts[STAND[status]] ?? 0) + 1;
  const { sha, title, author } = revision;
  return { repository: fullName(lane), sha, title, author, at: receivedAt, counts };
}

/** A re-run takes the place of what it re-runs. */
function newestOfEachRoot(told: readonly Told[]): readonly Told[] {
  const newest = new Map<string, Told>();
  for (const one of told) {
    const known = newest.get(keyOf(one.lane));
    if (known === undefined || isNewer(one, known)) newest.set(keyOf(one.lane), one);
  }
  return [...newest.values()];
}

/** Of two that tell of the same deployment, the one that has ended is newer. */
function isNewer(one: Told, other: Told): boolean {
  return one.id === other.id ? one.endedAt !== undefined : one.receivedAt > other.receivedAt;
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

type Row = RolloutDetail['deployments'][number];

function byUrgency(one: Row, other: Row): number {
  return STANDS.indexOf(one.stand) - STANDS.indexOf(other.stand) || one.rootName.localeCompare(other.rootName);
}
