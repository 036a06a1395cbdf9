/**
 * Of the deployments that a lane says it left undeployed, only those are stored that it had: they stand in the record that is stored,
 * or among those that ended now, or have a record of their own. How they ended is the lane's own word.
 */
import type { Deployment } from '@nereid/domain/deployment';
import type { LaneRecord, Undeployed } from '@nereid/domain/lane';
import { isUnreadableRecord } from '@nereid/storage';
import pMap from 'p-map';
import type { WorkerContext } from '../../platform/context.ts';

export type ProvenUndeployedContext = Pick<WorkerContext, 'signatures' | 'laneRecords' | 'deploymentRecords'>;

type Known = Pick<Undeployed, 'trigger' | 'rerun' | 'requestedBy' | 'revision'>;

/** Only those whose lane was never stored with them are looked for. */
const AT_ONCE = 8;

/** `ended` is proven. */
export async function provenUndeployed(
  context: ProvenUndeployedContext,
  record: LaneRecord,
  ended: readonly Deployment[],
): Promise<readonly Undeployed[]> {
  const { undeployed = [] } = record;
  if (undeployed.length === 0) return [];
  const stored = await readStored(context, record);
  const deployments = [...(stored ? deploymentsOf(stored) : []), ...ended];
  const known = new Map<string, Known>([
    ...(stored?.undeployed ?? []).map((one) => [one.deploymentId, one] as const),
    ...deployments.map((one) => [one.id, one] as const),
  ]);
  const isProven = async (one: Undeployed) =>
    isSame(one, known.get(one.deploymentId)) || isRecorded(context, record, one);
  const proven = await pMap(undeployed, isProven, { concurrency: AT_ONCE });
  return undeployed.filter((_one, index) => proven[index]);
}

/** A record that cannot be read is for whoever writes it to tell of. */
async function readStored(
  { laneRecords }: ProvenUndeployedContext,
  { repository, rootName }: LaneRecord,
): Promise<LaneRecord | undefined> {
  try {
    return (await laneRecords.read(repository, rootName))?.record;
  } catch (error) {
    if (isUnreadableRecord(error)) return undefined;
    throw error;
  }
}

function deploymentsOf({ running, manual, merged, ended = [] }: LaneRecord): readonly Deployment[] {
  return [...(running ? [running] : []), ...manual, ...merged, ...ended];
}

async function isRecorded(
  { deploymentRecords, signatures }: ProvenUndeployedContext,
  { repository, rootName }: LaneRecord,
  one: Undeployed,
): Promise<boolean> {
  const own = await deploymentRecords.find(repository, rootName, one.deploymentId);
  if (isSame(one, own?.deployment)) return true;
  signatures.forged('order/deploy', 'one that its lane never had', one.deploymentId);
  return false;
}

function isSame(one: Undeployed, known: Known | undefined): boolean {
  const { revision } = one;
  return (
    known?.revision.sha === revision.sha &&
    known.revision.position === revision.position &&
    known.revision.title === revision.title &&
    known.trigger === one.trigger &&
    known.rerun === one.rerun &&
    known.requestedBy === one.requestedBy
  );
}
