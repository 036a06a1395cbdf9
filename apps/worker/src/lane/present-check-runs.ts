/**
 * Writes what deployments should look like to GitHub: each on its own, so that one that fails holds up no other. `signal`
 * ends what nobody waits for any more: it would write over what is newer.
 */
import { fullName, type Presentation, type Presented, type Repository } from '@nereid/contracts';
import { GitHubRefusedError, renderCheckRun, renderSuperseded } from '@nereid/github';
import type { WorkerContext } from '../context.ts';
import { checkRunLinks } from './check-run-links.ts';

export async function presentCheckRuns(
  context: WorkerContext,
  repository: Repository,
  presentations: readonly Presentation[],
  signal: AbortSignal,
): Promise<readonly Presented[]> {
  return await Promise.all(presentations.map((presentation) => presentOne(context, repository, presentation, signal)));
}

async function presentOne(
  context: WorkerContext,
  repository: Repository,
  presentation: Presentation,
  signal: AbortSignal,
): Promise<Presented> {
  const { deployment, mayExist = false } = presentation;
  try {
    const links = checkRunLinks(context, repository, deployment);
    const content = renderCheckRun(presentation, links);
    const superseded = renderSuperseded(deployment, links);
    const checkRuns = await context.github.checkRuns.present(repository, deployment.checkRuns, content, {
      mayExist,
      superseded,
      signal,
    });
    return { deploymentId: deployment.id, kind: 'presented', checkRuns };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const kind = error instanceof GitHubRefusedError ? 'refused' : 'failed';
    const fields = { err: error, deployment: deployment.id, repository: fullName(repository) };
    if (kind === 'refused') context.logger.error(fields, 'GitHub refuses a check run: it stays as it is');
    else context.logger.warn(fields, 'a check run could not be written');
    return { deploymentId: deployment.id, kind, why };
  }
}
