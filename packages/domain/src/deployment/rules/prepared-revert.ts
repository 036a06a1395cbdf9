/**
 * A revert is prepared, not made: after a failed apply, the last good revision of the root is planned, and people read what going
 * back would do. They go back with a revert of their own. Pure.
 */
import { CHANGE_ROWS, type PlanSummary } from '../../plan/summary.ts';
import type { Deployment } from '../model.ts';
import type { Progress } from '../progress.ts';
import type { Reverting } from '../request.ts';
import { shortSha } from '../revision.ts';

/** The words about a plan to go back. */
export interface PreparedRevert {
  /** Of the plan. */
  readonly deploymentId: string;
  readonly sentence: string;
  /** How to go back. */
  readonly way: readonly RevertPart[];
}

/** Words of ours; or what surfaces link or embolden. */
export type RevertPart =
  string | { readonly kind: 'revert' } | { readonly kind: 'pull-request'; readonly number: number };

/** The id of the plan to go back after a deployment. No other deployment can have it. */
export function revertIdOf(deploymentId: string): string {
  // Control makes ids with an 8 at this place, where RFC 9562 permits 8, 9, a and b.
  return `${deploymentId.slice(0, 19)}9${deploymentId.slice(20)}`;
}

/** Only such an apply may leave a root between two revisions. */
export function mayBeHalfApplied({ status }: Pick<Progress, 'status'>): boolean {
  return status === 'apply-failed' || status === 'apply-outcome-unknown';
}

/** Undefined while there is nothing to say of the plan, and for a plan of anything else than going back from the deployment. */
export function preparedRevert(deploymentId: string, plan: Deployment): PreparedRevert | undefined {
  const { id, revision, preview, progress } = plan;
  const reverts = preview?.reverts;
  const what = whatItDoes(progress);
  if (preview === undefined || reverts?.deploymentId !== deploymentId || what === undefined) return undefined;
  const sentence = `Going back to ${shortSha(revision.sha)}${known(reverts)} ${what}.`;
  return { deploymentId: id, sentence, way: wayBack(reverts, preview.headSha, revision) };
}

function known({ toPullRequest, deployedAt }: Reverting): string {
  const facts = [
    ...(toPullRequest === undefined ? [] : [`#${toPullRequest}`]),
    ...(deployedAt === undefined ? [] : [`deployed ${deployedAt.slice(0, 'yyyy-mm-dd'.length)}`]),
  ];
  return facts.length === 0 ? '' : ` (${facts.join(', ')})`;
}

function whatItDoes({ status, plan }: Progress): string | undefined {
  if (status === 'plan-failed') return 'cannot be planned: its log says why';
  if (status !== 'planned' || plan === undefined) return undefined;
  const { hasChanges, summary } = plan.made.body;
  return hasChanges ? `would ${changesOf(summary)}` : 'would change nothing';
}

/** "destroy 1, change 2". */
function changesOf(summary: PlanSummary): string {
  const changes = CHANGE_ROWS.flatMap(([action, { heading, toDo }]) => {
    const count = summary[action] ?? 0;
    if (count === 0) return [];
    return action === 'unknown' ? [`make ${toDo?.(count) ?? ''}`] : [`${heading.toLowerCase()} ${count}`];
  });
  return changes.length === 0 ? 'change only outputs' : changes.join(', ');
}

function wayBack(
  { pullRequest, between = 0 }: Reverting,
  failedSha: string,
  { sha }: Deployment['revision'],
): readonly RevertPart[] {
  const first: readonly RevertPart[] =
    pullRequest === undefined
      ? [`To go back, revert ${shortSha(failedSha)}.`]
      : ['To go back, press ', { kind: 'revert' }, ' on ', { kind: 'pull-request', number: pullRequest }, '.'];
  if (between === 0) return first;
  const [others, they] = between === 1 ? ['1 more commit', 'it'] : [`${between} more commits`, 'they'];
  return [...first, ` ${others} came after ${shortSha(sha)}: if ${they} changed this root, revert that, too.`];
}

/** For a terminal. */
export function wayInWords(way: readonly RevertPart[]): string {
  return way.map(inWords).join('');
}

function inWords(part: RevertPart): string {
  if (typeof part === 'string') return part;
  return part.kind === 'revert' ? 'Revert' : `#${part.number}`;
}
