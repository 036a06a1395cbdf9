import type { Deployment, Repository } from '@nereid/contracts';
import { commitUrl, deploymentUrl, pullRequestUrl, workflowUrl, type CheckRunLinks } from '@nereid/github';
import type { WorkerContext } from '../../context.ts';

/** The links of a deployment's check run, as far as this worker's configuration knows the addresses. */
export function checkRunLinks(
  { config: { links, github, temporal } }: Pick<WorkerContext, 'config'>,
  repository: Repository,
  deployment: Deployment,
): CheckRunLinks {
  const lane = { owner: repository.owner, name: repository.name, rootName: deployment.root.name };
  const key = links.key && { secret: links.key.reveal(), from: deployment.receivedAt };
  const pageOf = (id: string) => deploymentUrl(links.consoleUrl, key, id, lane);
  return {
    deploymentUrl: pageOf(deployment.id),
    ...(deployment.carrier !== undefined && { carrierUrl: pageOf(deployment.carrier.deploymentId) }),
    commitUrl: commitUrl(github.url, repository, deployment.revision.sha),
    ...(deployment.pullRequest !== undefined && {
      pullRequestUrl: pullRequestUrl(github.url, repository, deployment.pullRequest),
    }),
    ...(links.temporalUiUrl !== undefined && {
      workflowUrl: workflowUrl(links.temporalUiUrl, temporal.namespace, deployment.id),
    }),
  };
}
