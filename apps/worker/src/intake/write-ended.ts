/** The check run of a deployment that ended, which its lane may have forgotten. */
import type { Deployment, PressedCheckRun, Repository } from '@nereid/contracts';
import { renderCheckRun } from '@nereid/github';
import { checkRunLinks } from '../lane/check-run-links.ts';
import { viewLane } from '../lane/view-lane.ts';
import type { IntakeCall } from './intake-call.ts';

/** Writes it as the deployment's record and its lane say it should be, with a sentence on top if there is one. */
export async function writeEnded(
  { context }: IntakeCall,
  repository: Repository,
  { id }: PressedCheckRun,
  deployment: Deployment,
  notice?: string,
): Promise<void> {
  const { name } = deployment.root;
  const lane =
    (await viewLane(context, repository, name)) ?? (await context.laneRecords.read(repository, name))?.record;
  const lifted = lane?.lifted?.deploymentId === deployment.id ? lane.lifted : undefined;
  const content = renderCheckRun(
    {
      deployment,
      ...(lifted && { unlocked: { by: lifted.liftedBy, at: lifted.liftedAt } }),
      ...(notice !== undefined && { notice }),
    },
    checkRunLinks(context, repository, deployment),
  );
  await context.github.checkRuns.update(repository, id, content);
}
