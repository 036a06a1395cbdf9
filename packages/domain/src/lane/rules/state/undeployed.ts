/**
 * Deployments that ended without taking effect, and what they leave behind: revisions of the branch that are not deployed, and
 * failures that somebody has to look at. Pure.
 *
 * One of the branch is left until a revision takes effect that contains it, or a re-run of its own. One by hand is left until
 * anything takes effect after it. One that was skipped because the lane had deployed it before leaves nothing.
 */
import { defined } from '../../../defined.ts';
import type { Deployment } from '../../../deployment/model.ts';
import type { Trigger } from '../../../deployment/request.ts';
import { hasEnded, type EndedStatus } from '../../../deployment/status.ts';
import type { Latest } from '../../record.ts';
import type { Undeployed } from '../../undeployed.ts';
import { hasHappened } from '../queue/lock.ts';

/** More than anybody reads of one lane; with long texts they take 80 KB of its record. */
export const UNDEPLOYED_LIMIT = 50;

/** As long as a title. */
const REASON_LIMIT = 200;

/** Whether its revision is on the default branch. */
export function isOfBranch({
  trigger,
  rerun = false,
}: {
  readonly trigger: Trigger;
  readonly rerun?: boolean;
}): boolean {
  return trigger === 'merge' || rerun;
}

/** `latest` knows of these ends already, which come in order. */
export function undeployedAfter(
  { undeployed, latest }: { readonly undeployed: readonly Undeployed[]; readonly latest: Latest | undefined },
  ended: readonly Deployment[],
  at: string,
): readonly Undeployed[] {
  const all = ended.reduce((before, deployment) => withEnd(before, deployment, at), undeployed);
  return left(all, latest);
}

/** Joins what two writers of a record know. */
export function joinUndeployed(
  one: readonly Undeployed[],
  other: readonly Undeployed[],
  latest: Latest | undefined,
): readonly Undeployed[] {
  const added = other.filter(({ deploymentId }) => !one.some((known) => known.deploymentId === deploymentId));
  if (added.length === 0) return left(one, latest);
  return left([...one, ...added].toSorted((a, b) => (a.at < b.at ? -1 : 1)).reduce(withLatest, []), latest);
}

/** The failure that waits for a person; undefined when there is none, or when a person ended what came after it. */
export function failureLeft(undeployed: readonly Undeployed[]): Undeployed | undefined {
  const lastOnes = [undeployed.findLast(isOfBranch), undeployed.findLast((one) => !isOfBranch(one))];
  return undeployed.findLast((one) => lastOnes.includes(one) && FAILED.includes(one.status));
}

const FAILED: readonly EndedStatus[] = ['plan-failed', 'host-lost', 'expired', 'refused'];

/**
 * The revisions of the branch that the lane has accepted and that are not deployed, the newest first. Each comes once: as what
 * runs, waits, or ended last.
 */
export function revisionsBehind<D extends Pick<Deployment, 'trigger' | 'rerun' | 'revision'>>({
  latest,
  running,
  waiting,
  undeployed,
}: {
  readonly latest?: Latest | undefined;
  readonly running?: D | undefined;
  readonly waiting: readonly D[];
  readonly undeployed: readonly Undeployed[];
}): readonly (D | Undeployed)[] {
  const bySha = new Map<string, D | Undeployed>();
  for (const one of [...undeployed, ...waiting, ...(running ? [running] : [])]) {
    if (isOfBranch(one) && isBeyond(one, latest)) bySha.set(one.revision.sha, one);
  }
  return [...bySha.values()].toSorted((one, other) => other.revision.position - one.revision.position);
}

function withEnd(before: readonly Undeployed[], deployment: Deployment, at: string): readonly Undeployed[] {
  const { status } = deployment.progress;
  if (!hasEnded(status) || hasHappened(status)) return before;
  if (status === 'skipped' && deployment.carrier === undefined) return before;
  // What somebody asks for again or by hand is refused to their face; it says nothing of the branch.
  const isNews = status !== 'refused' || deployment.trigger === 'merge' || isKnown(before, deployment);
  return isNews ? withLatest(before, undeployedOf(deployment, status, at)) : before;
}

function isKnown(undeployed: readonly Undeployed[], { revision }: Deployment): boolean {
  return undeployed.some((one) => isOfBranch(one) && one.revision.sha === revision.sha);
}

/** A re-run takes the place of what it re-runs. */
function withLatest(before: readonly Undeployed[], one: Undeployed): readonly Undeployed[] {
  const others = isOfBranch(one)
    ? before.filter((other) => !isOfBranch(other) || other.revision.sha !== one.revision.sha)
    : before;
  return [...others, one];
}

/** The same array when all of them are left: an unchanged part of the record is not stored again. */
function left(undeployed: readonly Undeployed[], latest: Latest | undefined): readonly Undeployed[] {
  const isLeft = (one: Undeployed) =>
    latest === undefined || one.at > latest.at || (isOfBranch(one) && isBeyond(one, latest));
  if (undeployed.length <= UNDEPLOYED_LIMIT && undeployed.every(isLeft)) return undeployed;
  return undeployed.filter(isLeft).slice(-UNDEPLOYED_LIMIT);
}

function isBeyond({ revision }: Pick<Undeployed, 'revision'>, latest: Latest | undefined): boolean {
  if (revision.sha === latest?.revision || revision.sha === latest?.mergeBefore) return false;
  return revision.position > (latest?.branchPosition ?? -1);
}

function undeployedOf(deployment: Deployment, status: EndedStatus, endedAt: string): Undeployed {
  const { id: deploymentId, revision, trigger, rerun, requestedBy, progress } = deployment;
  const { sha, position, title } = revision;
  const reason = (progress.failure?.body.summary ?? progress.reason)?.slice(0, REASON_LIMIT);
  return {
    ...{ deploymentId, revision: { sha, position, title }, trigger, rerun, requestedBy, status },
    at: progress.times[status] ?? endedAt,
    ...defined({ reason }),
  };
}
