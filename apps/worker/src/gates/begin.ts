/** Gives permission to apply. What it is asked comes through Temporal, so nothing of it counts that nobody signed. */
import { hasOwnApplyIdentity, placeOf } from '@nereid/config';
import { defined } from '@nereid/domain/defined';
import { orderOf, type Deployment, type Go } from '@nereid/domain/deployment';
import { answerOf, type Beginning } from '@nereid/domain/deployment-actor';
import { trailFact } from '@nereid/domain/events';
import { isJobOf } from '@nereid/domain/host';
import type { BreakGlass, Plan, PlanReview } from '@nereid/domain/plan';
import { fullName, poolOf, type Repository } from '@nereid/domain/root';
import type { Signed } from '@nereid/domain/signed';
import { asksSeveral, gatesAt, isByHand, needsReview, standingOf, type GateAt } from '@nereid/domain/gates';
import type { WorkerContext } from '../platform/context.ts';
import { DeploymentEndedError } from '../platform/failures/deployment-ended.ts';
import { refuseExpired } from '../platform/failures/order-expired.ts';
import { provenAudits } from '../lane/record/proven-audits.ts';
import { openPlan } from '../lane/verify-orders.ts';
import { carriedBy, soakFacts } from '../rollout/waves/soak-facts.ts';
import { verifyDependencies } from '../rollout/verify-dependencies.ts';
import { changedBefore, wentBefore } from '../rollout/went-before.ts';
import { EXPIRED, isExpired, NOT_ALLOWED, ReviewOutdatedError } from '../lane/turn/review-outdated.ts';
import { requireOpenGate } from '../platform/failures/gate-closed.ts';
import { stopFacts, type StopContext } from '../root/stop-facts.ts';
import { beginMs, CLOCKS_MS, windowFacts } from '../root/window-facts.ts';
import { allowsReviewBefore, requirePolicy, verifyAge, verifyPolicy } from './verify-policy.ts';
import { openReview, verifyApprovals, verifyOverrides } from '../lane/verify-decisions.ts';
import { acquireLeases, returnPlanLeases, type AskedLeases, type LeaseContext } from '../lane/budgets/budget-leases.ts';
import { verifyPlanPolicies } from './verify-plan-policies.ts';
import { acquireTurn, type TurnContext } from '../lane/turn/turn.ts';

export type BeginContext = TurnContext &
  StopContext &
  LeaseContext &
  Pick<WorkerContext, 'rolloutRecords' | 'waveCheckRecords' | 'signatures' | 'server' | 'publish' | 'logger'>;

/** Longer than a message takes to a host; one that waited longer asks again. Half of it is for clocks that differ. */
const ACCEPT_MS = 60_000;

/** Longer than a host that took the job needs to restore the plan, to initialise the root and to get the token of its identity. */
const LIFE_MS = 10 * 60_000;

export async function begin(context: BeginContext, beginning: Beginning, signal?: AbortSignal): Promise<Signed<Go>> {
  const { repository, deployment, review, job, hostId, claim } = beginning;
  const { id, root } = deployment;
  const { signatures } = context;
  const order = await signatures.open('order/deploy', orderOf(repository, deployment), {});
  refuseExpired(order.body);
  if (!isJobOf(id, 'apply', job.id)) throw signatures.forged('go/apply', 'one for a job of another deployment', id);
  const { plan } = deployment.progress;
  if (plan === undefined) throw signatures.forged('result/plan', 'no plan', id);
  await openPlan(context, deployment, plan);
  await returnPlanLeases(context, { repository, deployment });
  // Whoever reaches Temporal can answer a claim, and name a host of their own.
  await signatures.open('claim/host', claim, { pool: poolOf(root), deploymentId: id, hostId });
  await verifyApproval(context, deployment, plan, review);
  if (plan.beforeMerge) verifyReviewedBefore(context, beginning);
  await verifyOverrides(context, deployment);
  // Neither is worth a wait at a gate.
  requirePolicy(context.server.current(), repository);
  await refuseEnded(context, beginning);
  const passed: Passed = { hasBegun: false };
  try {
    await passGates(context, beginning, { plan, passed }, signal);
    return await permit(context, beginning, plan, passed);
  } catch (error) {
    // A deployment that does not go on leaves them to others.
    await passed.leases?.giveBack();
    throw error;
  }
}

