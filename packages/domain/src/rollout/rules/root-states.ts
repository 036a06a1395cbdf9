/**
 * How the roots of one revision are doing. Storage knows how deployments ended, and nothing else counts as an end; Temporal knows how
 * far the others are.
 */
import { hasEnded, type DeploymentStatus, type EndedStatus } from '../../deployment/status.ts';
import type { Rollout, RolloutEnd, RolloutRoot } from '../model.ts';
import { createRolloutGraph, type RolloutGraph } from './graph.ts';
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
  /** The names of the roots for which it waits, while nobody works on it. */
  readonly waitsFor: readonly string[];
}

/** `statuses`: of the deployments that Temporal knows, by id. */
export function rootStatesOf(
  stored: readonly StoredRollout[],
  statuses: ReadonlyMap<string, DeploymentStatus>,
): readonly RootState[] {
  const states = new Map<string, RootState>();
  for (const attempt of attemptsAmong(stored)) {
    for (const state of statesIn(attempt, statuses)) states.set(state.rootName, state);
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

function statesIn(
  attempt: readonly StoredRollout[],
  statuses: ReadonlyMap<string, DeploymentStatus>,
): readonly RootState[] {
  const ids = idsByRoot(attempt);
  const graphs = attempt.map(({ rollout, ends }) => ({ graph: createRolloutGraph(rollout.roots), ends }));
  return [...ids].map(([rootName, ofRoot]) => {
    // A lane takes a merge once: of several messages about it, one has the deployment that runs.
    const deploymentId = ofRoot.find((id) => statuses.has(id)) ?? ofRoot.at(-1) ?? '';
    const end = worstOf(attempt.flatMap(({ ends }) => ends.get(rootName) ?? []));
    if (end !== undefined) {
      const isCarried = end.kind === 'carried';
      return { rootName, deploymentId, status: endOf(end), isCarried, waitsFor: [] };
    }
    const known = statuses.get(deploymentId);
    const status = known !== undefined && hasEnded(known) ? 'ending' : (known ?? 'queued');
    const before = status === 'queued' ? graphs.flatMap((one) => openBefore(rootName, one)) : [];
    return { rootName, deploymentId, status, isCarried: false, waitsFor: [...new Set(before)] };
  });
}

function idsByRoot(attempt: readonly StoredRollout[]): ReadonlyMap<string, readonly string[]> {
  const ids = new Map<string, readonly string[]>();
  for (const { rollout } of attempt) {
    for (const { rootName, deploymentId } of rollout.roots.filter(isOwn))
      ids.set(rootName, [...(ids.get(rootName) ?? []), deploymentId]);
  }
  return ids;
}

function openBefore(
  rootName: string,
  { graph, ends }: Pick<StoredRollout, 'ends'> & { readonly graph: RolloutGraph },
): readonly string[] {
  return graph.waitsFor(rootName).flatMap((root) => (ends.has(root.rootName) ? [] : [root.rootName]));
}

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
