/**
 * The presses of people, decided in the order in which they came. One that nobody signed, or of another deployment, is dropped. The
 * first valid answer counts. Any other answer is refused on the check run and changes nothing. A press that is sent again is
 * ignored. The verdict goes to the audit trail from here, because nobody else knows it.
 */
import type { PolicyOverride } from '../../plan/policy.ts';
import type { PlanReview, Review } from '../../plan/review.ts';
import type { ReviewRules } from '../../root/model.ts';
import type { Signed } from '../../signed.ts';
import { asksSeveral, standingOf } from '../../gates/reviews/standing.ts';
import { reviewAuditEvent } from '../../trail/action-audit.ts';
import { isoOf, type DeploymentActor, type Reviewing, type Undecided } from '../actor.ts';
import { note, notify, withAudits, writeAudits } from '../changes.ts';
import { extendReview } from './extend.ts';
import { judgeReview, whyNoOverride, whyNotCounted } from './judge-press.ts';
import { OWN_NOTICES } from '../../deployment/notice.ts';
import { isForged, type EffectFailure } from '../events.ts';
import { isAbout, isApproval, isExtension, isReview, requestIdOf, type AnsweringPress, type Press } from '../press.ts';

export function receivePress(actor: DeploymentActor, press: Press, now: number): DeploymentActor {
  if (!isAbout(press, actor.input.deployment.id)) return actor;
  const opened = openWith(actor, press, now);
  if (opened !== undefined) return opened;
  if (isKnown(actor, press)) return actor;
  return withUndecided(actor, [...actor.reviewing.undecided, { press, proof: 'not asked' }]);
}

/** Anybody who reaches Temporal can send thousands. */
const ASKED_AT_ONCE = 20;

/** Whether intake signed a press is asked once. */
export function nextUnproven({ reviewing: { undecided } }: DeploymentActor): Press | undefined {
  const asked = undecided.filter(({ proof }) => proof === 'asked').length;
  return asked < ASKED_AT_ONCE ? undecided.find(({ proof }) => proof === 'not asked')?.press : undefined;
}

export function withProof(actor: DeploymentActor, press: Press, proof: Undecided['proof']): DeploymentActor {
  return withUndecided(
    actor,
    actor.reviewing.undecided.map((one) => (one.press === press ? { press, proof } : one)),
  );
}

function dropPress(actor: DeploymentActor, press: Press): DeploymentActor {
  return withUndecided(
    actor,
    actor.reviewing.undecided.filter((one) => one.press !== press),
  );
}

/** A Confirm that nobody could check has to be pressed again; one that nobody signed was nobody's. */
export function failProof(actor: DeploymentActor, press: Press, failure: EffectFailure, now: number): DeploymentActor {
  const dropped = dropPress(actor, press);
  if (!isApproval(press) || isForged(failure) || dropped.reviewing.digest === undefined) return dropped;
  return notify(dropped, { sentence: OWN_NOTICES.confirmUnchecked }, now);
}

/** Decides the signed presses. A review waits for the answer before it, which may turn out to be nobody's. */
export function decidePresses(actor: DeploymentActor, now: number): DeploymentActor {
  let decided = actor;
  for (;;) {
    const press = isAboutToAsk(decided) || isAskingToApply(decided) ? undefined : nextSigned(decided.reviewing);
    if (press === undefined) return decided;
    const dropped = dropPress(decided, press);
    decided = isKnown(dropped, press) ? dropped : decidePress(dropped, press, now);
  }
}

/** The forge may show the question before the workflow knows that it does. */
function isAboutToAsk({ step }: DeploymentActor): boolean {
  const isCompared = step.kind === 'verify-plan' || step.kind === 'carry-review';
  return isCompared || (step.kind === 'to' && step.place.kind === 'review');
}

/** The plan may be applied in a moment, or wait at a gate, where it can be rejected. */
function isAskingToApply({ step, progress }: DeploymentActor): boolean {
  return step.kind === 'permission' || (progress.status === 'blocked' && step.kind !== 'gate');
}

/** Whether a person has rejected the plan that waits at a gate, or somebody says so: that is decided once no gate is being asked. */
export function mayBeRejected({ progress, reviewing }: DeploymentActor): boolean {
  const digest = progress.plan?.made.body.digest;
  const isRejection = (press: Press) =>
    isReview(press) && press.body.answer === 'rejected' && press.body.digest === digest;
  return progress.status === 'blocked' && reviewing.undecided.some(({ press }) => isRejection(press));
}

/** Whoever rejects the confirmed plan while it is made again came too late for that one, and is asked about the next, however equal. */
function withObjection(actor: DeploymentActor, review: Signed<PlanReview>): DeploymentActor {
  if (!rejectsConfirmed(actor, review)) return actor;
  return { ...actor, reviewing: { ...actor.reviewing, confirmed: undefined } };
}

