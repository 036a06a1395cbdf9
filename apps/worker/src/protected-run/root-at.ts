/**
 * Whether a root has everything that a commit has of it, by what storage knows: its newest deployment that took effect, as its host
 * signed. It has, if that contains the commit, or if nothing of the root has changed between the two.
 */
import type { Deployment } from '@nereid/domain/deployment';
import type { LaneRecord, Undeployed } from '@nereid/domain/lane';
import type { Repository } from '@nereid/domain/root';
import { withProgress } from '../lane/view-lane.ts';
import type { WorkerContext } from '../platform/context.ts';
import { awaitedClause, describeEnd } from '../rollout/describe.ts';
import { deploymentsInEffect, outcomeFor } from '../rollout/outcomes.ts';
import type { JudgedCommit } from './judged-commit.ts';

export type RootAt =
  | { readonly kind: 'applied' | 'unchanged' }
  /** `clause` begins with "which" or "whose". */
  | { readonly kind: 'waiting'; readonly clause: string }
  /** Its last deployment has ended, and it goes on only once somebody acts. */
  | { readonly kind: 'failed'; readonly deploymentId: string; readonly end: string }
  | { readonly kind: 'rejected'; readonly deploymentId: string; readonly by: string };

export type RootAtContext = Pick<
  WorkerContext,
  'deploymentRecords' | 'laneRecords' | 'laneTurns' | 'temporal' | 'logger'
>;

/** The state of a root, whichever commit is judged. */
export interface RootKnown {
  /** The revision that took effect last. */
  readonly deployed: string | undefined;
  readonly lane: LaneRecord | undefined;
  /** Intake has stored that it was to be deployed, before its lane heard of it. */
  readonly isOrdered: boolean;
  /** What is deployed now, or goes next. Its workflow is asked once: one that does not answer takes seconds. */
  readonly next: () => Promise<Deployment | undefined>;
}

export async function readRoot(context: RootAtContext, repository: Repository, rootName: string): Promise<RootKnown> {
  const [deployed, stored, turn] = await Promise.all([
    deployedRevision(context, repository, rootName),
    context.laneRecords.read(repository, rootName),
    context.laneTurns.read(repository, rootName),
  ]);
  const lane = stored?.record;
  let next: Promise<Deployment | undefined> | undefined;
  return {
    deployed,
    lane,
    isOrdered: turn?.since !== undefined || turn?.last !== undefined || turn?.isOrdered === true,
    next: () => (next ??= nextOf(context, lane)),
  };
}

/** Most often, the newest record is the one. */
async function deployedRevision(
  context: RootAtContext,
  repository: Repository,
  rootName: string,
): Promise<string | undefined> {
  const [newest] = await context.deploymentRecords.latest(repository, rootName, 1);
  if (newest === undefined) return undefined;
  const { progress, revision } = newest.deployment;
  if (progress.status === 'succeeded' || progress.status === 'no-changes') return revision.sha;
  return (await deploymentsInEffect(context, repository, rootName))[0]?.deployment.revision.sha;
}

export async function rootAt(
  context: RootAtContext,
  commit: JudgedCommit,
  rootName: string,
  known: RootKnown,
): Promise<RootAt> {
  const { deployed, lane, isOrdered } = known;
  // Whoever reaches Temporal can have a lane forget what it was ordered to deploy, but not that it is there.
  if (deployed === undefined && lane === undefined && !isOrdered) return neverOrdered(commit, rootName);
  if (deployed !== undefined && (await commit.isIn(deployed))) return { kind: 'applied' };
  if (deployed !== undefined && !(await commit.changedSince(deployed)).has(rootName)) return { kind: 'unchanged' };
  return missing(context, commit, rootName, known);
}

async function nextOf(context: RootAtContext, lane: LaneRecord | undefined): Promise<Deployment | undefined> {
  return lane?.running ? withProgress(context, lane.running) : (lane?.manual[0] ?? lane?.merged[0]);
}

/** Installing Nereid deploys nothing: what was on the branch before is taken as it is. */
async function neverOrdered(commit: JudgedCommit, rootName: string): Promise<RootAt> {
  const { reconciledTo } = commit;
  if (reconciledTo === undefined)
    return { kind: 'waiting', clause: 'whose repository Nereid looks at within ten minutes' };
  if (await commit.isIn(reconciledTo)) return { kind: 'unchanged' };
  return (await commit.changedSince(reconciledTo)).has(rootName) ? NOT_QUEUED : { kind: 'unchanged' };
}

const NOT_QUEUED: RootAt = { kind: 'waiting', clause: 'which has not reached its queue' };

async function missing(
  context: RootAtContext,
  commit: JudgedCommit,
  rootName: string,
  { lane, next: findNext }: RootKnown,
): Promise<RootAt> {
  const next = await findNext();
  if (next !== undefined) return { kind: 'waiting', clause: awaitedClause(next, lane?.lock) };
  const last = lane?.undeployed?.at(-1);
  if (last === undefined || !(await isAbout(commit, rootName, last))) return NOT_QUEUED;
  return endedAs(context, commit.repository, rootName, last);
}

/** The push that brings the commit to its lane may come later than the run: then the last end is that of another change. */
async function isAbout(commit: JudgedCommit, rootName: string, { revision: { sha } }: Undeployed): Promise<boolean> {
  return (await commit.isIn(sha)) || !(await commit.changedSince(sha)).has(rootName);
}

/** How it ended is the lane's own word; that a person rejected it is in its record. */
async function endedAs(
  context: RootAtContext,
  repository: Repository,
  rootName: string,
  { deploymentId, status }: Undeployed,
): Promise<RootAt> {
  const stored = (await context.deploymentRecords.find(repository, rootName, deploymentId))?.deployment.progress;
  if (stored?.status === 'rejected' && stored.review !== undefined)
    return { kind: 'rejected', deploymentId, by: stored.review.by };
  // Somebody may have sent the lane an end that is none.
  const end = outcomeFor(status).kind === 'failed' ? describeEnd(status) : 'was not deployed';
  return { kind: 'failed', deploymentId, end };
}
