/** Tells the person who commanded `force-unlock` what came of it, and the audit trail. */
import { defined } from '@nereid/domain/defined';
import {
  forceUnlockWorkflowId,
  type ForceUnlockActivities,
  type ForceUnlocked,
  type ForceUnlockOrder,
  type ForceUnlockOutcome,
} from '@nereid/domain/deployment';
import { trailFact } from '@nereid/domain/events';
import { fullName, poolOf } from '@nereid/domain/root';
import type { Signed } from '@nereid/domain/signed';
import type { ForceUnlockAuditEvent } from '@nereid/domain/trail';
import type { Proven } from '@nereid/signature';
import type { OfForge, WorkerContext } from '../platform/context.ts';
import { withFailures } from '../platform/failures/failures.ts';
import { addReaction } from '../intake/comment/react-to-comment.ts';
import { freedText, notFreedText, unheardText } from './answer-text.ts';

type AnswerContext = OfForge<'comments'> & Pick<WorkerContext, 'signatures' | 'publish' | 'logger'>;

export function createForceUnlockActivities(context: AnswerContext): ForceUnlockActivities {
  return withFailures({
    answerForceUnlock: (order, outcome) => answerForceUnlock(context, order, outcome),
  } satisfies ForceUnlockActivities);
}

/** An order is for ten minutes, and the forge's clock may be behind that of intake. */
const ORDERED_BEFORE_MS = 20 * 60_000;

async function answerForceUnlock(
  context: AnswerContext,
  signed: Signed<ForceUnlockOrder>,
  outcome: ForceUnlockOutcome,
): Promise<string> {
  const { signatures, forge } = context;
  const order = await signatures.open('order/force-unlock', signed, {});
  const answer = { order, outcome: await openOutcome(context, order, outcome) };
  const { id, repository, root, pullRequest, requestedBy, unlocking } = order.body;
  const kind = kindOf(answer);
  await context.publish(trailFact(auditEventOf(answer)));
  if (pullRequest !== undefined) {
    // Anybody who reaches Temporal can have an answer written again: each is written once, and keeps no other from being written.
    const key = `${id}-${kind}`;
    const mayExistSince = new Date(Date.parse(unlocking.expiresAt) - ORDERED_BEFORE_MS);
    await forge.comments.create(repository, pullRequest, { body: textOf(answer), key, mayExistSince });
  }
  await addReaction(context, { repository, commentId: unlocking.commentId }, kind === 'freed' ? '+1' : '-1');
  return `${kind}: the lock ${unlocking.lockId} of ${root.name}, for @${requestedBy}`;
}

interface Answer {
  readonly order: Proven<ForceUnlockOrder>;
  /** Undefined when no host reported one. */
  readonly outcome: Proven<ForceUnlocked> | undefined;
}

async function openOutcome(
  { signatures }: AnswerContext,
  { body: { id, root }, signature }: Proven<ForceUnlockOrder>,
  outcome: ForceUnlockOutcome,
): Promise<Proven<ForceUnlocked> | undefined> {
  if (outcome === 'unheard') return undefined;
  const about = { pool: poolOf(root), forceUnlockId: id, order: signature };
  return signatures.open('result/force-unlocked', outcome, about);
}

function kindOf({ outcome }: Answer): 'freed' | 'failed' | 'unheard' {
  if (outcome === undefined) return 'unheard';
  return outcome.body.failure === undefined ? 'freed' : 'failed';
}

function textOf({ order, outcome }: Answer): string {
  const { root, unlocking, requestedBy } = order.body;
  const about = { rootName: root.name, lockId: unlocking.lockId, by: requestedBy };
  if (outcome === undefined) return unheardText(about);
  const { failure } = outcome.body;
  return failure === undefined ? freedText(about) : notFreedText(about, failure);
}

const STATES = { freed: 'SUCCESS', failed: 'FAILURE', unheard: 'UNKNOWN' } as const;

function auditEventOf(answer: Answer): ForceUnlockAuditEvent {
  const { id, repository, root, revision, unlocking, ...asked } = answer.order.body;
  const { requestId, requestedBy, requestedById, pullRequest } = asked;
  const state = STATES[kindOf(answer)];
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
    ...defined({ initiatingUserId: requestedById, pullRequest, sentence: answer.outcome?.body.failure?.summary }),
    workflowId: forceUnlockWorkflowId(requestId),
  };
}
