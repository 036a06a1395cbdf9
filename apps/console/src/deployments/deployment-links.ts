import { laneWorkflowId } from '@nereid/contracts';
import { checkRunUrl, commitUrl, pullRequestUrl, workflowUrl, type LaneName } from '@nereid/github';
import type { LinkSettings } from '../context.ts';
import type { DeploymentLinks, ShownDeployment } from './deployment-view.ts';

export function linksOf(
  { githubUrl, temporalUiUrl, namespace }: LinkSettings,
  id: string,
  lane: LaneName,
  { checkRuns, pullRequest, revision }: ShownDeployment,
): DeploymentLinks {
  const checkRun = checkRuns.at(-1);
  return {
    ...(checkRun ? { checkRun: checkRunUrl(githubUrl, lane, checkRun.id) } : {}),
    commit: commitUrl(githubUrl, lane, revision.sha),
    ...(pullRequest === undefined ? {} : { pullRequest: pullRequestUrl(githubUrl, lane, pullRequest) }),
    ...(temporalUiUrl === undefined
      ? {}
      : {
          workflow: workflowUrl(temporalUiUrl, namespace, id),
          laneWorkflow: workflowUrl(temporalUiUrl, namespace, laneWorkflowId(lane, lane.rootName)),
        }),
  };
}
