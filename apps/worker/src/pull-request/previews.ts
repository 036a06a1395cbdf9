/** The previews of a pull request: orders, starts and ends them. */
import {
  CONTROL_QUEUE,
  fullName,
  hasEnded,
  SEARCH_ATTRIBUTE,
  shortSha,
  WORKFLOW,
  type Deployment,
  type PreviewParents,
  type PreviewRef,
  type Repository,
  type Root,
  type TerraformInput,
} from '@nereid/contracts';
import type { PullRequest } from '@nereid/github';
import { queuedProgress } from '@nereid/lane';
import { WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/client';
import { defineSearchAttributeKey } from '@temporalio/common';
import pMap from 'p-map';
import type { WorkerContext } from '../context.ts';
import type { RevisionTools } from '../intake/intake-call.ts';
import { orderDeployment } from '../lane/order-deployment.ts';
import { MESSAGE_MS } from '../lane/start-lane.ts';

/** Temporal and storage answer in milliseconds; more at once would only wait there. */
export const AT_ONCE = 20;

export interface Ordering {
  readonly repository: Repository;
  readonly pullRequest: PullRequest;
  readonly preview: PreviewParents;
  readonly mergedSha: string;
  readonly roots: readonly Root[];
  /** Another one for the same commits asks for new plans. */
  readonly requestId: string;
}

/** Orders a preview for each root, and stores it. The same orders come from the same commits, however often they are asked. */
export async function orderPreviews(
  { context }: Pick<RevisionTools, 'context'>,
  { repository, pullRequest, preview, mergedSha, roots, requestId }: Ordering,
): Promise<readonly PreviewRef[]> {
  const { number, title, author, authorId, baseBranch } = pullRequest;
  const receivedAt = new Date().toISOString();
  return pMap(
    roots,
    async (root) => {
      const ordered = await orderDeployment(context, repository, {
        version: 1,
        requestId: `#${number}:${preview.headSha}:${mergedSha}:${requestId}:${root.name}`,
        root,
        revision: { sha: mergedSha, branch: baseBranch, position: 0, title, author },
        trigger: 'preview',
        rerun: false,
        force: false,
        requestedBy: author,
        ...(authorId !== undefined && { requestedById: authorId }),
        pullRequest: number,
        preview,
      });
      const { version: _message, deploymentId, ...request } = ordered;
      const progress = queuedProgress(receivedAt);
      const deployment: Deployment = { ...request, id: deploymentId, receivedAt, progress, checkRuns: [] };
      const known = await context.pullRequestRecords.readPreview(repository, root.name, deploymentId);
      if (known === undefined) await context.pullRequestRecords.writePreview({ version: 1, repository, deployment });
      return { rootName: root.name, deploymentId };
    },
    { concurrency: AT_ONCE },
  );
}

const REPOSITORY = defineSearchAttributeKey(SEARCH_ATTRIBUTE.repository, 'KEYWORD');
const ROOT = defineSearchAttributeKey(SEARCH_ATTRIBUTE.root, 'KEYWORD');
const REVISION = defineSearchAttributeKey(SEARCH_ATTRIBUTE.revision, 'KEYWORD');

/** Starts those that have not ended and do not run. */
export async function startPreviews(
  context: WorkerContext,
  repository: Repository,
  previews: readonly PreviewRef[],
): Promise<void> {
  await pMap(
    previews,
    async ({ rootName, deploymentId }) => {
      const record = await context.pullRequestRecords.readPreview(repository, rootName, deploymentId);
      if (record === undefined || hasEnded(record.deployment.progress.status)) return;
      await start(context, repository, record.deployment);
    },
    { concurrency: AT_ONCE },
  );
}

async function start({ temporal }: WorkerContext, repository: Repository, deployment: Deployment): Promise<void> {
  const { id, root, revision, requestedBy, pullRequest, preview } = deployment;
  const input: TerraformInput = { repository, deployment, reported: {}, reviewRequired: false };
  const name = fullName(repository);
  try {
    await temporal.withDeadline(Date.now() + MESSAGE_MS, () =>
      temporal.workflow.start(WORKFLOW.terraform, {
        workflowId: id,
        taskQueue: CONTROL_QUEUE,
        args: [input],
        workflowIdReusePolicy: 'REJECT_DUPLICATE',
        typedSearchAttributes: [
          { key: REPOSITORY, value: name },
          { key: ROOT, value: root.name },
          { key: REVISION, value: revision.sha },
        ],
        memo: { repository: name, root: root.name, revision: revision.sha, requestedBy },
        staticSummary: `${root.name}, a preview of #${pullRequest}`,
        staticDetails: `What merging ${shortSha(preview?.headSha ?? '')} of #${pullRequest} would change, in ${name}.`,
      }),
    );
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}

/** Asks those that still run to end. They clean up by themselves. */
export async function endPreviews({ temporal }: WorkerContext, previews: readonly PreviewRef[]): Promise<void> {
  await pMap(
    previews,
    async ({ deploymentId }) => {
      try {
        const handle = temporal.workflow.getHandle(deploymentId);
        await temporal.withDeadline(Date.now() + MESSAGE_MS, () => handle.cancel());
      } catch (error) {
        if (!(error instanceof WorkflowNotFoundError)) throw error;
      }
    },
    { concurrency: AT_ONCE },
  );
}
