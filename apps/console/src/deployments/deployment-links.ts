import { laneWorkflowId } from '@nereid/contracts';
import { checkRunUrl, commitUrl, pullRequestUrl, workflowUrl, type LaneName } from '@nereid/github';
import type { LinkSettings } from '../context.ts';
import type { DeploymentLinks, ShownDeployment } from './deployment-view.ts';

export function linksOf(
  { githubUrl, temporalUiUrl, namespace }: LinkSettings,
  id: string,
  lane: LaneName,
  deployment: ShownDeployment | undefined,
): DeploymentLinks {
  const checkRun = deployment?.checkRuns.at(-1);
  const pullRequest = deployment?.pullRequest;
  return {
    ...(checkRun ? { checkRun: checkRunUrl(githubUrl, lane, checkRun.id) } : {}),
    ...(deployment ? { commit: commitUrl(githubUrl, lane, deployment.revision.sha) } : {}),
    ...(pullRequest === undefined ? {} : { pullRequest: pullRequestUrl(githubUrl, lane, pullRequest) }),
    ...(temporalUiUrl === undefined
      ? {}
      : {
          workflow: workflowUrl(temporalUiUrl, namespace, id),
          laneWorkflow: workflowUrl(temporalUiUrl, namespace, laneWorkflowId(lane, lane.rootName)),
        }),
  };
}
