/**
 * What a lane says of itself comes through Temporal. Its record is read by everybody who asks about the lane, and by its next run:
 * so only deployments that intake ordered are stored in it, and as the latest one only one that had permission to apply. The order in
 * which they wait is the lane's own word.
 */
import { defined, type EachOf } from '@nereid/domain/defined';
import { orderOf, type Deployment, shortened } from '@nereid/domain/deployment';
import type { LaneRecord, Latest } from '@nereid/domain/lane';
import type { WorkerContext } from '../../platform/context.ts';
import { withProvenUnlock } from '../show/proven/proven-people.ts';
import { provenUndeployed } from './proven-undeployed.ts';

export type ProvenRecordContext = Pick<WorkerContext, 'signatures' | 'laneTurns' | 'laneRecords' | 'deploymentRecords'>;

/** Without what nothing proves, which is logged and counted. */
export async function provenRecord(context: ProvenRecordContext, record: LaneRecord): Promise<LaneRecord> {
  const { version, repository, rootName, latest, running, manual, merged, ended = [] } = record;
  const proven = (deployments: readonly Deployment[]) => provenOf(context, record, deployments);
  const [[runs], waitManual, waitMerged, over, deployed] = await Promise.all([
    proven(running ? [running] : []),
    proven(manual),
    proven(merged),
    endedOf(context, record, ended),
    provenLatest(context, record, latest),
  ]);
  const left = await provenUndeployed(context, record, over);
  // Each field by name: a new one is proven first, or it is known to be no more than the word of the lane.
  return defined<EachOf<LaneRecord>>({
    ...{ version, repository, rootName },
    ...{ latest: deployed, running: runs, manual: waitManual, merged: waitMerged },
    ended: over.length > 0 ? over : undefined,
    undeployed: left.length > 0 ? left : undefined,
    ...{ lock: record.lock, lifted: record.lifted, seen: record.seen, judged: record.judged, writer: record.writer },
  });
}

async function provenOf(
  context: ProvenRecordContext,
  record: LaneRecord,
  deployments: readonly Deployment[],
): Promise<readonly Deployment[]> {
  const known = await Promise.all(deployments.map((one) => isOrdered(context, record, one)));
  return deployments.filter((_one, index) => known[index]);
}

async function endedOf(
  context: ProvenRecordContext,
  record: LaneRecord,
  ended: readonly Deployment[],
): Promise<readonly Deployment[]> {
  const known = await Promise.all(
    ended.map(async (one) => (await storedInstead(context, record, one)) ?? (await provenOf(context, record, [one]))),
  );
  return known.flat();
}

/**
 * A lane shortens ended deployments that have their own record, so that their order does not fit any more. What is stored of them
 * stands instead. Only its check runs, and who lifted its lock, may be younger in the lane.
 */
async function storedInstead(
  context: ProvenRecordContext,
  { repository, rootName }: LaneRecord,
  { id, root, checkRuns, unlocked }: Deployment,
): Promise<Deployment | undefined> {
  const { plan, apply } = root.steps;
  if (root.name !== rootName || plan.length + apply.length + root.varFiles.length > 0) return undefined;
  const stored = await context.deploymentRecords.find(repository, rootName, id);
  if (stored === undefined) return undefined;
  const deployment = { ...shortened(stored.deployment), checkRuns, ...(unlocked && { unlocked }) };
  return withProvenUnlock(context, repository, deployment);
}

async function isOrdered(
  context: ProvenRecordContext,
  { repository, rootName }: LaneRecord,
  deployment: Deployment,
): Promise<boolean> {
  const { id, root, trigger } = deployment;
  if (root.name !== rootName || trigger === 'preview') {
    context.signatures.forged('order/deploy', 'one of another lane', id);
    return false;
  }
  const order = await context.signatures.openIfGenuine('order/deploy', orderOf(repository, deployment), {});
  return order !== undefined;
}

/** Whatever is applied has had its turn. Turns are younger than some records. */
async function provenLatest(
  { signatures, laneTurns, deploymentRecords }: ProvenRecordContext,
  { repository, rootName }: LaneRecord,
  latest: Latest | undefined,
): Promise<Latest | undefined> {
  if (latest === undefined) return undefined;
  const { deploymentId, revision } = latest;
  const { last, applied, deployed } = (await laneTurns.read(repository, rootName)) ?? {};
  const isSame = (known: Pick<Deployment, 'id' | 'revision'> | undefined) =>
    known?.id === deploymentId && known.revision.sha === revision;
  if ([last?.deployment, applied, deployed].some(isSame)) return latest;
  if (isSame((await deploymentRecords.find(repository, rootName, deploymentId))?.deployment)) return latest;
  signatures.forged('result/outcome', 'a latest deployment that never had permission to apply', deploymentId);
  return undefined;
}
