/** The answer to `GET /api/v1/deployments/:id`. The schema lists the fields, so that a new one is not answered by accident. */
import { DeploymentDetail } from '@nereid/api';
import { wayInWords, type Progress } from '@nereid/domain/deployment';
import { describeLock } from '@nereid/domain/lane';
import type { Signed } from '@nereid/domain/signed';
import type { DeploymentView } from './deployment-view.ts';

export function deploymentDetailOf({
  lock,
  unlocked,
  deployment,
  progress,
  revert,
  ...view
}: DeploymentView): DeploymentDetail {
  const { cancellation, ...asked } = deployment;
  return DeploymentDetail.parse({
    ...view,
    progress: progressDetailOf(progress),
    deployment: { ...asked, ...(cancellation && { cancellation: askedBy(cancellation) }) },
    ...(lock && { lock: { ...lock, sentence: describeLock(lock) } }),
    ...(unlocked && { unlocked: askedBy(unlocked) }),
    ...(revert && { revert: { ...revert, way: wayInWords(revert.way) } }),
  });
}

/** The content of its envelopes, without the envelopes. */
export function progressDetailOf({
  plan,
  approvals,
  overrides,
  glass,
  failure,
  waitsFor,
  ...progress
}: Progress): object {
  return {
    ...progress,
    ...(waitsFor && { waitsFor: typeof waitsFor === 'object' ? waitsFor.gate : waitsFor }),
    ...(plan && { plan: { ...plan, ...plan.made.body } }),
    ...(approvals && { approvals: approvals.map(({ body }) => body) }),
    ...(overrides && { overrides: overrides.map(({ body }) => body) }),
    ...(glass && { glass: glass.body }),
    ...(failure && { failure: failure.body }),
  };
}

/** Who asked for something, and when. */
function askedBy({ body: { by, askedAt: at } }: Signed<{ readonly by: string; readonly askedAt: string }>) {
  return { by, at };
}
