/** A revision with all its deployments: those that run or wait, and those that ended. Pure. */
import { STANDS, type RolloutDetail, type RolloutSummary, type Stand } from '@nereid/api';
import { defined } from '@nereid/domain/defined';
import type { DeploymentStatus, WaitAtGate } from '@nereid/domain/deployment';
import { isAtHaltedWave } from '@nereid/domain/gates';
import { STAND_OF } from '@nereid/domain/rollout';
import { fullName } from '@nereid/domain/root';
import type { Pages } from '@nereid/forge';
import { isDeployed, isOfBranch } from '@nereid/domain/lane';
import { describeNextWave, type OpenedBy } from '@nereid/texts';
import { isSameName } from '../access/repository-access.ts';
import { keyOf } from '../fleet/fleet.ts';
import type { LaneDeployment } from '../fleet/lane-deployments.ts';
import { briefOf } from '../fleet/lane-summary.ts';
import { phasesOf } from './phases.ts';

/**
 * `told` may have others, in any order and several times. Undefined without any deployment of the revision. Nobody knows yet which
 * roots wait for which.
 */
export function rolloutOf(
  told: readonly LaneDeployment[],
  { repository, sha }: { readonly repository: string; readonly sha: string },
  forgePages: Pages,
): Omit<RolloutDetail, 'unavailable'> | undefined {
  const ofIt = told.filter(({ lane, revision }) => revision.sha === sha && isSameName(fullName(lane), repository));
  const first = firstOf(ofIt);
  if (first === undefined) return undefined;
  const placed = placedIn(told, newestOfEachRoot(ofIt));
  const deployments = placed.map(({ one, stand, carrierStatus }) => ({
    ...briefOf(one, one.lane, forgePages, carrierStatus),
    rootName: one.lane.rootName,
    stand,
    phases: phasesOf(one),
    waitsFor: [],
    waitsForCount: 0,
    ...defined({ endedAt: one.endedAt, reason: one.status === 'blocked' ? one.reason : undefined }),
  }));
  return {
    ...summaryOf(first, placed),
    deployments: deployments.toSorted(byUrgency),
    ...awaitedOf(placed),
  };
}

/** The wave that deployments wait for. Nobody waits for a later one before this one is over. */
function awaitedOf(placed: readonly Placed[]): Pick<RolloutDetail, 'awaitedWave' | 'nextWave'> {
  const waits = waitsAtGates(placed).filter(({ waitsFor: { wave } }) => wave !== undefined);
  if (waits.length === 0) return {};
  const awaitedWave = Math.min(...waits.map(({ waitsFor: { wave = Infinity } }) => wave));
  return { awaitedWave, ...(haltOf(placed) === undefined && defined({ nextWave: nextWaveIn(waits, awaitedWave) })) };
}

/** Those of the very next wave know most of the one before it. */
function nextWaveIn(waits: readonly AtGate[], awaitedWave: number): string | undefined {
  const ofIt = waits.filter(({ waitsFor: { wave } }) => wave === awaitedWave);
  const [next] = ofIt.toSorted((one, other) => Number(isNext(other)) - Number(isNext(one)));
  return next?.reason === undefined ? undefined : describeNextWave(next.reason, openedByOf(next));
}

function isNext(wait: AtGate): boolean {
  return openedByOf(wait) !== undefined;
}

/** As the gate `soak` says it: operators mend checks, and only an end that is known has a time. */
function openedByOf({ waitsFor: { who, until } }: AtGate): OpenedBy | undefined {
  if (who.includes('operators')) return 'checks';
  return until === undefined ? undefined : 'soak';
}

/** All that wait for a halted wave say the same of it. */
function haltOf(placed: readonly Placed[]): string | undefined {
  const waiting = waitsAtGates(placed).find(({ waitsFor }) => isAtHaltedWave(waitsFor));
  return waiting?.reason === undefined ? undefined : describeNextWave(waiting.reason);
}

interface AtGate extends Pick<LaneDeployment, 'reason'> {
  readonly waitsFor: WaitAtGate;
}

function waitsAtGates(placed: readonly Placed[]): readonly AtGate[] {
  return placed.flatMap(({ one: { status, reason, waitsFor } }) =>
    status === 'blocked' && typeof waitsFor === 'object' ? [{ waitsFor, ...defined({ reason }) }] : [],
  );
}

