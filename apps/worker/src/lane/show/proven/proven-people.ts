/**
 * The people who are said to have cancelled a deployment, or to have lifted the lock of its lane. Control signed that they asked,
 * or nobody is named.
 */
import { defined } from '@nereid/domain/defined';
import type { Cancellation, Deployment, Unlocked } from '@nereid/domain/deployment';
import { cancelFacts, unlockFacts } from '@nereid/domain/lane';
import type { Repository } from '@nereid/domain/root';
import { oneLine } from '@nereid/forge';
import { mentionsSomebody } from './mentions.ts';
import { verifies, type WordsContext } from './verifies.ts';

export async function withProvenCancellation(context: WordsContext, deployment: Deployment): Promise<Deployment> {
  const { cancellation, ...rest } = deployment;
  const isSigned = cancellation !== undefined && (await isCancelledBy(context, deployment.id, cancellation));
  const proven = isSigned ? deployment : rest;
  const { reason, ...progress } = deployment.progress;
  if (reason === undefined || namesOnlyProven(proven, reason)) return proven;
  if (cancellation === undefined || isSigned)
    context.signatures.forged('cancel', 'a person whom nothing proves to be a reason', deployment.id);
  return { ...proven, progress };
}

/** A reason may begin with what its cancellation says, or its order; nobody else is mentioned in it. */
function namesOnlyProven({ cancellation, reviewed }: Deployment, reason: string): boolean {
  const line = oneLine(reason);
  const cancelled = cancellation && `Cancelled by @${cancellation.by}`;
  if (line === cancelled) return true;
  const leads = [
    ...(cancelled === undefined ? [] : [`${cancelled}. `]),
    ...(reviewed ? [`@${reviewed.by} confirmed a plan of this before the merge, but `] : []),
  ];
  const lead = leads.find((each) => line.startsWith(each)) ?? '';
  return !mentionsSomebody(line.slice(lead.length));
}

async function isCancelledBy(context: WordsContext, id: string, cancellation: Cancellation): Promise<boolean> {
  return verifies(context, 'cancel', cancelFacts(id, cancellation), cancellation.signature);
}

export async function withProvenUnlock(
  context: WordsContext,
  repository: Repository,
  deployment: Deployment,
): Promise<Deployment> {
  const { unlocked, ...rest } = deployment;
  const proven = await provenUnlock(context, repository, deployment.root.name, unlocked);
  return { ...rest, ...(proven && { unlocked: proven }) };
}

/**
 * With the time of the request, which is signed. Undefined when that person did not ask. Before there were signatures, no unlock
 * had any: that is no forgery.
 */
export async function provenUnlock(
  context: WordsContext,
  repository: Repository,
  rootName: string,
  unlocked: Unlocked | undefined,
): Promise<Unlocked | undefined> {
  if (unlocked?.proof === undefined) return undefined;
  const { by, byId, proof } = unlocked;
  const { askedAt, signature } = proof;
  const who = { by, ...defined({ byId }) };
  const isSigned = await verifies(context, 'unlock', unlockFacts(repository, rootName, { ...who, askedAt }), signature);
  return isSigned ? { ...who, at: askedAt, proof } : undefined;
}
