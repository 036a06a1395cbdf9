/** The previews of a pull request: orders, starts and ends them. */
import { defined } from '@nereid/domain/defined';
import {
  hasEnded,
  type Deployment,
  type PreviewParents,
  type Progress,
  queuedProgress,
} from '@nereid/domain/deployment';
import { asksSeveral } from '@nereid/domain/gates';
import type { ForMerge } from '@nereid/domain/plan';
import type { PreviewRef } from '@nereid/domain/pull-request';
import type { Repository, Root } from '@nereid/domain/root';
import type { PullRequest } from '@nereid/forge';
import type { PreviewPlace } from '@nereid/storage';
import { WorkflowNotFoundError } from '@temporalio/client';
import pMap, { pMapSkip } from 'p-map';
import type { WorkerContext } from '../platform/context.ts';
import type { RevisionTools } from '../root/revision-tools.ts';
import { lanePosition } from '../lane/turn/lane-position.ts';
import { orderDeployment } from '../lane/order-deployment.ts';
import { MESSAGE_MS } from '../lane/start-lane.ts';
import { planLimited, PREVIEW_LIFE_MS, startPreview } from './start-preview.ts';

/** Temporal and storage answer in milliseconds; more at once would only wait there. */
export const AT_ONCE = 20;

export interface Ordering {
  readonly repository: Repository;
  readonly pullRequest: PullRequest;
  readonly preview: Omit<PreviewParents, 'expiresAt' | 'isOnlyInTable' | 'forMerge'>;
  /** Of the preview of a removal, the base. */
  readonly mergedSha: string;
  /** The previews that these replace. */
  readonly earlier: readonly PreviewRef[];
  /** By root, the newest commit that it contains and that its lane has not deployed. */
  readonly ahead: ReadonlyMap<string, string>;
  readonly roots: readonly Root[];
  readonly hasCheckRun: (root: Root) => boolean;
  /** Somebody named the roots, and the merge does not deploy them. */
  readonly isNamed?: true;
  /** Another one for the same commits asks for new plans. */
  readonly requestId: string;
}

/** Orders a preview for each root, and stores it. The same orders come from the same commits, however often they are asked. */
export function orderPreviews(
  { context }: Pick<RevisionTools, 'context'>,
  ordering: Ordering,
): Promise<readonly PreviewRef[]> {
  return pMap(ordering.roots, (root) => orderPreview(context, ordering, root), { concurrency: AT_ONCE });
}

/**
 * One that was cancelled or lost, because its head was another one meanwhile, is ordered again. So is one whose record was removed:
 * its workflow cannot be started again while Temporal remembers it.
 */
async function orderPreview(context: WorkerContext, ordering: Ordering, root: Root): Promise<PreviewRef> {
  for (let generation = 1; ; generation += 1) {
    const deployment = await aPreview(context, ordering, root, generation);
    const { id: deploymentId } = deployment;
    const { repository } = ordering;
    const known = await context.pullRequestRecords.readPreview(repository, root.name, deploymentId);
    if (known === undefined && (await isRemembered(context, deploymentId))) continue;
    // First, so that no plan is kept for ever.
    if (known === undefined && deployment.preview?.forMerge)
      await context.mergeReviews.keepFrom(placeOf(repository, root, deploymentId), new Date(deployment.receivedAt));
    if (known === undefined) await context.pullRequestRecords.openPreview({ version: 1, repository, deployment });
    const status = known?.deployment.progress.status;
    if (status === 'cancelled' || status === 'host-lost') continue;
    const ahead = ordering.ahead.get(root.name);
    return {
      rootName: root.name,
      deploymentId,
      ...defined({ pool: root.pool, ahead }),
      ...(ordering.preview.isRemoval && { isRemoval: true }),
      ...(ordering.isNamed && { isNamed: true }),
    };
  }
}

