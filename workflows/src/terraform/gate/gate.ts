/**
 * The wait for a person between plan and apply.
 *
 * A review counts only while the gate is open, and only for the plan that was shown: it names that plan's digest, or the
 * first 12 hex digits of it as a button carries them. The first valid answer wins. Only an answer that is exactly `approved`
 * approves.
 */
import { hasEnded, reviewButton, type PlanReview, type Progress, type Review } from '@nereid/contracts';
import { namesPlan } from '@nereid/lane';

export interface Gate {
  readonly digest: string;
  /** An approval counts once control has given leave to apply; until then, nobody knows whether intake signed it. */
  readonly answer?: Review;
}

export type ReviewVerdict =
  { readonly kind: 'taken'; readonly review: Review } | { readonly kind: 'refused'; readonly sentence: string };

export function judgeReview(
  gate: Gate | undefined,
  message: PlanReview,
  at: string,
  progress: Pick<Progress, 'status' | 'review'>,
): ReviewVerdict {
  const refused = (why: string): ReviewVerdict => ({
    kind: 'refused',
    sentence: `@${message.by} pressed ${reviewButton(message.answer).label}: ${why}`,
  });

  const { review } = progress;
  if (review !== undefined) return refused(`@${review.by} ${ANSWERED[review.answer]} this plan already.`);
  if (gate?.answer !== undefined) return refused('another answer came first, and is being checked.');
  if (gate === undefined) return refused(hasEnded(progress.status) ? HAS_ENDED : NO_PLAN);
  if (!namesPlan(message, gate)) {
    return refused('that was for another plan. Review the plan shown here.');
  }
  if (!isAnswer(message.answer)) return refused('the answer was neither approved nor rejected.');
  const { answer, by, byId, requestId, digest, at: pressedAt, signature } = message;
  const press = signature === undefined ? {} : { press: { requestId, digest, at: pressedAt, signature } };
  return { kind: 'taken', review: { answer, by, ...(byId !== undefined && { byId }), at, ...press } };
}

const ANSWERED = { approved: 'confirmed', rejected: 'rejected' } as const;

const HAS_ENDED = 'this deployment has ended.';

const NO_PLAN = 'no plan is shown at this moment. Wait for the next one.';

/** Messages come over the wire; their type is a promise, not a fact. */
function isAnswer(answer: string): boolean {
  return answer === 'approved' || answer === 'rejected';
}
