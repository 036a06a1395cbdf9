/** The options with which a message starts a lane that does not run. */
import { defined } from '@nereid/domain/defined';
import { laneWorkflowId, type LaneInput, type LaneHint } from '@nereid/domain/lane';
import { fairnessKey, fullName, type Repository } from '@nereid/domain/root';
import { CONTROL_QUEUE, SEARCH_ATTRIBUTE } from '@nereid/domain/temporal-names';
import { defineSearchAttributeKey } from '@temporalio/common';

/** The client tries again until this deadline, and the activity after it. */
export const MESSAGE_MS = 10_000;

const REPOSITORY = defineSearchAttributeKey(SEARCH_ATTRIBUTE.repository, 'KEYWORD');
const STATE = defineSearchAttributeKey(SEARCH_ATTRIBUTE.state, 'KEYWORD');
const ROOT = defineSearchAttributeKey(SEARCH_ATTRIBUTE.root, 'KEYWORD');

export function laneStart(repository: Repository, rootName: string, hint?: LaneHint) {
  const input: LaneInput = { repository, rootName, ...defined({ hint }) };
  return {
    workflowId: laneWorkflowId(repository, rootName),
    taskQueue: CONTROL_QUEUE,
    args: [input] as [LaneInput],
    workflowIdReusePolicy: 'ALLOW_DUPLICATE' as const,
    // Its activities and its deployments have the same: four hundred lanes of a merge delay no other repository's.
    priority: { fairnessKey: fairnessKey(repository) },
    staticSummary: `${rootName} of ${fullName(repository)}`,
    memo: { repository: fullName(repository), root: rootName },
    typedSearchAttributes: [
      { key: REPOSITORY, value: fullName(repository) },
      { key: ROOT, value: rootName },
      // Most messages are work. Before it first waits, the lane says how it stands.
      { key: STATE, value: 'running' },
    ],
  };
}