/** Whether somebody objects so, or says so: that is decided once people are asked. */
export function isConfirmedRejected(actor: DeploymentActor): boolean {
  return actor.reviewing.undecided.some(({ press }) => rejectsConfirmed(actor, press));
}

function rejectsConfirmed({ reviewing: { confirmed } }: DeploymentActor, press: Press): boolean {
  if (confirmed === undefined || !isReview(press)) return false;
  return press.body.answer === 'rejected' && press.body.digest === confirmed.made.body.digest;
}

function nextSigned({ undecided, answer }: Reviewing): Press | undefined {
  return undecided.find(({ press, proof }) => proof === 'signed' && (!isReview(press) || answer === undefined))?.press;
}

function decidePress(actor: DeploymentActor, press: Press, now: number): DeploymentActor {
  const opened = openWith(actor, press, now);
  if (opened !== undefined) return opened;
  const reviewing = { ...actor.reviewing, known: [...actor.reviewing.known, requestIdOf(press)] };
  const known = { ...actor, reviewing };
  if (isReview(press)) return decideReview(known, press, now);
  return isExtension(press) ? extendReview(known, press) : decideOverride(known, press, now);
}

function decideReview(actor: DeploymentActor, review: Signed<PlanReview>, now: number): DeploymentActor {
  const { repository, deployment } = actor.input;
  const verdict = judgeReview(actor.reviewing, review, isoOf(now), actor.progress);
  if (verdict.kind === 'refused') return refuse(withObjection(actor, review), review, verdict.sentence, now);
  const event = reviewAuditEvent(repository, deployment, review.body);
  const { review: people } = deployment.root;
  const isOfSeveral = verdict.review.answer === 'approved' && asksSeveral(people);
  if (isOfSeveral && review.body.byId === undefined) return refuse(actor, review, whyNotCounted(review.body), now);
  if (isOfSeveral) return withAudits(approve(actor, review, verdict.review, people), [event]);
  return withAudits({ ...actor, reviewing: { ...actor.reviewing, answer: verdict.review } }, [event]);
}

/** Where several people have to confirm the plan: the last of them answers it. */
function approve(
  actor: DeploymentActor,
  press: Signed<PlanReview>,
  answer: Review,
  people: ReviewRules,
): DeploymentActor {
  const answers = [...(actor.progress.approvals ?? []), press];
  const { confirmed, missing } = standingOf(
    people,
    answers.map(({ body }) => body),
  );
  const approvals = answers.filter(({ body }) => confirmed.includes(body));
  // The event of an answer is proven by the answer, so it is written before another one takes its place.
  const noted = note(approvals.length < answers.length ? writeAudits(actor) : actor, { approvals });
  return missing > 0 ? noted : { ...noted, reviewing: { ...noted.reviewing, answer, approval: press } };
}

/** Who gives permission to apply verifies it once more. */
function decideOverride(actor: DeploymentActor, override: Signed<PolicyOverride>, now: number): DeploymentActor {
  const { repository, deployment } = actor.input;
  const why = whyNoOverride(actor.reviewing, override, actor.progress);
  if (why !== undefined) return refuse(actor, override, why, now);
  const noted = note(actor, { overrides: [...(actor.progress.overrides ?? []), override] });
  return withAudits(noted, [reviewAuditEvent(repository, deployment, override.body)]);
}

/** Says it on the check run, and to the audit trail. */
function refuse(actor: DeploymentActor, review: AnsweringPress, sentence: string, now: number): DeploymentActor {
  const { repository, deployment } = actor.input;
  const said = notify(actor, { sentence, proof: { kind: 'review', review } }, now);
  const refusals = [...said.trail.refusals, { repository, deployment, review, sentence }];
  return { ...said, trail: { ...said.trail, refusals } };
}

/**
 * An approval ends the wait unverified: who gives permission to apply verifies it; before that, nobody is told. Where several people have
 * to confirm, each is told of the others, so each answer is verified.
 */
function openWith(actor: DeploymentActor, press: Press, now: number): DeploymentActor | undefined {
  const { reviewing, progress, input } = actor;
  if (asksSeveral(input.deployment.root.review)) return undefined;
  if (!isApproval(press) || reviewing.digest === undefined || isKnown(actor, press)) return undefined;
  const verdict = judgeReview(reviewing, press, isoOf(now), progress);
  if (verdict.kind === 'refused') return undefined;
  return { ...actor, reviewing: { ...reviewing, answer: verdict.review, approval: press } };
}

function isKnown({ reviewing }: DeploymentActor, press: Press): boolean {
  return reviewing.known.includes(requestIdOf(press));
}

function withUndecided(actor: DeploymentActor, undecided: Reviewing['undecided']): DeploymentActor {
  return { ...actor, reviewing: { ...actor.reviewing, undecided } };
}
