/** The check run `nereid/plan`: everything that merging a pull request would change, in one table. A pure function. */
import {
  hasEnded,
  PLAN_CHECK_RUN_NAME,
  shortSha,
  type Deployment,
  type DeploymentStatus,
  type PlanSummary,
  type PullRequestVerdict,
} from '@nereid/contracts';
import { planCounts } from '@nereid/lane';
import type { CheckRunConclusion, CheckRunContent } from '../check-run/content.ts';
import { code, cutToLimit, fenced, link, plain, sentence } from '../check-run/markdown.ts';
import { isWaitingForHost } from '../check-run/title.ts';

export interface PullRequestSubject {
  readonly headSha: string;
  /** The same for every head of the pull request. */
  readonly externalId: string;
  readonly detailsUrl: string;
  /** One for each root that the pull request modifies. */
  readonly previews: readonly ShownPreview[];
  /** How many roots it modifies besides: nobody knows what the merge would change in them. */
  readonly unplanned?: number;
  /** Stands behind the title. */
  readonly remark?: string;
  /** Why nothing is planned. */
  readonly verdict?: PullRequestVerdict;
  /** What the check run of this head concluded last: it stays while plans are made again. */
  readonly before?: PullRequestVerdict['conclusion'];
}

export interface ShownPreview {
  readonly rootName: string;
  /** Undefined when its record is gone: then nobody knows what it said. */
  readonly deployment?: Deployment;
  /** Its page in the console. */
  readonly url?: string;
  /** The commit of the base that changed its root since. */
  readonly outdatedBy?: string;
}

export function renderPullRequest(subject: PullRequestSubject): CheckRunContent {
  const { headSha, externalId, detailsUrl, previews, unplanned = 0, remark, verdict, before } = subject;
  const state = verdict === undefined ? stateOf(subject) : completed(verdict.conclusion);
  const rest = unplanned === 0 ? '' : `, ${roots(unplanned)} not planned`;
  const behind = remark === undefined ? '' : ` (${remark})`;
  return {
    name: PLAN_CHECK_RUN_NAME,
    headSha,
    externalId,
    detailsUrl,
    ...state,
    title: plain(verdict?.title ?? `${titleOf(previews, before !== undefined)}${rest}${behind}`, 200),
    summary: cutToLimit(
      verdict ? verdictSummary(verdict) : tableOf(previews),
      '_There are more: see their check runs._',
    ),
    actions: [],
  };
}

type State = Pick<CheckRunContent, 'status' | 'conclusion'>;

function completed(conclusion: CheckRunConclusion): State {
  return { status: 'completed', conclusion };
}

/** A busy root must not block every pull request that changes it, so a conclusion stays until there is another one. */
function stateOf({ previews, unplanned = 0, before }: PullRequestSubject): State {
  if (previews.some(isOpen)) return before === undefined ? { status: 'in_progress' } : completed(before);
  if (!previews.every(isPlanned)) return completed('failure');
  return completed(unplanned === 0 ? 'success' : 'action_required');
}

function isOpen({ deployment }: ShownPreview): boolean {
  return deployment !== undefined && !hasEnded(deployment.progress.status);
}

function isPlanned({ deployment }: ShownPreview): boolean {
  return deployment?.progress.status === 'planned';
}

function titleOf(previews: readonly ShownPreview[], isAgain: boolean): string {
  const outdated = previews.find(({ outdatedBy }) => outdatedBy !== undefined)?.outdatedBy;
  if (outdated !== undefined)
    return `Out of date: ${shortSha(outdated)} was merged, planned again after its deployment`;
  const open = previews.filter(isOpen);
  if (open.length > 0) {
    if (isAgain) return 'Out of date: planning again';
    const isBegun = open.length < previews.length;
    return `Planning ${isBegun ? `${open.length} of ${roots(previews.length)}` : roots(previews.length)}`;
  }
  const failed = previews.filter((one) => !isPlanned(one));
  if (failed.length > 0) return `${failed.length} of ${roots(previews.length)} could not be planned`;
  const changes = previews.flatMap(({ deployment }) => {
    const plan = deployment?.progress.plan;
    return plan?.hasChanges === true ? [plan.summary] : [];
  });
  if (changes.length === 0) return `No changes in ${roots(previews.length)}`;
  return `Plan: ${planCounts(sumOf(changes))}, in ${changes.length} of ${roots(previews.length)}`;
}

/** Outputs count where nothing else changes, as in the line of one plan. */
function sumOf(changes: readonly PlanSummary[]): PlanSummary {
  const sum = (of: Exclude<keyof PlanSummary, 'resources'>, among = changes) =>
    among.reduce((total, summary) => total + summary[of], 0);
  return {
    create: sum('create'),
    update: sum('update'),
    replace: sum('replace'),
    delete: sum('delete'),
    import: sum('import'),
    move: sum('move'),
    forget: sum('forget'),
    outputs: sum(
      'outputs',
      changes.filter(({ resources }) => resources.length === 0),
    ),
    resources: [],
    omitted: 0,
  };
}

function roots(count: number): string {
  return count === 1 ? '1 root' : `${count} roots`;
}

/** What changes comes first, and what destroys before that. */
function tableOf(previews: readonly ShownPreview[]): string {
  const rows = previews
    .toSorted((one, other) => weightOf(other) - weightOf(one) || byName(one, other))
    .map(({ rootName, deployment, url, outdatedBy }) => {
      const note = outdatedBy === undefined ? '' : ` (before ${code(shortSha(outdatedBy))})`;
      return `| ${url === undefined ? code(rootName) : link(code(rootName), url)} | ${resultOf(deployment)}${note} |`;
    });
  const isCut = previews.some(({ deployment }) => deployment?.preview?.isOnlyInTable === true);
  return [
    isCut
      ? 'What the merge would change. The first plans by name have check runs of their own, and all have pages.'
      : 'What the merge would change. Each plan has a check run of its own, which names the commits.',
    ['| Root | Plan |', '| --- | --- |', ...rows].join('\n'),
  ].join('\n\n');
}

function byName(one: ShownPreview, other: ShownPreview): number {
  return one.rootName < other.rootName ? -1 : 1;
}

function weightOf(preview: ShownPreview): number {
  if (!isOpen(preview) && !isPlanned(preview)) return 3;
  const plan = preview.deployment?.progress.plan;
  if (plan?.hasChanges !== true) return 0;
  return plan.summary.delete + plan.summary.replace > 0 ? 2 : 1;
}

/** In a cell of a table. */
function resultOf(deployment: Deployment | undefined): string {
  if (deployment === undefined) return 'its plan was lost: push a commit, or re-run';
  const { status, plan, failure, reason } = deployment.progress;
  if (isWaitingForHost(deployment)) return 'waits for a host';
  if (!hasEnded(status)) return UNDER_WAY[status] ?? 'planning';
  if (status !== 'planned') return sentence(failure?.summary ?? reason ?? 'could not be planned');
  return plan?.hasChanges === true ? planCounts(plan.summary) : 'no changes';
}

const UNDER_WAY: Readonly<Partial<Record<DeploymentStatus, string>>> = { queued: 'waits for its turn' };

function verdictSummary({ lines, title }: PullRequestVerdict): string {
  return lines.length === 0 ? `${sentence(title)}.` : fenced(lines, 'text');
}
