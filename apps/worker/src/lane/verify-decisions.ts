/** What people decided about the plan of a deployment counts only when intake signed it. */
import type { Deployment } from '@nereid/domain/deployment';
import { isExtension, isReview, type AnsweringPress, type Press } from '@nereid/domain/deployment-actor';
import { newestOfEach } from '@nereid/domain/gates';
import type { PlanReview, PolicyOverride } from '@nereid/domain/plan';
import type { Signed } from '@nereid/domain/signed';
import type { Proven } from '@nereid/signature';
import type { WorkerContext } from '../platform/context.ts';

type VerifyContext = Pick<WorkerContext, 'signatures'>;

/** Throws a `ForgedError`, unless intake signed it for this deployment. */
export function openReview(
  { signatures }: VerifyContext,
  review: Signed<PlanReview> | undefined,
  deploymentId: string,
): Promise<Proven<PlanReview>> {
  return signatures.open('decision/review', review, { deploymentId });
}

/** Throws a `ForgedError`, unless intake signed it for this deployment. */
export function openOverride(
  { signatures }: VerifyContext,
  override: Signed<PolicyOverride> | undefined,
  deploymentId: string,
): Promise<Proven<PolicyOverride>> {
  return signatures.open('decision/override', override, { deploymentId });
}

/** Throws a `ForgedError`, unless intake signed it for the deployment that it names. */
export async function verifyPress(context: VerifyContext, press: Press): Promise<void> {
  const deploymentId = deploymentIn(press);
  if (isExtension(press)) await context.signatures.open('decision/extension', press, { deploymentId });
  else await openPress(context, press, deploymentId);
}

/** What came over the wire is not what the type promises. */
function deploymentIn({ body }: { readonly body?: { readonly deploymentId?: string } }): string {
  return body?.deploymentId ?? '';
}

/** The same for a press of any of the buttons. */
export function openPress(
  context: VerifyContext,
  press: AnsweringPress,
  deploymentId: string,
): Promise<Proven<PlanReview | PolicyOverride>> {
  return isReview(press) ? openReview(context, press, deploymentId) : openOverride(context, press, deploymentId);
}

/** Throws a `ForgedError`, unless each override that the deployment names is one of its plan, by the person whom it names. */
export async function verifyOverrides(context: VerifyContext, { id, progress }: Deployment): Promise<void> {
  const { overrides = [], plan } = progress;
  for (const override of overrides) {
    const { body } = await openOverride(context, override, id);
    if (body.digest !== plan?.made.body.digest)
      throw context.signatures.forged('decision/override', 'one of another plan', id);
  }
}

/** Throws a `ForgedError`, unless each approval that the deployment names is of its plan, and of another person than the others. */
export async function verifyApprovals(context: VerifyContext, { id, progress }: Deployment): Promise<void> {
  const { approvals = [], plan } = progress;
  const { signatures } = context;
  for (const approval of approvals) {
    const { body } = await openReview(context, approval, id);
    if (body.answer !== 'approved') throw signatures.forged('decision/review', 'one that rejects', id);
    if (body.digest !== plan?.made.body.digest) throw signatures.forged('decision/review', 'one of another plan', id);
  }
  if (newestOfEach(approvals.map(({ body }) => body)).length < approvals.length)
    throw signatures.forged('decision/review', "one person's twice", id);
}
