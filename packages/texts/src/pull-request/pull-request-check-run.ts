/** The check run `nereid/plan`: everything that merging a pull request would change, in one table. A pure function. */
import { PLAN_CHECK_RUN_NAME, shortSha, planCounts } from '@nereid/domain/deployment';
import type { PullRequestVerdict } from '@nereid/domain/pull-request';
import { capitalised } from '@nereid/domain/words';
import {
  cutToLimit,
  fenced,
  link,
  plain,
  sentence,
  type CheckRunConclusion,
  type CheckRunContent,
} from '@nereid/forge';
import { configWarningBlocks } from '../deployment/config-warnings.ts';
import { objectionTitle } from '../deployment/policies.ts';
import { whatStays } from '../deployment/removal.ts';
import {
  isDenied,
  isOpen,
  isPlanned,
  pullRequestTable,
  type ShownPreview,
  removedLines,
} from './pull-request-table.ts';

export interface PullRequestSubject {
  readonly headSha: string;
  /** The same for every head of the pull request. */
  readonly externalId: string;
  /** The page with all plans; of a group of a merge queue, that of its last pull request on the forge. */
  readonly detailsUrl: string;
  /** One for each root that the pull request modifies. */
  readonly previews: readonly ShownPreview[];
  /** How many more roots it modifies: nobody knows what the merge would change in them. */
  readonly unplanned?: number;
  /** The names of roots that the merge would remove. */
  readonly removed?: readonly string[];
  /** Warnings about the configuration that the merge would give. Hostile. */
  readonly configWarnings?: readonly string[];
  /** Stands behind the title. */
  readonly remark?: string;
  /** Nobody looks any more whether its plans are out of date. */
  readonly isIdle?: boolean;
  /** The check run fails while plans are out of date, and may be. */
  readonly blocksStale?: boolean;
  /** Why nothing is planned. */
  readonly verdict?: PullRequestVerdict;
  /** What the check run of this head concluded last: it stays while plans are made again. */
  readonly before?: PullRequestVerdict['conclusion'];
}

export function renderPullRequest(subject: PullRequestSubject): CheckRunContent {
  const { headSha, externalId, detailsUrl, verdict } = subject;
  const state = verdict === undefined ? stateOf(subject) : completed(verdict.conclusion);
  return {
    name: PLAN_CHECK_RUN_NAME,
    headSha,
    externalId,
    detailsUrl,
    ...state,
    title: pullRequestTitle(subject),
    summary: cutToLimit(
      verdict ? verdictSummary(verdict) : summaryOf(subject),
      `_There are more: ${link('see all of them', detailsUrl)}._`,
    ),
    actions: [],
  };
}

export type SubjectOfTitle = Pick<
  PullRequestSubject,
  'previews' | 'unplanned' | 'remark' | 'isIdle' | 'blocksStale' | 'verdict' | 'before'
>;

/** One line, which may hold names from outside. */
export function pullRequestTitle(subject: SubjectOfTitle): string {
  const { unplanned = 0, remark, verdict } = subject;
  const behind = remark === undefined ? '' : ` (${remark})`;
  const rest = unplanned === 0 ? '' : `, ${roots(unplanned)} not planned`;
  return plain(verdict?.title ?? `${titleOf(subject)}${rest}${behind}`, 200);
}

type State = Pick<CheckRunContent, 'status' | 'conclusion'>;

function completed(conclusion: CheckRunConclusion): State {
  return { status: 'completed', conclusion };
}

/**
 * A busy root must not block every pull request that changes it, so a conclusion stays until there is another one, unless asked
 * to.
 */
function stateOf(subject: PullRequestSubject): State {
  const { previews, unplanned = 0, before, blocksStale = false } = subject;
  if (blocksStale && mayBeStale(subject)) return completed('failure');
  if (previews.some(isOpen)) return before === undefined ? { status: 'in_progress' } : completed(before);
  if (!previews.every(isPlanned) || previews.some(isDenied)) return completed('failure');
  return completed(unplanned === 0 ? 'success' : 'action_required');
}

/** The first plans of a head are not out of date while they are made. */
function mayBeStale({ previews, before, isIdle = false }: SubjectOfTitle): boolean {
  const isAgain = before !== undefined && previews.some(isOpen);
  return (
    isIdle ||
    isAgain ||
    previews.some((one) => one.outdatedBy !== undefined || (one.ahead !== undefined && !isOpen(one)))
  );
}

