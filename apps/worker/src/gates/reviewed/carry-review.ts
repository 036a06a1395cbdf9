/**
 * Judges the answers to a plan that could not be used, once an equal one was made in its place. Both are plans of one order, and so of
 * the same revision, root and contributors. If they change the same, control says so by reviews of the new plan, which permission to
 * apply depends on like on any other.
 */
import { placeOf, policyFor, settingsFor } from '@nereid/config';
import { orderOf } from '@nereid/domain/deployment';
import type { Carrying } from '@nereid/domain/deployment-actor';
import { newestOfEach, strictestReview } from '@nereid/domain/gates';
import {
  leftStateOf,
  otherStateOf,
  type CarriedReview,
  type ConfirmedPlan,
  type MadePlan,
  type PlanReview,
} from '@nereid/domain/plan';
import { fullName, type Step } from '@nereid/domain/root';
import type { Signed } from '@nereid/domain/signed';
import { openReview } from '../../lane/verify-decisions.ts';
import { openPlan } from '../../lane/verify-orders.ts';
import { ApprovalExpiredError, refuseOldApproval } from '../../lane/turn/review-outdated.ts';
import type { WorkerContext } from '../../platform/context.ts';

type Context = Pick<WorkerContext, 'signatures' | 'server'>;

export async function carryReview(context: Context, carrying: Carrying): Promise<CarriedReview> {
  const { repository, deployment, plan, confirmed } = carrying;
  await context.signatures.open('order/deploy', orderOf(repository, deployment), {});
  const { body: made } = await openPlan(context, deployment, plan);
  const { body: earlier } = await openPlan(context, deployment, { made: confirmed.made, reviewRequired: true });
  const answers = await openAnswers(context, deployment.id, earlier, confirmed);
  const why = whyNotCarried(context, carrying, { made, earlier, answers });
  if (why !== undefined) return { kind: 'not-carried', why };
  return {
    kind: 'carried',
    approvals: await Promise.all(answers.map((answer) => carriedTo(context, made, answer))),
  };
}

/** Throws a `ForgedError`, unless each approves the earlier plan, and is of another person than the others. */
async function openAnswers(
  context: Context,
  id: string,
  earlier: MadePlan,
  { approvals }: ConfirmedPlan,
): Promise<readonly PlanReview[]> {
  const { signatures } = context;
  const answers = await Promise.all(approvals.map(async (one) => (await openReview(context, one, id)).body));
  const other = answers.find(({ answer, digest }) => answer !== 'approved' || digest !== earlier.digest);
  if (other !== undefined) throw signatures.forged('decision/review', 'one of another plan, or that rejects', id);
  if (newestOfEach(answers).length < answers.length)
    throw signatures.forged('decision/review', "one person's twice", id);
  return answers;
}

interface Compared {
  readonly made: MadePlan;
  readonly earlier: MadePlan;
  readonly answers: readonly PlanReview[];
}

/** For the log of Temporal: people see that they are asked again. */
function whyNotCarried(
  { server }: Context,
  { repository, deployment: { root } }: Carrying,
  { made, earlier, answers }: Compared,
): string | undefined {
  const policy = policyFor(server.current(), fullName(repository));
  const settings = policy && settingsFor(policy, placeOf(root));
  if (root.carryReview === undefined || settings?.carryReview !== 'same_plan')
    return "the server's file asks people about each plan";
  if ([...root.steps.plan, ...root.steps.apply].some(runsCommand)) return 'a step of the root runs a command';
  if (made.changes === undefined || made.changes !== earlier.changes) return 'the plan may change something else';
  if (otherStateOf(made, leftStateOf(earlier, false)) !== undefined) return 'the plan is of another state';
  if (made.doubt !== undefined) return 'the plan may be of something else than its people think';
  if (answers.length === 0) return 'nobody has confirmed the earlier plan';
  return whyTooOld(answers, strictestReview(root.review, settings.review)?.expiresMs);
}

function runsCommand(step: Step): boolean {
  return step.kind === 'run' || (step.kind === 'env' && 'run' in step);
}

/** Permission to apply would not be given for it. */
function whyTooOld(answers: readonly PlanReview[], expiresMs: number | undefined): string | undefined {
  try {
    for (const answer of answers) refuseOldApproval(answer, Date.now(), expiresMs);
    return undefined;
  } catch (error) {
    if (error instanceof ApprovalExpiredError) return error.message;
    throw error;
  }
}

/** As many characters as tell the plans of a deployment apart. */
const SHORT = 12;

/** With the time at which the person pressed, and the plan that the person saw: an answer that is carried twice gets no younger. */
function carriedTo({ signatures }: Context, { digest }: MadePlan, answer: PlanReview): Promise<Signed<PlanReview>> {
  const requestId = `${answer.requestId}:${digest.slice(0, SHORT)}`;
  const carriedFrom = answer.carriedFrom ?? answer.digest;
  return signatures.enclose('decision/review', { ...answer, requestId, digest, carriedFrom });
}
