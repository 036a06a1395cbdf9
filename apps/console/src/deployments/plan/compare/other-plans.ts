/** Other plans of the same root, to compare one with: a person wants to know what is different from the plan that they have read. */
import { defined } from '@nereid/domain/defined';
import { shortSha, type DeploymentRecord } from '@nereid/domain/deployment';
import { STATUS_LOOK } from '@nereid/domain/looks';
import type { DeploymentRecords, PullRequestRecords } from '@nereid/storage';
import type { Logger } from 'pino';
import { html, type Html } from '../../../platform/html/html.ts';
import { when } from '../../../platform/html/when.ts';
import { inTime } from '../../../platform/in-time.ts';
import type { DeploymentView } from '../../deployment-view.ts';
import { queryText, type Access } from '../page-query.ts';

export interface OtherPlan {
  readonly id: string;
  /** "The plan that @alice confirmed before the merge". */
  readonly what: string;
  /** ISO 8601. */
  readonly at?: string;
}

export interface OtherPlanSources {
  readonly deploymentRecords: Pick<DeploymentRecords, 'latest'>;
  readonly pullRequestRecords: Pick<PullRequestRecords, 'read'>;
  readonly patienceMs: number;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Of those that ended last. */
const ENDED_LIMIT = 5;

/** The most likely one first. A page without them is still the page. */
export async function findOtherPlans(sources: OtherPlanSources, view: DeploymentView): Promise<readonly OtherPlan[]> {
  const { id } = view;
  const confirmed = confirmedPlan(view);
  const found = [
    ...(confirmed ? [confirmed] : []),
    ...(
      await Promise.all([previewOf(sources, view), endedOf(sources, view)].map((asked) => orNone(sources, view, asked)))
    ).flat(),
  ];
  return found.filter((one, index) => one.id !== id && found.findIndex((each) => each.id === one.id) === index);
}

/** The plan that was confirmed for this merge, where another one had to be made. */
function confirmedPlan({ deployment, progress }: DeploymentView): OtherPlan | undefined {
  const { previewId, by, at } = deployment.reviewed?.review.body ?? {};
  if (previewId === undefined || progress.plan?.beforeMerge) return undefined;
  return { id: previewId, what: `The plan that @${by ?? ''} confirmed before the merge`, ...defined({ at }) };
}

/** On the page of the deployment: a person has to know that this is another plan. */
export function confirmedPlanNote(view: DeploymentView, query: string): Html | undefined {
  const confirmed = confirmedPlan(view);
  // A link opens one deployment.
  if (confirmed === undefined || view.progress.plan === undefined || new URLSearchParams(query).has('key'))
    return undefined;
  const { by } = view.deployment.reviewed?.review.body ?? {};
  return html`<p class="note">
    This is not the plan that @${by ?? ''} confirmed before the merge:
    <a href="${view.id}/compare/${confirmed.id}${query}">see what is different</a>.
  </p>`;
}

async function orNone(
  { patienceMs, logger }: OtherPlanSources,
  { id }: DeploymentView,
  asked: Promise<readonly OtherPlan[]>,
): Promise<readonly OtherPlan[]> {
  try {
    return await inTime(asked, patienceMs);
  } catch (error) {
    logger.warn(
      { err: error, deployment: id },
      'other plans of a root cannot be found, so its page does not offer to compare them',
    );
    return [];
  }
}

/** The newest preview of its pull request, for this root. */
async function previewOf(
  { pullRequestRecords }: OtherPlanSources,
  { lane, deployment, progress }: DeploymentView,
): Promise<readonly OtherPlan[]> {
  const { pullRequest: number } = deployment;
  if (number === undefined || progress.plan?.beforeMerge) return [];
  const record = await pullRequestRecords.read(lane, { number });
  const previews = [...(record?.look?.previews ?? []), ...(record?.lastPreviews ?? [])];
  const preview = previews.findLast(({ rootName }) => rootName === lane.rootName);
  return preview === undefined
    ? []
    : [{ id: preview.deploymentId, what: `The plan that pull request #${number} showed` }];
}

async function endedOf(
  { deploymentRecords }: OtherPlanSources,
  { lane }: DeploymentView,
): Promise<readonly OtherPlan[]> {
  const records = await deploymentRecords.latest(lane, lane.rootName, ENDED_LIMIT);
  return records.filter(({ deployment }) => deployment.progress.plan !== undefined).map(ended);
}

function ended({ deployment, endedAt }: DeploymentRecord): OtherPlan {
  const { id, revision, progress } = deployment;
  const word = STATUS_LOOK[progress.status].word.toLowerCase();
  return { id, what: `The plan of ${shortSha(revision.sha)}, ${word}`, at: endedAt };
}

export function otherPlansSection(others: readonly OtherPlan[], access: Access): Html | undefined {
  if (others.length === 0) return undefined;
  return html`<section class="card" aria-labelledby="compare">
    <h2 id="compare">Compare this plan with another of this root</h2>
    <ul>
      ${others.map(({ id, what, at }) => html`<li><a href="compare/${id}${queryText(access)}">${what}</a>${at !== undefined && html`, ${when(at)}`}</li>`)}
    </ul>
  </section>`;
}
