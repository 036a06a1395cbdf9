/**
 * How the roots of one revision are doing. Storage knows how deployments ended, and nothing else counts as an end; Temporal knows how
 * far the others are.
 */
import { hasEnded, type DeploymentStatus, type EndedStatus } from '../../deployment/status.ts';
import type { Rollout, RolloutEnd, RolloutRoot } from '../model.ts';
import { awaitedIn, type RootsBefore } from './awaited.ts';
import { STAND_OF } from './stand.ts';

/** A rollout with the ends of its roots, by name. */
export interface StoredRollout {
  readonly rollout: Rollout;
  readonly ends: ReadonlyMap<string, readonly RolloutEnd[]>;
}

/** `ending`: its workflow says that it is over, and storage does not have its end yet. */
export type RootStatus = DeploymentStatus | 'ending';

export interface RootState {
  readonly rootName: string;
  readonly deploymentId: string;
  readonly status: RootStatus;
  /** It goes with a later deployment of its root, which contains it. */
  readonly isCarried: boolean;
  /** The roots for which it waits, while nobody works on it. */
  readonly waitsFor: RootsBefore;
}

/** `statuses`: of the deployments that Temporal knows, by id. */
export function rootStatesOf(
  stored: readonly StoredRollout[],
  statuses: ReadonlyMap<string, DeploymentStatus>,
): readonly RootState[] {
  const states = new Map<string, RootState>();
  const endsById = new Map(stored.map(({ rollout, ends }) => [rollout.id, ends]));
  for (const attempt of attemptsAmong(stored)) {
    for (const state of statesIn(attempt, endsById, statuses)) states.set(state.rootName, state);
  }
  return [...states.values()];
}

export function hasRootEnded({ status }: Pick<RootState, 'status'>): boolean {
  return status !== 'ending' && hasEnded(status);
}

/** Whether somebody, or a host, works on one of them: then their states change within minutes. */
export function isAtWork(states: readonly RootState[]): boolean {
  return states.some(({ status }) => status === 'ending' || STAND_OF[status] === 'working');
}

/** The same roots deployed once: by the merge, which several messages may have told of, or by one re-run. The oldest first. */
function attemptsAmong(stored: readonly StoredRollout[]): readonly (readonly StoredRollout[])[] {
  const sorted = stored.toSorted((one, other) => one.rollout.orderedAt.localeCompare(other.rollout.orderedAt));
  const merge = sorted.filter(({ rollout }) => !rollout.isRerun);
  const reruns = sorted.filter(({ rollout }) => rollout.isRerun);
  return [merge, ...reruns.map((one) => [one])];
}

type OwnRoot = RolloutRoot & Required<Pick<RolloutRoot, 'deploymentId'>>;

/** Those of earlier rollouts are told by these. */
function isOwn(root: RolloutRoot): root is OwnRoot {
  return root.deploymentId !== undefined && root.of === undefined;
}

type EndsById = ReadonlyMap<string, StoredRollout['ends']>;
type Statuses = ReadonlyMap<string, DeploymentStatus>;

function statesIn(attempt: readonly StoredRollout[], endsById: EndsById, statuses: Statuses): readonly RootState[] {
  return [...chooseDeployments(attempt, endsById, statuses)].map(([rootName, { deploymentId, awaitedBy }]) => {
    const end = worstOf(attempt.flatMap(({ ends }) => ends.get(rootName) ?? []));
    if (end !== undefined) {
      const isCarried = end.kind === 'carried';
      return { rootName, deploymentId, status: endOf(end), isCarried, waitsFor: NONE };
    }
    const known = statuses.get(deploymentId);
    const status = known !== undefined && hasEnded(known) ? 'ending' : (known ?? 'queued');
    const waitsFor = status === 'queued' ? awaitedBy(rootName) : NONE;
    return { rootName, deploymentId, status, isCarried: false, waitsFor };
  });
}

interface ChosenDeployment {
  readonly deploymentId: string;
  readonly awaitedBy: (rootName: string) => RootsBefore;
}

/** By root. A lane takes a merge once: of several messages about it, one has the deployment that runs. */
function chooseDeployments(
  attempt: readonly StoredRollout[],
  endsById: EndsById,
  statuses: Statuses,
): ReadonlyMap<string, ChosenDeployment> {
  const chosen = new Map<string, ChosenDeployment>();
  const isOpen = ({ rootName, of }: RolloutRoot) =>
    !attempt.some(({ ends }) => ends.has(rootName)) && !endsById.get(of ?? '')?.has(rootName);
  for (const { rollout } of attempt) {
    const awaitedBy = awaitedIn(rollout.roots, isOpen);
    for (const { rootName, deploymentId } of rollout.roots.filter(isOwn)) {
      const known = chosen.get(rootName);
      if (known === undefined || !statuses.has(known.deploymentId)) chosen.set(rootName, { deploymentId, awaitedBy });
    }
  }
  return chosen;
}

const NONE: RootsBefore = { named: [], count: 0 };

function endOf(end: RolloutEnd): EndedStatus {
  return end.kind === 'carried' ? 'skipped' : end.status;
}

/** If it is said to have ended in several ways. */
function worstOf(ends: readonly RolloutEnd[]): RolloutEnd | undefined {
  return ends.toSorted((one, other) => badness(other) - badness(one))[0];
}

function badness(end: RolloutEnd): number {
  const stand = STAND_OF[endOf(end)];
  return stand === 'failed' ? 2 : stand === 'left' ? 1 : 0;
}
