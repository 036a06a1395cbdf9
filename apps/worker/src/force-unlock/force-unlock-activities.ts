/** Tells the person who commanded `force-unlock` what came of it, and the audit trail. */
import {
  defined,
  forceUnlockFacts,
  forceUnlockOutcomeFacts,
  forceUnlockWorkflowId,
  fullName,
  poolOf,
  type ForceUnlockActivities,
  type ForceUnlockAuditEvent,
  type ForceUnlockOrder,
  type ForceUnlockOutcome,
} from '@nereid/contracts';
import { recordAudits } from '../platform/audit/record-audit.ts';
import type { OfForge, WorkerContext } from '../platform/context.ts';
import { withFailures } from '../platform/failures/failures.ts';
import { addReaction } from '../intake/comment/react-to-comment.ts';
import { freedText, notFreedText, unheardText } from './answer-text.ts';

type AnswerContext = OfForge<'comments'> & Pick<WorkerContext, 'signatures' | 'audit' | 'auditRequired' | 'logger'>;

export function createForceUnlockActivities(context: AnswerContext): ForceUnlockActivities {
  return withFailures({
    answerForceUnlock: (order, outcome) => answerForceUnlock(context, order, outcome),
  } satisfies ForceUnlockActivities);
}

/** An order is for ten minutes, and the forge's clock may be behind that of intake. */
const ORDERED_BEFORE_MS = 20 * 60_000;

async function answerForceUnlock(
  context: AnswerContext,
  order: ForceUnlockOrder,
  outcome: ForceUnlockOutcome,
): Promise<string> {
  const { signatures, forge } = context;
  await signatures.verify('force-unlock', forceUnlockFacts(order), order.signature);
  if (outcome.kind !== 'unheard') {
    const facts = forceUnlockOutcomeFacts(order, outcome);
    await signatures.verifyOfPool(poolOf(order.ordered.root), 'force-unlocked', facts, outcome.signature);
  }
  await recordAudits(context, [auditEventOf(order, outcome)]);
  const { repository, ordered, unlocking } = order;
  const body = textOf(order, outcome);
  if (ordered.pullRequest !== undefined) {
    // Whoever reaches Temporal can have an answer written again: each is written once, and keeps no other from being written.
    const key = `${ordered.id}-${outcome.kind}`;
    const mayExistSince = new Date(Date.parse(unlocking.expiresAt) - ORDERED_BEFORE_MS);
    await forge.comments.create(repository, ordered.pullRequest, { body, key, mayExistSince });
  }
  await addReaction(context, { repository, commentId: unlocking.commentId }, outcome.kind === 'freed' ? '+1' : '-1');
  return `${outcome.kind}: the lock ${unlocking.lockId} of ${ordered.root.name}, for @${ordered.requestedBy}`;
}

function textOf({ ordered, unlocking }: ForceUnlockOrder, outcome: ForceUnlockOutcome): string {
  const about = { rootName: ordered.root.name, lockId: unlocking.lockId, by: ordered.requestedBy };
  switch (outcome.kind) {
    case 'freed':
      return freedText(about);
    case 'failed':
      return notFreedText(about, outcome.failure);
    case 'unheard':
      return unheardText(about);
  }
}

const STATES = { freed: 'SUCCESS', failed: 'FAILURE', unheard: 'UNKNOWN' } as const;

function auditEventOf(
  { repository, ordered, unlocking }: ForceUnlockOrder,
  outcome: ForceUnlockOutcome,
): ForceUnlockAuditEvent {
  const { id, root, revision, requestId, requestedBy, requestedById, pullRequest } = ordered;
  const state = STATES[outcome.kind];
  return {
    version: 1,
    id: `${id}:${state}`,
    state,
    action: 'force_unlock',
    repository: fullName(repository),
    rootName: root.name,
    revision: revision.sha,
    lockId: unlocking.lockId,
    initiatingUser: requestedBy,
    ...defined({ initiatingUserId: requestedById, pullRequest }),
    ...(outcome.kind === 'failed' && { sentence: outcome.failure.summary }),
    workflowId: forceUnlockWorkflowId(requestId),
  };
}
