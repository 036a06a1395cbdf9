/** Stores that a deployment ended, and the name by which its root was deployed. */
import { hasEnded, type DeploymentRecord } from '@nereid/contracts';
import { hasHappened } from '@nereid/lane';
import type { WorkerContext } from '../../context.ts';
import { placeOfRoot } from '../../place-of-root.ts';

export type RecordContext = Pick<WorkerContext, 'deploymentRecords' | 'rootPlaces'>;

export async function recordDeployment(context: RecordContext, record: DeploymentRecord): Promise<void> {
  await context.deploymentRecords.write(record);
  await rememberName(context, record);
}

/** A place goes by its newest name. It takes another one only once a person has approved a plan under that. */
async function rememberName(
  { rootPlaces }: RecordContext,
  { repository, deployment: { root, formerly, progress } }: DeploymentRecord,
): Promise<void> {
  const { status, review } = progress;
  if (!hasEnded(status) || !hasHappened(status)) return;
  if (formerly !== undefined && review?.answer !== 'approved') return;
  await rootPlaces.add(placeOfRoot(repository, root), root.name);
}