async function isRemembered({ temporal }: WorkerContext, deploymentId: string): Promise<boolean> {
  try {
    await temporal.withDeadline(Date.now() + MESSAGE_MS, () => temporal.workflow.getHandle(deploymentId).describe());
    return true;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}

function placeOf({ owner, name }: Repository, root: Root, id: string): PreviewPlace {
  return { owner, name, rootName: root.name, id };
}

async function aPreview(
  context: WorkerContext,
  ordering: Ordering,
  root: Root,
  generation: number,
): Promise<Deployment> {
  const { repository, pullRequest, preview, mergedSha, requestId, hasCheckRun } = ordering;
  const forMerge = await forMergeOf(context, ordering, root);
  const { number, title, author, authorId, baseBranch } = pullRequest;
  const now = Date.now();
  const receivedAt = new Date(now).toISOString();
  const {
    deploymentId,
    version: _message,
    ...request
  } = await orderDeployment(context, repository, {
    version: 1,
    requestId: `#${number}:${preview.headSha}:${mergedSha}:${requestId}:${generation}:${root.name}`,
    root: planLimited(root),
    revision: { sha: mergedSha, branch: baseBranch, position: 0, title, author },
    trigger: 'preview',
    rerun: false,
    force: false,
    requestedBy: author,
    ...defined({ requestedById: authorId }),
    pullRequest: number,
    preview: {
      ...preview,
      expiresAt: new Date(now + PREVIEW_LIFE_MS).toISOString(),
      ...(!hasCheckRun(root) && { isOnlyInTable: true }),
      ...(forMerge && { forMerge }),
    },
  });
  const warning = await droppedReview(context, ordering, root);
  const said = warning === undefined ? {} : { warning };
  return { ...request, id: deploymentId, receivedAt, progress: queuedProgress(receivedAt), checkRuns: [], ...said };
}

/** A person who confirmed the earlier plan for the merge has to see that it does not count any more. */
async function droppedReview(
  { mergeReviews }: WorkerContext,
  { repository, earlier }: Ordering,
  root: Root,
): Promise<string | undefined> {
  const last = earlier.find(({ rootName }) => rootName === root.name);
  if (last === undefined || root.planReview !== 'before_merge') return undefined;
  const stored = await mergeReviews.read(repository, root.name, last.deploymentId);
  return (
    stored && `@${stored.review.body.by} confirmed an earlier plan of this root for the merge. That no longer counts.`
  );
}

/**
 * Only a check run of its own has the button, and nobody looks at those of a group. A fork's plan is never applied, nor is that of
 * a root that the merge does not deploy, and one that contains what is still to be deployed will be of another state by its merge.
 */
async function forMergeOf(
  context: WorkerContext,
  { repository, pullRequest, preview, mergedSha, hasCheckRun, ahead, isNamed }: Ordering,
  root: Root,
): Promise<ForMerge | undefined> {
  const isSeen = preview.group === undefined && hasCheckRun(root) && !preview.isRemoval && isNamed !== true;
  const isAsked = root.planReview === 'before_merge' && !asksSeveral(root.review);
  if (!isAsked || !isSeen || pullRequest.fromFork || ahead.has(root.name)) return undefined;
  const lane = await lanePosition(context, repository, root.name);
  return lane === undefined ? undefined : { tree: await context.mirrors.treeId(repository, mergedSha), lane };
}

/** Starts those that have not ended and do not run. Returns the ids of all that had not ended. */
export async function startPreviews(
  tools: RevisionTools,
  repository: Repository,
  previews: readonly PreviewRef[],
): Promise<readonly string[]> {
  return pMap(
    previews,
    async ({ rootName, deploymentId }) => {
      const record = await tools.context.pullRequestRecords.readPreview(repository, rootName, deploymentId);
      if (record === undefined || hasEnded(record.deployment.progress.status)) return pMapSkip;
      await startPreview(tools, repository, record.deployment);
      return deploymentId;
    },
    { concurrency: AT_ONCE },
  );
}

/** Asks those that still run to end. From then on they count as ended, so that the same commits are ordered again. */
export async function endPreviews(
  context: WorkerContext,
  repository: Repository,
  previews: readonly PreviewRef[],
): Promise<void> {
  await pMap(previews, (preview) => endPreviewOf(context, repository, preview), { concurrency: AT_ONCE });
}

async function endPreviewOf(
  { temporal, pullRequestRecords }: WorkerContext,
  repository: Repository,
  { rootName, deploymentId }: PreviewRef,
): Promise<void> {
  const record = await pullRequestRecords.readPreview(repository, rootName, deploymentId);
  if (record === undefined || hasEnded(record.deployment.progress.status)) return;
  try {
    const handle = temporal.workflow.getHandle(deploymentId);
    await temporal.withDeadline(Date.now() + MESSAGE_MS, () => handle.cancel());
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
  const progress: Progress = { ...record.deployment.progress, status: 'cancelled' };
  const endedAt = new Date().toISOString();
  await pullRequestRecords.writePreview({ ...record, deployment: { ...record.deployment, progress }, endedAt });
}
