/** What a press on one of our check runs is about. Pure. */
import { defined } from '@nereid/domain/defined';
import { parseCheckRunName, parsePreviewCheckRunName, PLAN_CHECK_RUN_NAME } from '@nereid/domain/deployment';
import type { PressedCheckRun } from '@nereid/domain/intake';
import { parsePullRequestWorkflowId } from '@nereid/domain/pull-request';
import type { ActionSubject } from '../action-subject.ts';

/** `nereid/plan` names its pull request; the check run of a root, its deployment or preview. */
export function subjectOf({ name, externalId, headSha: revision }: PressedCheckRun): ActionSubject {
  const rootName = parseCheckRunName(name) ?? parsePreviewCheckRunName(name);
  if (rootName !== undefined)
    return { rootNames: [rootName], revision, ...(externalId !== '' && { deploymentId: externalId }) };
  const pullRequest = parsePullRequestWorkflowId(externalId);
  return { rootNames: [], revision, ...defined({ pullRequest }) };
}

/** Whether it shows plans of a pull request. */
export function isOfPlan({ name }: PressedCheckRun): boolean {
  return name === PLAN_CHECK_RUN_NAME || parsePreviewCheckRunName(name) !== undefined;
}
