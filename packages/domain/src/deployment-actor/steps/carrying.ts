/**
 * A plan that could not be used was confirmed, and the one that was made in its place changes the same. Where the root permits that,
 * control says whether the answers count for it; in any other case, people are asked again.
 */
import type { CarriedReview, ConfirmedPlan } from '../../plan/carried-review.ts';
import { doubtsOf } from '../../plan/doubts.ts';
import type { Plan } from '../../plan/model.ts';
import { asksSeveral } from '../../gates/reviews/standing.ts';
import { isoOf, type DeploymentActor } from '../actor.ts';
import { goTo, note } from '../changes.ts';
import { answerOf } from '../press.ts';

/** The answers that may count for the next plan; undefined where nobody has confirmed the present one, or the root asks about each. */
export function confirmedPlan({ input, progress, reviewing }: DeploymentActor): ConfirmedPlan | undefined {
  const { plan } = progress;
  const { carryReview } = input.deployment.root;
  if (carryReview === undefined || plan === undefined || plan.beforeMerge) return undefined;
  const { approval } = reviewing;
  const answers = progress.approvals ?? (approval ? [approval] : []);
  return approval === undefined ? undefined : { made: plan.made, approvals: answers };
}

/** Whether it is worth asking control. */
export function mayCarry({ reviewing: { confirmed } }: DeploymentActor, plan: Plan): boolean {
  const { changes } = plan.made.body;
  return doubtsOf(plan).length === 0 && changes !== undefined && confirmed?.made.body.changes === changes;
}

/** Undefined when people are asked again. */
export function carryReview(
  actor: DeploymentActor,
  plan: Plan,
  answer: CarriedReview,
  now: number,
): DeploymentActor | undefined {
  if (answer.kind === 'not-carried') return undefined;
  const { approvals } = answer;
  const approval = approvals.at(-1);
  if (approval === undefined) return undefined;
  const isOfSeveral = asksSeveral(actor.input.deployment.root.review);
  const known = note(actor, { plan, ...(isOfSeveral && { approvals }) });
  const reviewing = { ...known.reviewing, digest: undefined, answer: answerOf(approval, isoOf(now)), approval };
  return goTo({ ...known, reviewing }, { kind: 'permission', plan });
}
