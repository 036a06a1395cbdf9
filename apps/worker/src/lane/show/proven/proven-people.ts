/**
 * The people who are said to have cancelled a deployment, or to have lifted the lock of its lane. Control signed that they asked,
 * or nobody is named.
 */
import type { Deployment, Unlock } from '@nereid/domain/deployment';
import type { Repository } from '@nereid/domain/root';
import type { Signed } from '@nereid/domain/signed';
import { oneLine } from '@nereid/forge';
import type { Proven } from '@nereid/signature';
import { mentionsSomebody } from './mentions.ts';
import type { WorkerContext } from '../../../platform/context.ts';

export type WordsContext = Pick<WorkerContext, 'signatures'>;

export async function withProvenCancellation(context: WordsContext, deployment: Deployment): Promise<Deployment> {
  const { cancellation, ...rest } = deployment;
  const about = { deploymentId: deployment.id };
  const asked = cancellation && (await context.signatures.openIfGenuine('decision/cancel', cancellation, about));
  const proven = { ...rest, ...(asked && { cancellation: asked.signed }) };
  const { reason, ...progress } = deployment.progress;
  if (reason === undefined || namesOnlyProven(proven, reason)) return proven;
  if (cancellation === undefined || asked !== undefined)
    context.signatures.forged('decision/cancel', 'a person without proof of being a reason', deployment.id);
  return { ...proven, progress };
}

/** A reason may begin with what its cancellation says, or its order; nobody else is mentioned in it. */
function namesOnlyProven({ cancellation, reviewed }: Deployment, reason: string): boolean {
  const line = oneLine(reason);
  const cancelled = cancellation && `Cancelled by @${cancellation.body.by}`;
  if (line === cancelled) return true;
  const leads = [
    ...(cancelled === undefined ? [] : [`${cancelled}. `]),
    ...(reviewed ? [`@${reviewed.review.body.by} confirmed a plan of this before the merge, but `] : []),
  ];
  const lead = leads.find((each) => line.startsWith(each)) ?? '';
  return !mentionsSomebody(line.slice(lead.length));
}

export async function withProvenUnlock(
  context: WordsContext,
  repository: Repository,
  deployment: Deployment,
): Promise<Deployment> {
  const { unlocked, ...rest } = deployment;
  const proven = await provenUnlock(context, repository, deployment.root.name, unlocked);
  return { ...rest, ...(proven && { unlocked: proven.signed }) };
}

/** The person who is said to have let it pass stops and windows. */
export async function withProvenGlass(
  { signatures }: WordsContext,
  repository: Repository,
  deployment: Deployment,
): Promise<Deployment> {
  const { glass, ...progress } = deployment.progress;
  if (glass === undefined) return deployment;
  const isOfPlan = glass.body.digest === progress.plan?.made.body.digest;
  const about = { repository, deploymentId: deployment.id };
  const proven = await signatures.openIfGenuine('decision/break-glass', glass, about);
  return { ...deployment, progress: { ...progress, ...(proven && isOfPlan && { glass: proven.signed }) } };
}

/** Undefined when nobody unlocked this lane so. */
export async function provenUnlock(
  { signatures }: WordsContext,
  repository: Repository,
  rootName: string,
  unlocked: Signed<Unlock> | undefined,
): Promise<Proven<Unlock> | undefined> {
  return unlocked && signatures.openIfGenuine('decision/unlock', unlocked, { repository, rootName });
}
