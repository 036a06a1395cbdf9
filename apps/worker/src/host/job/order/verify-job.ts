/** A host does only what it was ordered: its queue takes tasks from anybody who reaches Temporal. */
import {
  forceUnlockFacts,
  goFacts,
  onlyAllowedOf,
  onlyOrderedOf,
  orderOfJob,
  orderFacts,
  orderKind,
  type ApplyJob,
  type ForceUnlockOrder,
  type HostJob,
} from '@nereid/domain/deployment';
import { isJobOf, isLockId, isUuid, type JobPhase } from '@nereid/domain/host';
import { poolOf, type Root } from '@nereid/domain/root';
import { GoExpiredError } from '../../../platform/failures/go-expired.ts';
import type { HostContext } from '../tools.ts';

type VerifyContext = Pick<HostContext, 'signatures' | 'hostId'> & {
  readonly config: Pick<HostContext['config'], 'pool'>;
};

/** The order of a preview is of an hour: somebody kept it, or every host was busy. */
class PreviewExpiredError extends Error {
  override readonly name = 'PreviewExpiredError';
  readonly code = 'PREVIEW_EXPIRED';

  constructor(expiresAt: string) {
    super(`this plan was ordered until ${expiresAt}, and no host took it before: ask for it again`);
  }
}

/** Somebody kept the order, or every host was busy. */
class ForceUnlockExpiredError extends Error {
  override readonly name = 'ForceUnlockExpiredError';
  readonly code = 'FORCE_UNLOCK_EXPIRED';

  constructor(expiresAt: string) {
    super(`this lock was to be freed until ${expiresAt}, and no host took it before: comment the command again`);
  }
}

/**
 * Throws a `ForgedError`, unless intake ordered this deployment, or this preview, as it is here, and this is a job of it. Returns what
 * was ordered, without anything that came beside it.
 */
export async function verifyJob(context: VerifyContext, phase: JobPhase, job: HostJob): Promise<HostJob> {
  const { signatures } = context;
  const { deploymentId, jobId, order } = job;
  await signatures.verify(orderKind(order), orderFacts(job.repository, orderOfJob(job)), order.signature);
  if (order.preview && Date.now() > Date.parse(order.preview.expiresAt))
    throw new PreviewExpiredError(order.preview.expiresAt);
  verifyIds(context, [deploymentId, ...(order.reviewed ? [order.reviewed.previewId] : [])]);
  if (!isJobOf(deploymentId, phase, jobId))
    throw signatures.forged('order', `a job that is no ${phase} of it`, deploymentId);
  verifyPool(context, job.root, deploymentId);
  return onlyOrderedOf(job);
}

/** Ids of deployments name folders and objects. */
function verifyIds({ signatures }: VerifyContext, ids: readonly string[]): void {
  const odd = ids.find((id) => !isUuid(id));
  if (odd !== undefined) throw signatures.forged('order', 'an id that is no UUID', odd);
}

/** The credentials of this host are for the roots of its pool alone, and anybody can put a job on its queue. */
function verifyPool({ config, signatures }: VerifyContext, root: Root, deploymentId: string): void {
  if (poolOf(root) === config.pool) return;
  throw signatures.forged('order', `one for the pool ${poolOf(root)} on a host of ${config.pool}`, deploymentId);
}

/** Throws a `ForgedError`, unless control gave this host permission to apply this plan of this order in this job, at some time. */
export async function verifyApply(context: VerifyContext, job: ApplyJob): Promise<ApplyJob> {
  const { order, go } = job;
  await verifyJob(context, 'apply', job);
  if (order.trigger === 'preview') throw context.signatures.forged('go', 'one for a preview', job.deploymentId);
  await context.signatures.verify('go', goFacts(job, order.signature, go), go.signature);
  if (job.hostId !== context.hostId) throw context.signatures.forged('go', 'one for another host', job.deploymentId);
  return onlyAllowedOf(job);
}

/** Also throws when that leave has ended. */
export async function verifyGo(context: VerifyContext, job: ApplyJob): Promise<ApplyJob> {
  const allowed = await verifyApply(context, job);
  if (Date.now() > Date.parse(allowed.go.expiresAt)) throw new GoExpiredError(allowed.go.expiresAt);
  return allowed;
}

/** Throws a `ForgedError`, unless intake ordered that this lock of this root is freed; also throws when that was too long ago. */
export async function verifyForceUnlock(context: VerifyContext, order: ForceUnlockOrder): Promise<void> {
  const { signatures } = context;
  const { ordered, unlocking } = order;
  await signatures.verify('force-unlock', forceUnlockFacts(order), order.signature);
  if (Date.now() > Date.parse(unlocking.expiresAt)) throw new ForceUnlockExpiredError(unlocking.expiresAt);
  verifyIds(context, [ordered.id]);
  if (!isLockId(unlocking.lockId)) throw signatures.forged('force-unlock', 'an id of another form', ordered.id);
  verifyPool(context, ordered.root, ordered.id);
}
