/**
 * The wait for a person between plan and apply.
 *
 * A review counts only while a person is asked, and only for the plan that was shown: it names that plan's digest. The first
 * valid answer wins. Only an answer that is exactly `approved` approves. While a gate keeps a confirmed plan from its apply, it can
 * still be rejected.
 */
import { ACTIONS } from '../../actions/actions.ts';
import { reviewAction } from '../../deployment/check-run.ts';
import type { Progress } from '../../deployment/progress.ts';
import { hasEnded } from '../../deployment/status.ts';
import type { PolicyOverride } from '../../plan/policy.ts';
import type { PlanReview, Review } from '../../plan/review.ts';
import { namePolicies, objectingPolicies } from '../../gates/objecting-policies.ts';
import { isSamePerson } from '../../gates/reviews/standing.ts';
import type { Signed } from '../../signed.ts';
import type { Reviewing } from '../actor.ts';
import { answerOf } from '../press.ts';

export type ReviewVerdict =
  { readonly kind: 'taken'; readonly review: Review } | { readonly kind: 'refused'; readonly sentence: string };

export function judgeReview(
  reviewing: Pick<Reviewing, 'digest' | 'answer'>,
  press: Signed<PlanReview>,
  at: string,
  progress: Pick<Progress, 'status' | 'review' | 'plan' | 'approvals' | 'overrides'>,
): ReviewVerdict {
  const message = press.body;
  const refused = (why: string): ReviewVerdict => ({
    kind: 'refused',
    sentence: `@${message.by} pressed ${ACTIONS[reviewAction(message.answer)].label}: ${why}`,
  });

  const { review, plan } = progress;
  if (progress.status === 'blocked' && message.answer === 'rejected')
    return message.digest === plan?.made.body.digest
      ? { kind: 'taken', review: answerOf(press, at) }
      : refused(OF_ANOTHER_PLAN);
  if (review !== undefined) return refused(`@${review.by} ${ANSWERED[review.answer]} this plan already.`);
  if (reviewing.answer !== undefined) return refused('another answer came first, and is being checked.');
  if (reviewing.digest === undefined) return refused(hasEnded(progress.status) ? HAS_ENDED : NO_PLAN);
  if (message.digest !== reviewing.digest) return refused(OF_ANOTHER_PLAN);
  if (!isAnswer(message.answer)) return refused('the answer was neither approved nor rejected.');
  const objecting = objectingIn(progress);
  if (message.answer === 'approved' && objecting.length > 0)
    return refused(`${namePolicies(objecting)} denies this plan. An owner has to override that first.`);
  if (message.answer === 'approved' && isRepeated(message, progress.approvals))
    return refused(
      'an earlier Confirm by the same person already counts. Somebody else has to confirm this plan, too.',
    );
  return { kind: 'taken', review: answerOf(press, at) };
}

/** Of several people, each counts by the forge's id: one person may have had two logins. */
export function whyNotCounted({ by }: PlanReview): string {
  return `@${by} pressed ${ACTIONS.confirm.label}: several people have to confirm this plan, and nobody knows which account that is. Press it again.`;
}

/** Of a person who is in other teams by now, the newest counts. */
function isRepeated(message: PlanReview, approvals: Progress['approvals'] = []): boolean {
  const own = approvals.find(({ body }) => isSamePerson(body, message));
  return own !== undefined && String(own.body.teams) === String(message.teams);
}

/** Undefined when the override counts: it is of the plan that is shown, and of a policy that still denies it. */
export function whyNoOverride(
  reviewing: Pick<Reviewing, 'digest'>,
  { body: message }: Signed<PolicyOverride>,
  progress: Progress,
): string | undefined {
  const refused = (why: string) => `@${message.by} pressed ${ACTIONS.override.label}: ${why}`;
  if (reviewing.digest === undefined) return refused(hasEnded(progress.status) ? HAS_ENDED : NO_PLAN);
  if (message.digest !== reviewing.digest) return refused('that was for another plan. Look at the plan shown here.');
  const objecting = objectingIn(progress);
  if (objecting.some((name) => message.policies.includes(name))) return undefined;
  return refused('somebody has overridden that already.');
}

/** The names of the policies that keep the plan from its apply. */
function objectingIn({ plan, overrides }: Pick<Progress, 'plan' | 'overrides'>): readonly string[] {
  return plan === undefined ? [] : objectingPolicies(plan.made.body, overrides).map(({ name }) => name);
}

const OF_ANOTHER_PLAN = 'that was for another plan. Review the plan shown here.';

const ANSWERED = { approved: 'confirmed', rejected: 'rejected' } as const;

const HAS_ENDED = 'this deployment has ended.';

const NO_PLAN = 'no plan is shown at this moment. Wait for the next one.';

/** Messages come over the wire; their type is a promise, not a fact. */
function isAnswer(answer: string): boolean {
  return answer === 'approved' || answer === 'rejected';
}
