/** A host does only what it was ordered: its queue takes tasks from anybody who reaches Temporal. */
import { defined } from '@nereid/domain/defined';
import {
  orderKind,
  type ApplyJob,
  type ForceUnlockOrder,
  type Go,
  type HostJob,
  type Order,
  type WaveCheckOrder,
} from '@nereid/domain/deployment';
import { isJobOf, isLockId, isUuid, jobIdOf, type JobPhase } from '@nereid/domain/host';
import type { PlanReview } from '@nereid/domain/plan';
import { poolOf } from '@nereid/domain/root';
import type { Signed } from '@nereid/domain/signed';
import { GoExpiredError } from '../../../platform/failures/go-expired.ts';
import { refuseExpired } from '../../../platform/failures/order-expired.ts';
import { openedJob, type OpenedApply, type OpenedJob } from '../../../platform/tokens/opened-job.ts';
import type { HostContext } from '../tools.ts';

type VerifyContext = Pick<HostContext, 'signatures' | 'hostId'> & {
  readonly config: Pick<HostContext['config'], 'pool'>;
};

/**
 * Throws a `ForgedError`, unless intake ordered this deployment, or this preview, of this host's pool, and this is a job of it.
 * Also throws when that was too long ago.
 */
export async function openJob(context: VerifyContext, phase: JobPhase, job: HostJob): Promise<OpenedJob> {
  const { signatures } = context;
  const order = await signatures.open(orderKind(job.order.body), job.order, {});
  const { id, reviewed } = order.body;
  // Permission to apply was given for a good order, and `openGo` refuses one that is to begin too late.
  if (phase === 'plan') refuseExpired(order.body);
  verifyIds(context, [id, ...(reviewed ? [reviewed.review.body.previewId] : [])]);
  if (!isJobOf(id, phase, job.jobId))
    throw signatures.forged(orderKind(order.body), `a job that is not a ${phase} of it`, id);
  verifyPool(context, order.body);
  return { ...openedJob(order, job.jobId), ...defined({ readToken: job.readToken }) };
}

/** Ids of deployments name folders and objects. */
function verifyIds({ signatures }: VerifyContext, ids: readonly string[]): void {
  const odd = ids.find((id) => !isUuid(id));
  if (odd !== undefined) throw signatures.forged('order/deploy', 'an id that is not a UUID', odd);
}

/** The credentials of this host are for the roots of its pool alone, and anybody can put a job on its queue. */
function verifyPool({ config, signatures }: VerifyContext, { id, root }: Order): void {
  if (poolOf(root) === config.pool) return;
  throw signatures.forged('order/deploy', `one for the pool ${poolOf(root)} on a host of ${config.pool}`, id);
}

/** Throws a `ForgedError`, unless control gave this host permission to apply this plan of this order in this job, at some time. */
export async function openApply(context: VerifyContext, job: ApplyJob): Promise<OpenedApply> {
  const { signatures, hostId } = context;
  const opened = await openJob(context, 'apply', job);
  const { deploymentId, order, trigger } = opened;
  if (trigger === 'preview') throw signatures.forged('go/apply', 'one for a preview', deploymentId);
  const go = await signatures.open('go/apply', job.go, { deploymentId, order: order.signature });
  if (go.body.jobId !== job.jobId) throw signatures.forged('go/apply', 'one for another job', deploymentId);
  if (go.body.hostId !== hostId) throw signatures.forged('go/apply', 'one for another host', deploymentId);
  await verifyApproval(context, go.body, job.review);
  return { ...opened, go, ...(job.review && { review: job.review }) };
}

/** The permission names its approval, which comes beside it. */
async function verifyApproval(
  { signatures }: VerifyContext,
  { deploymentId, digest, review: named }: Go,
  review: Signed<PlanReview> | undefined,
): Promise<void> {
  if (named !== review?.signature) throw signatures.forged('go/apply', 'one for another approval', deploymentId);
  if (review === undefined) return;
  const { body } = await signatures.open('decision/review', review, { deploymentId });
  if (body.digest !== digest) throw signatures.forged('decision/review', 'one of another plan', deploymentId);
}

/** Also throws when it is too late to take the job. */
export async function openGo(context: VerifyContext, job: ApplyJob): Promise<OpenedApply> {
  const opened = await openApply(context, job);
  const { acceptBy } = opened.go.body;
  if (Date.now() > Date.parse(acceptBy)) throw new GoExpiredError(acceptBy);
  return opened;
}

/** A job that frees a lock: nothing plans or applies with it, because its order is of another kind. */
export interface UnlockJob extends OpenedJob {
  readonly unlocking: ForceUnlockOrder['unlocking'];
}

/** Throws a `ForgedError`, unless intake ordered that this lock of this root is freed; also throws when that was too long ago. */
export async function openForceUnlock(context: VerifyContext, signed: Signed<ForceUnlockOrder>): Promise<UnlockJob> {
  const { signatures } = context;
  const order = await signatures.open('order/force-unlock', signed, {});
  const { id, unlocking } = order.body;
  refuseExpired(order.body);
  verifyIds(context, [id]);
  if (!isLockId(unlocking.lockId)) throw signatures.forged('order/force-unlock', 'an id of another form', id);
  verifyPool(context, order.body);
  return { ...openedJob(order, jobIdOf(id, 'unlock', 1)), unlocking };
}

/** A job that runs a check of a wave. */
export interface CheckJob extends OpenedJob {
  readonly checking: WaveCheckOrder['checking'];
}

/** Throws a `ForgedError`, unless control ordered that this command is run in this root; also throws when that was too long ago. */
export async function openWaveCheck(context: VerifyContext, signed: Signed<WaveCheckOrder>): Promise<CheckJob> {
  const order = await context.signatures.open('order/wave-check', signed, {});
  const { id, checking } = order.body;
  refuseExpired(order.body);
  verifyIds(context, [id]);
  verifyPool(context, order.body);
  return { ...openedJob(order, jobIdOf(id, 'check', 1)), checking };
}