/** Once the audit trail has what it must hold before the apply begins. */
async function permit(
  context: BeginContext,
  beginning: Beginning,
  plan: Plan,
  { hasBegun, glass, leases }: Passed,
): Promise<Signed<Go>> {
  const { repository, deployment, review, job, hostId, audits } = beginning;
  const { id, root, order = '' } = deployment;
  const reviewed = withReview(deployment, review);
  const proven = await provenAudits(context, { repository, deployment: reviewed, job, hasBegun }, audits);
  await context.publish(...proven.map(trailFact));
  await passClocksAgain(context, beginning, plan);
  const isoIn = (ms: number) => new Date(Date.now() + ms).toISOString();
  // Its host goes by a clock of its own.
  const limitMs = Math.min(LIFE_MS, (leases?.until ?? Infinity) - CLOCKS_MS - Date.now());
  const beginsInMs = beginMs(context.server.current(), { repository, root, plan, ...defined({ glass }) }, limitMs);
  return context.signatures.enclose('go/apply', {
    ...{
      version: 1,
      deploymentId: id,
      jobId: job.id,
      hostId,
      digest: plan.made.body.digest,
      order,
      acceptBy: isoIn(Math.min(ACCEPT_MS, beginsInMs)),
      beginBy: isoIn(beginsInMs),
      expiresAt: isoIn(LIFE_MS),
    },
    ...defined({ review: review?.signature, glass }),
    ...(isEmpty(context, repository, deployment, plan) && { isEmpty: true }),
  });
}

/** What comes of the gates that all let a deployment pass. */
interface Passed {
  /** An apply of the deployment began before, in another job: then this one will not. */
  hasBegun: boolean;
  /** The word of the person who lets it pass stops and windows. */
  glass?: Signed<BreakGlass> | undefined;
  /** Of the budgets of its root. */
  leases?: AskedLeases;
}

/** Asks each gate at the door `apply`, by what is verified or stored. */
async function passGates(
  context: BeginContext,
  { repository, deployment, review, job }: Beginning,
  { plan, passed }: { readonly plan: Plan; readonly passed: Passed },
  signal: AbortSignal | undefined,
): Promise<void> {
  const { root, reviewed } = deployment;
  const server = context.server.current();
  const applied = { repository, root, plan, approvals: approvalsOf(deployment, review) };
  const asks: Readonly<Record<GateAt<'apply'>, () => Promise<void> | void>> = {
    stop: async () => {
      const facts = await stopFacts(context, repository, root, appliedBy(deployment, plan));
      passed.glass = facts.glass;
      requireOpenGate('stop', facts);
    },
    window: () => {
      const { glass } = passed;
      requireOpenGate('window', windowFacts(server, { repository, root, plan, door: 'apply', ...defined({ glass }) }));
    },
    soak: async () => {
      const carried = await carriedBy(context, repository, deployment);
      requireOpenGate('soak', await soakFacts(context, repository, { ...deployment, carried }, signal));
    },
    order: async () => {
      await verifyDependencies(context, repository, deployment, signal);
      const before = plan.beforeMerge ? await wentBefore(context, repository, deployment) : undefined;
      if (before !== undefined) throw new ReviewOutdatedError(changedBefore(before));
    },
    age: () => verifyAge(server, applied),
    policy: () => verifyPlanPolicies(server, { repository, deployment, plan }),
    review: () => verifyPolicy(server, applied),
    budget: async () => {
      // A plan without changes applies nothing.
      if (!plan.made.body.hasChanges) return;
      passed.leases = await acquireLeases(context, { repository, deployment }, 'apply');
      requireOpenGate('budget', passed.leases.facts);
    },
    turn: async () => {
      const isReviewed = review !== undefined || !plan.made.body.hasChanges;
      const lane = plan.beforeMerge ? reviewed?.review.body.lane : undefined;
      const asked = { repository, deployment, jobId: job.id, plan: plan.made.body, isReviewed, lane };
      passed.hasBegun = (await acquireTurn(context, asked, signal)).hasBegun;
    },
  };
  for (const gate of gatesAt('apply')) await asks[gate]();
}

