/**
 * The people who are said to have cancelled a deployment, or to have lifted the lock of its lane. Control signed that they asked,
 * or nobody is named.
 */
import {
  cancelFacts,
  unlockFacts,
  type Cancellation,
  type Deployment,
  type Repository,
  type Unlocked,
} from '@nereid/contracts';
import { verifies, type WordsContext } from './verifies.ts';

const CANCELLED = /Cancelled by @([^\s.]+)/;

export async function withProvenCancellation(context: WordsContext, deployment: Deployment): Promise<Deployment> {
  const { cancellation, ...rest } = deployment;
  const { reason = '', ...progress } = deployment.progress;
  const named = CANCELLED.exec(reason)?.[1];
  if (cancellation === undefined && named === undefined) return deployment;
  const isSigned = cancellation !== undefined && (await isCancelledBy(context, deployment.id, cancellation));
  if (isSigned && (named === undefined || named === cancellation.by)) return deployment;
  if (cancellation === undefined || isSigned)
    context.signatures.forged('cancel', 'a person who did not ask for the end', deployment.id);
  const kept = reason.replace(CANCELLED, 'Cancelled');
  return { ...rest, progress: { ...progress, ...(kept !== '' && { reason: kept }) } };
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

/** With the time of the request, which is signed. Undefined when that person did not ask. */
export async function provenUnlock(
  context: WordsContext,
  repository: Repository,
  rootName: string,
  unlocked: Unlocked | undefined,
): Promise<Unlocked | undefined> {
  if (unlocked === undefined) return undefined;
  const { by, byId, proof } = unlocked;
  const who = { by, ...(byId !== undefined && { byId }) };
  const facts = unlockFacts(repository, rootName, { ...who, ...(proof && { askedAt: proof.askedAt }) });
  const isSigned = await verifies(context, 'unlock', facts, proof?.signature);
  return isSigned && proof ? { ...who, at: proof.askedAt, proof } : undefined;
}