/** The revisions of these deployments, the newest first. */
export function rolloutsOf(told: readonly LaneDeployment[]): readonly RolloutSummary[] {
  const byRevision = Map.groupBy(told, ({ lane, revision }) => `${fullName(lane)}@${revision.sha}`);
  const inLanes = Map.groupBy(told, ({ lane }) => keyOf(lane));
  return [...byRevision.values()]
    .flatMap((ofOne) => {
      const first = firstOf(ofOne);
      if (first === undefined) return [];
      const newest = newestOfEachRoot(ofOne);
      const others = newest.flatMap(({ lane, carrier }) => (carrier ? (inLanes.get(keyOf(lane)) ?? []) : []));
      return [summaryOf(first, placedIn(others, newest))];
    })
    .toSorted((one, other) => other.at.localeCompare(one.at));
}

function firstOf(told: readonly LaneDeployment[]): LaneDeployment | undefined {
  const [first] = told.toSorted((one, other) => one.receivedAt.localeCompare(other.receivedAt));
  return first;
}

function summaryOf({ lane, revision, receivedAt }: LaneDeployment, placed: readonly Placed[]): RolloutSummary {
  const counts: RolloutSummary['counts'] = {};
  for (const { stand } of placed) counts[stand] = (counts[stand] ?? 0) + 1;
  const { sha, title, author } = revision;
  const halted = haltOf(placed);
  return { repository: fullName(lane), sha, title, author, at: receivedAt, counts, ...defined({ halted }) };
}

/** A re-run takes the place of what it re-runs. */
function newestOfEachRoot(told: readonly LaneDeployment[]): readonly LaneDeployment[] {
  const newest = new Map<string, LaneDeployment>();
  for (const one of told) {
    const known = newest.get(keyOf(one.lane));
    if (known === undefined || isNewer(one, known)) newest.set(keyOf(one.lane), one);
  }
  return [...newest.values()];
}

/** If two tell of the same deployment, the one that has ended is newer. */
function isNewer(one: LaneDeployment, other: LaneDeployment): boolean {
  return one.id === other.id ? one.endedAt !== undefined : one.receivedAt > other.receivedAt;
}

interface Placed {
  readonly one: LaneDeployment;
  readonly stand: Stand;
  /** Only of a deployment that another one carries. */
  readonly carrierStatus?: DeploymentStatus;
}

/** `told` is what else is known of the same lanes. */
function placedIn(told: readonly LaneDeployment[], deployments: readonly LaneDeployment[]): readonly Placed[] {
  return deployments.map((one) => {
    const carrier = one.status === 'skipped' && one.carrier ? carrierOf(told, one) : undefined;
    if (carrier === undefined) return { one, stand: STAND_OF[one.status] };
    const { id: deploymentId, revision, status } = carrier;
    const carried = { ...one, carrier: { deploymentId, revision: revision.sha } };
    return { one: carried, stand: CARRIED[STAND_OF[status]], carrierStatus: status };
  });
}

/** The first deployment that brought a later revision of the branch, which contains this one; else what the lane named. */
function carrierOf(
  told: readonly LaneDeployment[],
  { lane, revision, carrier }: LaneDeployment,
): LaneDeployment | undefined {
  const inLane = told.filter((other) => keyOf(other.lane) === keyOf(lane));
  const [applied] = inLane
    .filter((one) => isOfBranch(one) && isDeployed(one.status) && one.revision.position > revision.position)
    .toSorted((one, other) => (one.endedAt ?? '').localeCompare(other.endedAt ?? ''));
  if (applied) return applied;
  return newestOfEachRoot(inLane.filter((one) => one.revision.sha === carrier?.revision))[0];
}

/** The other deployment has its own place in its own rollout: here it only says how far this revision is. */
const CARRIED: Readonly<Record<Stand, Stand>> = {
  review: 'waiting',
  working: 'waiting',
  waiting: 'waiting',
  failed: 'left',
  left: 'left',
  done: 'done',
};

type Row = RolloutDetail['deployments'][number];

function byUrgency(one: Row, other: Row): number {
  return STANDS.indexOf(one.stand) - STANDS.indexOf(other.stand) || one.rootName.localeCompare(other.rootName);
}
