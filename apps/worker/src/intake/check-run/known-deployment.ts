import type { Deployment } from '@nereid/domain/deployment';
import type { Repository } from '@nereid/domain/root';
import { deploymentIn } from '@nereid/domain/lane';
import { viewLane } from '../../lane/view-lane.ts';
import type { IntakeCall } from '../intake-call.ts';

/** A deployment by its id, as its lane or its own record has it; undefined when neither knows it. */
export async function findDeployment(
  { context }: IntakeCall,
  repository: Repository,
  rootName: string,
  id: string,
): Promise<Deployment | undefined> {
  const lane = await viewLane(context, repository, rootName);
  const found = lane && deploymentIn(lane, id);
  return found ?? (await context.deploymentRecords.find(repository, rootName, id))?.deployment;
}
