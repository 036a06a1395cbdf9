/** The table of everything that merging a pull request would change, for its check run and its comment. Pure functions. */
import {
  hasEnded,
  shortSha,
  type Deployment,
  type DeploymentStatus,
  losesSomething,
  planCounts,
  warningCount,
} from '@nereid/domain/deployment';
import { code, link, sentence } from '@nereid/forge';
import { objectionsTo, objectionTitle } from '../deployment/policies.ts';
import { REMOVAL_HELP, whatStays } from '../deployment/removal.ts';
import { planLosses } from '../deployment/plan/plan-markdown.ts';
import { isWaitingForHost } from '../deployment/title.ts';

export interface ShownPreview {
  readonly rootName: string;
  /** Undefined when its record is gone: then nobody knows what it said. */
  readonly deployment?: Deployment;
  /** Its page in the console. */
  readonly url?: string;
  /** The commit of the base that changed its root since. */
  readonly outdatedBy?: string;
  /** The newest commit of the base that it contains and that is not deployed. */
  readonly ahead?: string;
  /** It replaces a plan from before the deployment of this commit. */
  readonly deployed?: string;
  /** The merge removes its root: nothing is planned, and what its state holds is listed. */
  readonly isRemoval?: true;
  /** It replaces a plan of a state that changed outside of Nereid. */
  readonly isOfNewState?: boolean;
}

/** Failures come first, then plans that destroy, then other changes. `foreign` makes Markdown of text from outside. */
export function pullRequestTable(previews: readonly ShownPreview[], foreign = sentence): string {
  const rows = previews
    .toSorted((one, other) => weightOf(other) - weightOf(one) || byName(one, other))
    .map(({ rootName, deployment, url, outdatedBy, ahead, isRemoval }) => {
      const note = noteOf(outdatedBy, ahead);
      const root = url === undefined ? code(rootName) : link(code(rootName), url);
      const result = isRemoval ? removalOf(deployment, foreign) : resultOf(deployment, foreign);
      const losses = isRemoval ? '' : lossesIn(deployment);
      return `| ${root} | ${result}${note}${losses} |`;
    });
  return ['| Root | Plan |', '| --- | --- |', ...rows].join('\n');
}

function noteOf(outdatedBy: string | undefined, ahead: string | undefined): string {
  if (outdatedBy !== undefined) return ` (before ${code(shortSha(outdatedBy))})`;
  return ahead === undefined ? '' : ` (with ${code(shortSha(ahead))}, which is not deployed yet)`;
}

/** Names of roots have no character of Markdown. */
export function removedSentence(rootName: string): string {
  return `${rootName} is removed, and its resources stay: nothing destroys them. Destroy them first, or forget them.`;
}

/** The roots that leave something behind, as far as anybody knows, and how to do better. */
export function removedLines(rootNames: readonly string[], previews: readonly ShownPreview[]): readonly string[] {
  const empty = new Set(previews.filter(isEmptyRemoval).map(({ rootName }) => rootName));
  const leaving = rootNames.filter((name) => !empty.has(name));
  if (leaving.length === 0) return [];
  return [leaving.map((name) => `- ${removedSentence(name)}`).join('\n'), REMOVAL_HELP];
}

function isEmptyRemoval({ isRemoval, deployment }: ShownPreview): boolean {
  const { status, plan } = deployment?.progress ?? {};
  return isRemoval === true && status === 'planned' && plan?.made.body.hasChanges === false;
}

export function isOpen({ deployment }: ShownPreview): boolean {
  return deployment !== undefined && !hasEnded(deployment.progress.status);
}

/** There is nothing to plan where a root is removed, so a state that cannot be read is no failure. */
export function isPlanned(preview: ShownPreview): boolean {
  return preview.isRemoval ? !isOpen(preview) : preview.deployment?.progress.status === 'planned';
}

/** Whether a policy would hold up its deployment. */
export function isDenied({ deployment }: ShownPreview): boolean {
  return deployment !== undefined && objectionsTo(deployment).length > 0;
}

/** A root that is removed leaves something behind, unless its state is known to hold nothing. */
export function changesSomething(preview: ShownPreview): boolean {
  if (preview.isRemoval) return !isOpen(preview) && !isEmptyRemoval(preview);
  return preview.deployment?.progress.plan?.made.body.hasChanges === true;
}

function byName(one: ShownPreview, other: ShownPreview): number {
  return one.rootName < other.rootName ? -1 : 1;
}

function weightOf(preview: ShownPreview): number {
  if (!isOpen(preview) && (!isPlanned(preview) || isDenied(preview))) return 3;
  if (preview.isRemoval) return changesSomething(preview) ? 2 : 0;
  const plan = preview.deployment?.progress.plan;
  if (plan?.made.body.hasChanges !== true) return 0;
  return losesSomething(plan.made.body.summary) ? 2 : 1;
}

/** In a cell of a table. */
function resultOf(deployment: Deployment | undefined, foreign: (text: string) => string): string {
  if (deployment === undefined) return 'its plan was lost: push a commit, or re-run';
  const { status, plan, failure, reason } = deployment.progress;
  if (isWaitingForHost(deployment)) return 'waits for a host';
  if (!hasEnded(status)) return UNDER_WAY[status] ?? 'planning';
  if (status !== 'planned') return foreign(failure?.body.summary ?? reason ?? 'could not be planned');
  const counts = `${plan?.made.body.hasChanges === true ? planCounts(plan.made.body.summary) : 'no changes'}${plan ? warningCount(plan) : ''}`;
  const objection = objectionTitle(deployment);
  return objection === undefined ? counts : `${counts}; ${foreign(objection)}`;
}

/** On a line of its own in the cell. */
function lossesIn(deployment: Deployment | undefined): string {
  const { status, plan } = deployment?.progress ?? {};
  if (status !== 'planned' || plan?.made.body.hasChanges !== true) return '';
  const losses = planLosses(plan.made.body.summary, inCell);
  return losses === '' ? '' : `<br>${losses}`;
}

/** In characters: a table has a hundred rows. */
const NAME_LIMIT = 80;

/** A column ends at a bar, even within code. */
function inCell(address: string): string {
  return code(address, NAME_LIMIT).replaceAll('|', String.raw`\|`);
}

function removalOf(deployment: Deployment | undefined, foreign: (text: string) => string): string {
  const { status, plan, failure, reason } = deployment?.progress ?? {};
  if (deployment !== undefined && isWaitingForHost(deployment)) return 'removed; waits for a host';
  if (status !== undefined && !hasEnded(status)) return 'removed; reading its state';
  if (status !== 'planned')
    return `removed; its state cannot be read: ${foreign(failure?.body.summary ?? reason ?? 'lost')}`;
  return plan?.made.body.hasChanges === true
    ? `removed; ${whatStays(plan.made.body.summary.forget)}`
    : 'removed; its state holds nothing';
}

const UNDER_WAY: Readonly<Partial<Record<DeploymentStatus, string>>> = { queued: 'queued' };