async function refuseEnded(
  { deploymentRecords }: Pick<BeginContext, 'deploymentRecords'>,
  { repository, deployment: { id, root } }: Beginning,
): Promise<void> {
  const ended = await deploymentRecords.find(repository, root.name, id);
  if (ended !== undefined) throw new DeploymentEndedError(id);
}

/** The turn and the audit trail took their time. A deployment that has to wait after all is in the trail as started. */
async function passClocksAgain(
  context: BeginContext,
  { repository, deployment }: Beginning,
  plan: Plan,
): Promise<void> {
  const { root } = deployment;
  const stop = await stopFacts(context, repository, root, appliedBy(deployment, plan));
  requireOpenGate('stop', stop, { isRepeated: true });
  const { glass } = stop;
  const at = { repository, root, plan, door: 'apply', ...defined({ glass }) } as const;
  requireOpenGate('window', windowFacts(context.server.current(), at), { isRepeated: true });
}

/** A person who lets it pass stops and windows has named its plan. */
function appliedBy({ id: deploymentId }: Deployment, { made }: Plan): Pick<BreakGlass, 'deploymentId' | 'digest'> {
  return { deploymentId, digest: made.body.digest };
}

/**
 * Whether nothing is to run. A plan without changes takes no review, so code that nobody looked at would run with the identity of
 * the apply.
 */
function isEmpty({ server }: BeginContext, repository: Repository, { root }: Deployment, plan: Plan): boolean {
  return !plan.made.body.hasChanges && hasOwnApplyIdentity(server.current(), fullName(repository), placeOf(root));
}

/** With the review that a person signed, and the time of the press. Whoever reaches Temporal may say that there was another one. */
function withReview(deployment: Deployment, press: Signed<PlanReview> | undefined): Deployment {
  const { review: _said, plan, ...progress } = deployment.progress;
  const review = press && answerOf(press, press.body.at);
  const known = plan && { ...plan, reviewRequired: press !== undefined };
  return { ...deployment, progress: { ...progress, ...defined({ plan: known, review }) } };
}

/** Throws a `ForgedError`, unless a person approved this plan, or it takes no review. */
async function verifyApproval(
  context: BeginContext,
  deployment: Deployment,
  plan: Plan,
  signed: Signed<PlanReview> | undefined,
): Promise<void> {
  const { signatures } = context;
  const { id, root } = deployment;
  if (signed === undefined) {
    if (needsReview(plan.made.body, root, isByHand(deployment)))
      throw signatures.forged('decision/review', 'no review', id);
    return;
  }
  const { answer, digest } = (await openReview(context, signed, id)).body;
  if (answer !== 'approved') throw signatures.forged('decision/review', 'one that rejects', id);
  if (digest !== plan.made.body.digest) throw signatures.forged('decision/review', 'one of another plan', id);
  await verifyApprovals(context, deployment);
  // A review before the merge is one person's, and is refused where it takes several.
  if (plan.beforeMerge || !asksSeveral(root.review)) return;
  const { missing } = standingOf(root.review, approvalsOf(deployment, signed));
  if (missing > 0) throw signatures.forged('decision/review', `${missing} fewer than its root asks for`, id);
}

/** Of the plan. The last one is the review, too. */
function approvalsOf({ progress }: Deployment, review: Signed<PlanReview> | undefined): readonly PlanReview[] {
  const { approvals = [] } = progress;
  const others = approvals.filter(({ signature }) => signature !== review?.signature);
  return [...others, ...(review ? [review] : [])].map(({ body }) => body);
}

/** The review is the one that the order names, as it was found to hold. What may have changed since is judged again. */
function verifyReviewedBefore(
  { signatures, server }: Pick<BeginContext, 'signatures' | 'server'>,
  { repository, deployment, review }: Beginning,
): void {
  const { id, root } = deployment;
  const reviewed = deployment.reviewed?.review.body;
  const { digest, by, at } = review?.body ?? {};
  const isThat = digest === reviewed?.digest && by === reviewed?.by && at === reviewed?.at;
  if (review === undefined || reviewed === undefined || !isThat)
    throw signatures.forged('decision/review', 'another one than before the merge', id);
  if (isExpired(reviewed, Date.now())) throw new ReviewOutdatedError(EXPIRED);
  if (!allowsReviewBefore(server.current(), repository, root)) throw new ReviewOutdatedError(NOT_ALLOWED);
}
