/**
 * Who is said to have cancelled a deployment, and the sentences at the top of its check run, come through Temporal. What names a
 * person is shown only if that person is known to have asked: by a signature of control, or by an answer that intake signed.
 * What nobody proves is left out and counts as forged; the rest is shown.
 */
import {
  cancelFacts,
  noticeFacts,
  overrideFacts,
  reviewFacts,
  type Cancellation,
  type Deployment,
  type DeploymentRecord,
  type Ending,
  type NoticeProof,
  type PlanReview,
  type PolicyOverride,
  type Presentation,
} from '@nereid/contracts';
import { ForgedError } from '@nereid/signature';
import type { WorkerContext } from '../../context.ts';
import type { OwnKind } from '../../signatures.ts';

type WordsContext = Pick<WorkerContext, 'signatures'>;

export async function withProvenWords(context: WordsContext, presentation: Presentation): Promise<Presentation> {
  const { notice, noticeProof, ...rest } = presentation;
  const deployment = await withProvenCancellation(context, presentation.deployment);
  const isKept = notice === undefined || (await isProven(context, deployment, notice, noticeProof));
  return { ...rest, deployment, ...(notice !== undefined && isKept && { notice }) };
}

/** The same for an end that is also stored. */
export async function withProvenEnding(context: WordsContext, ending: Ending): Promise<Ending> {
  const { show, record } = ending;
  const { deployment, ...shown } = await withProvenWords(context, { ...show, deployment: record.deployment });
  return { ...ending, record: { ...record, deployment }, ...(show && { show: shown }) };
}

export async function withProvenRecord(context: WordsContext, record: DeploymentRecord): Promise<DeploymentRecord> {
  return { ...record, deployment: await withProvenCancellation(context, record.deployment) };
}

const CANCELLED = /Cancelled by @([^\s.]+)/;

async function withProvenCancellation(context: WordsContext, deployment: Deployment): Promise<Deployment> {
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

/** A mention of a person. Addresses have something else before their `@`. */
const MENTION = /(?:^|[\s(>"'])@[a-z\d]/i;

/** The cancellation of the deployment is verified. */
async function isProven(
  context: WordsContext,
  { id, cancellation }: Deployment,
  notice: string,
  proof: NoticeProof | undefined,
): Promise<boolean> {
  if (proof?.kind === 'signed') return verifies(context, 'notice', noticeFacts(id, notice), proof.signature);
  if (proof?.kind === 'review' && proof.review.deploymentId === id && notice.startsWith(`@${proof.review.by} pressed `))
    return isPressed(context, proof.review);
  if (!MENTION.test(notice)) return true;
  if (cancellation !== undefined && notice === `@${cancellation.by} asked for the end of this deployment.`) return true;
  context.signatures.forged('notice', 'a sentence about a person that nobody signed', id);
  return false;
}

async function isPressed(context: WordsContext, review: PlanReview | PolicyOverride): Promise<boolean> {
  return 'answer' in review
    ? verifies(context, 'review', reviewFacts(review), review.signature)
    : verifies(context, 'override', overrideFacts(review), review.signature);
}

/** What does not verify has been counted. */
async function verifies(
  { signatures }: WordsContext,
  kind: OwnKind,
  facts: object,
  signature: string | undefined,
): Promise<boolean> {
  try {
    await signatures.verify(kind, facts, signature);
    return true;
  } catch (error) {
    if (error instanceof ForgedError) return false;
    throw error;
  }
}
