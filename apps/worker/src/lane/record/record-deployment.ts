/** Stores that a deployment ended, and the name by which its root was deployed. */
import { hasEnded, type DeploymentRecord } from '@nereid/domain/deployment';
import { hasHappened } from '@nereid/domain/lane';
import type { WorkerContext } from '../../platform/context.ts';
import { placeIdOf } from '../../root/root-place.ts';
import { endedEvents } from '../state-events.ts';
import { isBetterProven } from '../verify-stored-end.ts';

export type RecordContext = Pick<WorkerContext, 'deploymentRecords' | 'rolloutRecords' | 'rootPlaces' | 'publish'>;

/** Once and for all: another end that is said later changes it only if more speaks for that. */
export async function recordDeployment(context: RecordContext, record: DeploymentRecord): Promise<void> {
  const { status } = record.deployment.progress;
  const yields = ({ deployment }: DeploymentRecord) => isBetterProven(status, deployment.progress.status);
  const written = { ...record, endedAt: notInFuture(record.endedAt) };
  await recordInRollout(context, written);
  const stored = await context.deploymentRecords.write(written, yields);
  // One that was there before was read, and is another object.
  const isRepeated = stored !== written;
  if (stored.deployment.progress.status === status)
    await context.publish(...endedEvents(stored).map((event) => ({ ...event, ...(isRepeated && { isRepeated }) })));
  await rememberName(context, stored);
}

/** The time comes through Temporal. The newest records are found first. */
function notInFuture(endedAt: string): string {
  const now = new Date().toISOString();
  return Date.parse(endedAt) <= Date.parse(now) ? endedAt : now;
}

/** Before its own record: whoever finds that the deployment has ended finds it there, too. */
async function recordInRollout(
  { rolloutRecords }: RecordContext,
  { repository, deployment: { root, together, progress, carrier, ...deployment } }: DeploymentRecord,
): Promise<void> {
  const { status } = progress;
  const { rollout = together?.rollout } = deployment;
  if (rollout === undefined || !hasEnded(status)) return;
  const end = carrier
    ? { kind: 'carried' as const, deploymentId: carrier.deploymentId }
    : { kind: 'ended' as const, status };
  await rolloutRecords.end(repository, rollout, root.name, end);
}

/** A place goes by its newest name. It takes another one only once a person has approved a plan under that. */
async function rememberName(
  { rootPlaces }: RecordContext,
  { repository, deployment: { root, formerly, progress } }: DeploymentRecord,
): Promise<void> {
  const { status, review } = progress;
  if (!hasEnded(status) || !hasHappened(status)) return;
  if (formerly !== undefined && review?.answer !== 'approved') return;
  await rootPlaces.add(placeIdOf(repository, root), root.name);
}
