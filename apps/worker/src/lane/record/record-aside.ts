/**
 * What the audit trail hears of while a deployment goes on. Each comes late, or is tried again for as long as the trail is away, so
 * the deployment may have moved on: only what is signed counts, not what storage knows of it by now.
 */
import type { RefusedReview, Unapplied } from '@nereid/domain/deployment-actor';
import { trailFact } from '@nereid/domain/events';
import { reviewAuditEvent } from '@nereid/domain/trail';
import type { WorkerContext } from '../../platform/context.ts';
import { provenAudits, type ProofContext } from './proven-audits.ts';
import { openPress } from '../verify-decisions.ts';
import { openOrder, verifySignatures } from '../verify-orders.ts';

type Trail = Pick<WorkerContext, 'signatures' | 'publish'>;

/** As long as a notice on a check run. */
const SENTENCE_LIMIT = 500;

/** A press of Confirm, Reject or Override that changes nothing. */
export async function recordRefusal(
  context: Trail,
  { repository, deployment, review, sentence }: RefusedReview,
): Promise<void> {
  await openOrder(context, { repository, deployment });
  const { body } = await openPress(context, review, deployment.id);
  const refusal = sentence.slice(0, SENTENCE_LIMIT);
  await context.publish(trailFact(reviewAuditEvent(repository, deployment, body, refusal)));
}

export async function recordUnapplied(
  context: Trail & ProofContext,
  { repository, deployment, audits }: Unapplied,
): Promise<void> {
  await verifySignatures(context, { repository, deployment });
  await context.publish(...(await provenAudits(context, { repository, deployment }, audits)).map(trailFact));
}
