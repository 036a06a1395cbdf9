/** The table of everything that merging a pull request would change, for its check run and its comment. Pure functions. */
import { hasEnded, shortSha, type Deployment, type DeploymentStatus } from '@nereid/contracts';
import { planCounts } from '@nereid/lane';
import { code, link, sentence } from '../check-run/markdown.ts';
import { objectionsTo, objectionTitle } from '../check-run/policies.ts';
import { isWaitingForHost } from '../check-run/title.ts';

export interface ShownPreview {
  readonly rootName: string;
  /** Undefined when its record is gone: then nobody knows what it said. */
  readonly deployment?: Deployment;
  /** Its page in the console. */
  readonly url?: string;
  /** The commit of the base that changed its root since. */
  readonly outdatedBy?: string;
  /** It replaces a plan of a state that changed outside of Nereid. */
  readonly isOfNewState?: boolean;
}

/** What failed comes first, then what destroys, then what changes. `foreign` makes Markdown of text from outside. */
export function pullRequestTable(previews: readonly ShownPreview[], foreign = sentence): string {
  const rows = previews
    .toSorted((one, other) => weightOf(other) - weightOf(one) || byName(one, other))
    .map(({ rootName, deployment, url, outdatedBy }) => {
      const note = outdatedBy === undefined ? '' : ` (before ${code(shortSha(outdatedBy))})`;
      const root = url === undefined ? code(rootName) : link(code(rootName), url);
      return `| ${root} | ${resultOf(deployment, foreign)}${note} |`;
    });
  return ['| Root | Plan |', '| --- | --- |', ...rows].join('\n');
}

/** Names of roots have no character of Markdown. */
export function removedSentence(rootName: string): string {
  return `${rootName} is removed, and its resources stay: nothing destroys them. Destroy them first, or forget them.`;
}

export function removedLines(rootNames: readonly string[]): readonly string[] {
  return rootNames.length === 0 ? [] : [rootNames.map((name) => `- ${removedSentence(name)}`).join('\n')];
}

export function isOpen({ deployment }: ShownPreview): boolean {
  return deployment !== undefined && !hasEnded(deployment.progress.status);
}

export function isPlanned({ deployment }: ShownPreview): boolean {
  return deployment?.progress.status === 'planned';
}

/** Whether a policy would hold up its deployment. */
export function isDenied({ deployment }: ShownPreview): boolean {
  return deployment !== undefined && objectionsTo(deployment).length > 0;
}

export function changesSomething({ deployment }: ShownPreview): boolean {
  return deployment?.progress.plan?.hasChanges === true;
}

function byName(one: ShownPreview, other: ShownPreview): number {
  return one.rootName < other.rootName ? -1 : 1;
}

function weightOf(preview: ShownPreview): number {
  if (!isOpen(preview) && (!isPlanned(preview) || isDenied(preview))) return 3;
  const plan = preview.deployment?.progress.plan;
  if (plan?.hasChanges !== true) return 0;
  return plan.summary.delete + plan.summary.replace > 0 ? 2 : 1;
}

/** In a cell of a table. */
function resultOf(deployment: Deployment | undefined, foreign: (text: string) => string): string {
  if (deployment === undefined) return 'its plan was lost: push a commit, or re-run';
  const { status, plan, failure, reason } = deployment.progress;
  if (isWaitingForHost(deployment)) return 'waits for a host';
  if (!hasEnded(status)) return UNDER_WAY[status] ?? 'planning';
  if (status !== 'planned') return foreign(failure?.summary ?? reason ?? 'could not be planned');
  const counts = plan?.hasChanges === true ? planCounts(plan.summary) : 'no changes';
  const objection = objectionTitle(deployment);
  return objection === undefined ? counts : `${counts}; ${foreign(objection)}`;
}

const UNDER_WAY: Readonly<Partial<Record<DeploymentStatus, string>>> = { queued: 'waits for its turn' };
