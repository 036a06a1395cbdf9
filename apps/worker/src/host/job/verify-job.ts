/** A host does only what it was ordered: its queue takes tasks from anybody who reaches Temporal. */
import { goFacts, orderedBy, orderFacts, type ApplyJob, type HostJob } from '@nereid/contracts';
import type { HostContext } from './tools.ts';

type VerifyContext = Pick<HostContext, 'signatures' | 'hostId'>;

/** The leave came too late to be used. Nothing was applied. */
class GoExpiredError extends Error {
  override readonly name = 'GoExpiredError';
  readonly code = 'GO_EXPIRED';

  constructor(expiresAt: string) {
    super(
      `expected leave to apply that is still good, found one that ended ${expiresAt}; look at the clock of this host`,
    );
  }
}

/** Throws a `ForgedError`, unless intake ordered this deployment as it is here. */
export function verifyOrder({ signatures }: VerifyContext, job: HostJob): Promise<void> {
  return signatures.verify('order', orderFacts(job.repository, orderedBy(job)), job.order.signature);
}

/** Throws a `ForgedError`, unless control gave this host leave to apply this plan of this order in this job. */
export async function verifyGo(context: VerifyContext, job: ApplyJob): Promise<void> {
  const { order, digest, deploymentId, jobId, go } = job;
  await verifyOrder(context, job);
  const facts = goFacts({ deploymentId, jobId, digest, hostId: context.hostId }, order.signature, go.expiresAt);
  await context.signatures.verify('go', facts, go.signature);
  if (Date.now() > Date.parse(go.expiresAt)) throw new GoExpiredError(go.expiresAt);
}