function titleOf({ previews, before, isIdle = false, blocksStale = false }: SubjectOfTitle): string {
  const outdated = previews.find(({ outdatedBy }) => outdatedBy !== undefined)?.outdatedBy;
  if (outdated !== undefined)
    return `Out of date: ${shortSha(outdated)} was merged, planned again after its deployment`;
  const open = previews.filter(isOpen);
  if (open.length > 0) {
    const isOfNewState = open.some((preview) => preview.isOfNewState);
    if (before !== undefined && isOfNewState) return 'Out of date: the state changed outside of Nereid, planning again';
    const deployed = open.find((preview) => preview.deployed !== undefined)?.deployed;
    if (before !== undefined && deployed !== undefined)
      return `Out of date: ${shortSha(deployed)} was deployed since, planning again`;
    if (before !== undefined) return 'Out of date: planning again';
    const isBegun = open.length < previews.length;
    return `Planning ${isBegun ? `${open.length} of ${roots(previews.length)}` : roots(previews.length)}`;
  }
  if (isIdle && blocksStale) return 'May be out of date';
  return `${resultTitle(previews)}${aheadTitle(previews)}`;
}

/** Its deployment has the plan made again. */
function aheadTitle(previews: readonly ShownPreview[]): string {
  const ahead = previews.find((preview) => preview.ahead !== undefined)?.ahead;
  return ahead === undefined ? '' : `; contains ${shortSha(ahead)}, which is not deployed yet`;
}

function resultTitle(previews: readonly ShownPreview[]): string {
  const removals = previews.filter(({ isRemoval }) => isRemoval === true);
  if (removals.length === 0) return planTitle(previews);
  const removes = `removes ${roots(removals.length)}${leftBehind(removals)}`;
  if (removals.length === previews.length) return capitalised(removes);
  return `${planTitle(previews.filter(({ isRemoval }) => isRemoval !== true))}; ${removes}`;
}

function leftBehind(removals: readonly ShownPreview[]): string {
  const known = removals.flatMap(({ deployment }) => deployment?.progress.plan ?? []);
  const count = known.reduce((sum, { made }) => sum + made.body.summary.forget, 0);
  if (known.length === removals.length) return count === 0 ? ' without resources' : `: ${whatStays(count)}`;
  return count === 0 ? ', whose state cannot be read' : `: at least ${whatStays(count)}`;
}

function planTitle(previews: readonly ShownPreview[]): string {
  const failed = previews.filter((one) => !isPlanned(one));
  if (failed.length > 0) return `${failed.length} of ${roots(previews.length)} could not be planned`;
  const [denied, ...others] = previews.filter(isDenied);
  if (denied?.deployment && others.length === 0)
    return `${denied.rootName}: ${objectionTitle(denied.deployment) ?? ''}`;
  if (denied) return `Policies deny the plans of ${1 + others.length} of ${roots(previews.length)}`;
  const changes = previews.flatMap(({ deployment }) => {
    const plan = deployment?.progress.plan;
    return plan?.made.body.hasChanges === true ? [plan.made.body.summary] : [];
  });
  if (changes.length === 0) return `No changes in ${roots(previews.length)}`;
  return `Plan: ${planCounts(...changes)}, in ${changes.length} of ${roots(previews.length)}`;
}

function roots(count: number): string {
  return count === 1 ? '1 root' : `${count} roots`;
}

function summaryOf({ previews, removed = [], configWarnings }: PullRequestSubject): string {
  const isCut = previews.some(({ deployment }) => deployment?.preview?.isOnlyInTable === true);
  const lead = isCut
    ? 'This is what the merge would change. The first plans by name have check runs of their own, and all have pages.'
    : 'This is what the merge would change. Each plan has a check run of its own, which names the commits.';
  const warnings = configWarningBlocks(configWarnings);
  return [lead, ...warnings, pullRequestTable(previews), ...removedLines(removed, previews)].join('\n\n');
}

function verdictSummary({ lines, title }: PullRequestVerdict): string {
  return lines.length === 0 ? `${sentence(title)}.` : fenced(lines, 'text');
}
