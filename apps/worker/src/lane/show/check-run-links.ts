import { nameOfLane } from '@nereid/domain/console';
import { readWaitAtGate, type Deployment } from '@nereid/domain/deployment';
import type { Repository } from '@nereid/domain/root';
import { deploymentUrl, pullRequestPageUrl, workflowUrl, type CheckRunLinks, type LinkKey } from '@nereid/texts';
import type { OfForge, WorkerContext } from '../../platform/context.ts';
import { linkSecret } from './link-secret.ts';

/** Makes the links of a deployment's check run, as far as this worker's configuration knows the addresses. */
export type LinksOf = (deployment: Deployment) => CheckRunLinks;

/** For all deployments of the repository that are written now. */
export async function checkRunLinks(
  context: OfForge<'name' | 'pages' | 'buttons' | 'repositories'> & Pick<WorkerContext, 'config' | 'logger' | 'server'>,
  repository: Repository,
): Promise<LinksOf> {
  const { links, temporal } = context.config;
  const { pages, buttons, name: forge } = context.forge;
  const secret = await linkSecret(context, repository);
  const [commandName] = context.server.current().commentNames;
  return (deployment) => {
    const lane = { owner: repository.owner, name: repository.name, rootName: deployment.root.name };
    const key = secret && { secret: secret.reveal(), from: deployment.receivedAt };
    const pageOf = (id: string, rootName = lane.rootName) =>
      deploymentUrl(links.consoleUrl, key, id, { ...lane, rootName });
    return {
      commandName,
      deploymentUrl: pageOf(deployment.id),
      hostsUrl: `${links.consoleUrl}/hosts`,
      ...(buttons === undefined && { wordsOnly: { forge, lane: nameOfLane(lane) } }),
      ...(deployment.carrier !== undefined && { carrierUrl: pageOf(deployment.carrier.deploymentId) }),
      ...namedIn(deployment, pageOf),
      commitUrl: pages.commit(repository, deployment.revision.sha),
      ...(deployment.pullRequest !== undefined && {
        pullRequestUrl: pages.pullRequest(repository, deployment.pullRequest),
      }),
      ...allPlans(links.consoleUrl, key, repository, deployment),
      ...(links.temporalUiUrl !== undefined && {
        workflowUrl: workflowUrl(links.temporalUiUrl, temporal.namespace, deployment.id),
      }),
    };
  };
}

/** What it waits for comes through Temporal: whoever names other deployments gets links to pages of the same repository. */
function namedIn(
  { progress: { waitsFor } }: Deployment,
  pageOf: (id: string, rootName: string) => string,
): Pick<CheckRunLinks, 'named'> {
  const wait = readWaitAtGate(waitsFor);
  if (wait?.named === undefined) return {};
  const named = wait.named.map(({ rootName, deploymentId }) => ({ rootName, url: pageOf(deploymentId, rootName) }));
  return { named };
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
