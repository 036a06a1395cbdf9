import type { Deployment, Repository } from '@nereid/contracts';
import type { IntakeCall } from '../intake-call.ts';

/** A deployment by its id, as its lane's record or its own has it; undefined when neither knows it. */
export async function findDeployment(
  { context: { laneRecords, deploymentRecords } }: IntakeCall,
  repository: Repository,
  rootName: string,
  id: string,
): Promise<Deployment | undefined> {
  const lane = (await laneRecords.read(repository, rootName))?.record;
  const alive = lane && [...(lane.running ? [lane.running] : []), ...lane.manual, ...lane.merged];
  const found = alive?.find((deployment) => deployment.id === id);
  return found ?? (await deploymentRecords.find(repository, rootName, id))?.deployment;
}
