/** Writes what deployments should look like to GitHub: each on its own, so that one that fails holds up no other. */
import { fullName, type Presentation, type Presented, type Repository } from '@nereid/contracts';
import {
  commitUrl,
  deploymentUrl,
  pullRequestUrl,
  renderCheckRun,
  workflowUrl,
  type CheckRunLinks,
} from '@nereid/github';
import type { WorkerContext } from '../context.ts';

export async function presentCheckRuns(
  context: WorkerContext,
  repository: Repository,
  presentations: readonly Presentation[],
): Promise<readonly Presented[]> {
  return await Promise.all(presentations.map((presentation) => presentOne(context, repository, presentation)));
}

async function presentOne(
  context: WorkerContext,
  repository: Repository,
  presentation: Presentation,
): Promise<Presented> {
  const { deployment, mayExist = false } = presentation;
  try {
    const content = renderCheckRun(presentation, linksOf(context, repository, presentation));
    const checkRun = await context.github.checkRuns.present(repository, deployment.checkRuns, content, { mayExist });
    return { deploymentId: deployment.id, kind: 'presented', checkRun };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const fields = { err: error, deployment: deployment.id, repository: fullName(repository) };
    context.logger.warn(fields, 'a check run could not be written');
    return { deploymentId: deployment.id, kind: 'failed', why };
  }
}

function linksOf(context: WorkerContext, repository: Repository, { deployment }: Presentation): CheckRunLinks {
  const { links, github, temporal } = context.config;
  const lane = { owner: repository.owner, name: repository.name, rootName: deployment.root.name };
  return {
    deploymentUrl: deploymentUrl(links.consoleUrl, links.key?.reveal(), deployment.id, lane),
    commitUrl: commitUrl(github.url, repository, deployment.revision.sha),
    ...(deployment.pullRequest !== undefined && {
      pullRequestUrl: pullRequestUrl(github.url, repository, deployment.pullRequest),
    }),
    ...(links.temporalUiUrl !== undefined && {
      workflowUrl: workflowUrl(links.temporalUiUrl, temporal.namespace, deployment.id),
    }),
  };
}
