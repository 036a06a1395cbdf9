import type { Deployment } from '@nereid/domain/deployment';
import type { Repository } from '@nereid/domain/root';
import {
  commitUrl,
  deploymentUrl,
  pullRequestPageUrl,
  pullRequestUrl,
  workflowUrl,
  type CheckRunLinks,
  type LinkKey,
} from '@nereid/github';
import type { WorkerContext } from '../../platform/context.ts';
import { linkSecret } from './link-secret.ts';

/** Makes the links of a deployment's check run, as far as this worker's configuration knows the addresses. */
export type LinksOf = (deployment: Deployment) => CheckRunLinks;

/** For all deployments of the repository that are written now. */
export async function checkRunLinks(
  context: Pick<WorkerContext, 'config' | 'github' | 'logger' | 'server'>,
  repository: Repository,
): Promise<LinksOf> {
  const { links, github, temporal } = context.config;
  const secret = await linkSecret(context, repository);
  const [commandName] = context.server.current().commentNames;
  return (deployment) => {
    const lane = { owner: repository.owner, name: repository.name, rootName: deployment.root.name };
    const key = secret && { secret: secret.reveal(), from: deployment.receivedAt };
    const pageOf = (id: string) => deploymentUrl(links.consoleUrl, key, id, lane);
    return {
      commandName,
      deploymentUrl: pageOf(deployment.id),
      hostsUrl: `${links.consoleUrl}/hosts`,
      ...(deployment.carrier !== undefined && { carrierUrl: pageOf(deployment.carrier.deploymentId) }),
      commitUrl: commitUrl(github.url, repository, deployment.revision.sha),
      ...(deployment.pullRequest !== undefined && {
        pullRequestUrl: pullRequestUrl(github.url, repository, deployment.pullRequest),
      }),
      ...allPlans(links.consoleUrl, key, repository, deployment),
      ...(links.temporalUiUrl !== undefined && {
        workflowUrl: workflowUrl(links.temporalUiUrl, temporal.namespace, deployment.id),
      }),
    };
  };
}

/** The plans of a group of a merge queue have no page of their own. */
function allPlans(
  consoleUrl: string,
  key: LinkKey | undefined,
  { owner, name }: Repository,
  { preview, pullRequest: number }: Deployment,
): Pick<CheckRunLinks, 'allPlansUrl'> {
  if (preview === undefined || preview.group !== undefined || number === undefined) return {};
  return { allPlansUrl: pullRequestPageUrl(consoleUrl, key, { owner, name, number }) };
}
