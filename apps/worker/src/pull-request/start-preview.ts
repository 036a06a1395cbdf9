/** The bounds of a preview, and the start of its workflow. */
import { defined } from '@nereid/domain/defined';
import { shortSha, type Deployment, type TerraformInput } from '@nereid/domain/deployment';
import { fullName, type Repository, type Root } from '@nereid/domain/root';
import { CONTROL_QUEUE, SEARCH_ATTRIBUTE, WORKFLOW } from '@nereid/domain/temporal-names';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { defineSearchAttributeKey } from '@temporalio/common';
import { MESSAGE_MS } from '../lane/start-lane.ts';
import type { RevisionTools } from '../root/revision-tools.ts';
import { endIfLost } from './lost-preview.ts';
import { readLeniently } from './stale/branch-at.ts';

/** A plan of a busy lane may wait; one that was not made within this time is of yesterday's state. */
export const PREVIEW_LIFE_MS = 3_600_000;

/** A person waits for a deployment's plan; nobody does for one of these. */
const PLAN_LIMIT_MS = 30 * 60_000;

/** Nobody cancels a plan to go back that no host takes. One that began in time has long ended. */
const REVERT_MS = 2 * PREVIEW_LIFE_MS;

const REPOSITORY = defineSearchAttributeKey(SEARCH_ATTRIBUTE.repository, 'KEYWORD');
const ROOT = defineSearchAttributeKey(SEARCH_ATTRIBUTE.root, 'KEYWORD');
const STATE = defineSearchAttributeKey(SEARCH_ATTRIBUTE.state, 'KEYWORD');
const REVISION = defineSearchAttributeKey(SEARCH_ATTRIBUTE.revision, 'KEYWORD');

export function planLimited(root: Root): Root {
  return { ...root, timeoutMs: { ...root.timeoutMs, plan: Math.min(root.timeoutMs.plan, PLAN_LIMIT_MS) } };
}

/** Starts one that is stored, once, and ends it if it was ended by force. */
export async function startPreview(
  { context, signal }: RevisionTools,
  repository: Repository,
  deployment: Deployment,
): Promise<void> {
  const { temporal } = context;
  const { id, root, revision, requestedBy, preview } = deployment;
  const asked = { repository, rootName: root.name, what: 'the lane' };
  const lane = await readLeniently(context, asked, () => context.laneRecords.read(repository, root.name));
  const state = lane?.record.latest?.state;
  const input: TerraformInput = { repository, deployment, reported: {}, reviewRequired: false, ...defined({ state }) };
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
          { key: STATE, value: 'planning' },
        ],
        memo: { repository: name, root: root.name, revision: revision.sha, requestedBy },
        ...(preview?.reverts && { workflowExecutionTimeout: REVERT_MS }),
        ...describePreview(deployment, name),
      }),
    );
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    // It ran, and may have been ended by force.
    await endIfLost(context, { owner: repository.owner, name: repository.name, rootName: root.name, id }, signal);
  }
}

/** For the Temporal UI. */
function describePreview({ root, revision, pullRequest, preview }: Deployment, repository: string) {
  const head = shortSha(preview?.headSha ?? '');
  return preview?.reverts
    ? {
        staticSummary: `${root.name}, a plan to go back`,
        staticDetails: `The changes that going back from ${head} to ${shortSha(revision.sha)} would make, in ${repository}.`,
      }
    : {
        staticSummary: `${root.name}, a preview of #${pullRequest}`,
        staticDetails: `The changes that merging ${head} of #${pullRequest} would make, in ${repository}.`,
      };
}
