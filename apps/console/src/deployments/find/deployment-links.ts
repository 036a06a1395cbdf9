import type { LaneName } from '@nereid/domain/console';
import type { Progress } from '@nereid/domain/deployment';
import { laneWorkflowId } from '@nereid/domain/lane';
import type { Pages } from '@nereid/forge';
import { workflowUrl } from '@nereid/texts';
import type { DeploymentLinks, DeploymentView } from '../deployment-view.ts';

/** Where to find the pages that our pages link to. */
export interface LinkSettings {
  readonly forgePages: Pages;
  readonly temporalUiUrl: string | undefined;
  readonly namespace: string;
  /** Deployments have traces, which their pages name. */
  readonly namesTraces?: boolean;
}

export function linksOf(
  { forgePages, temporalUiUrl, namespace }: LinkSettings,
  id: string,
  lane: LaneName,
  { deployment: { checkRuns, pullRequest, revision }, progress }: Pick<DeploymentView, 'deployment' | 'progress'>,
): DeploymentLinks {
  const checkRun = checkRuns.at(-1);
  return {
    ...(checkRun ? { checkRun: forgePages.status(lane, checkRun.id) } : {}),
    commit: forgePages.commit(lane, revision.sha),
    ...(pullRequest === undefined ? {} : { pullRequest: forgePages.pullRequest(lane, pullRequest) }),
    ...(temporalUiUrl === undefined
      ? {}
      : {
          ...(hasBegun(progress) && { workflow: workflowUrl(temporalUiUrl, namespace, id) }),
          laneWorkflow: workflowUrl(temporalUiUrl, namespace, laneWorkflowId(lane, lane.rootName)),
        }),
  };
}

/** A deployment's own workflow starts only when its lane lets the deployment go. With a plan, a closed gate blocks its apply. */
function hasBegun({ status, plan }: Progress): boolean {
  return status !== 'queued' && (status !== 'blocked' || plan !== undefined);
}
