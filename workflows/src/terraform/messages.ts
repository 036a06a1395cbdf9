/** The messages that a deployment takes, and the questions that it answers. */
import { condition, defineQuery, defineSignal, setDefaultSignalHandler, setHandler, log } from '@temporalio/workflow';
import type { Cancelling, Notice, Progress, ShowAgain } from '@nereid/domain/deployment';
import type { PlanReview, PolicyOverride } from '@nereid/domain/plan';
import { MESSAGE } from '@nereid/domain/temporal-names';
import { reviewAuditEvent } from '@nereid/domain/trail';
import { timestamp } from '../timestamp.ts';
import { isSigned, recordRefusal } from './activities.ts';
import { judgeReview, whyNoOverride } from './gate/gate.ts';
import { isReadable } from './readable.ts';
import { showAgain } from './show.ts';
import { inBackground, note, notify, type Run } from './run.ts';

const planReview = defineSignal<[PlanReview]>(MESSAGE.planReview);
const policyOverride = defineSignal<[PolicyOverride]>(MESSAGE.policyOverride);
const cancelling = defineSignal<[Cancelling]>(MESSAGE.cancelling);
const notice = defineSignal<[Notice]>(MESSAGE.notice);
const showAgainSignal = defineSignal<[ShowAgain]>(MESSAGE.showAgain);
const progress = defineQuery<Progress>(MESSAGE.progress);

export function receiveMessages(run: Run): void {
  setHandler(planReview, (message) => {
    if (isReadable(MESSAGE.planReview, message)) inBackground(run, 'a review', () => receiveReview(run, message));
  });
  setHandler(policyOverride, (message) => {
    if (isReadable(MESSAGE.policyOverride, message))
      inBackground(run, 'an override', () => receiveOverride(run, message));
  });
  setHandler(cancelling, (message) => {
    if (!isReadable(MESSAGE.cancelling, message) || run.cancellation !== undefined) return;
    const { version: _of, by, ...proof } = message;
    run.cancellation = { by, at: timestamp(), ...proof };
    notify(run, `@${by} asked for the end of this deployment.`);
  });
  setHandler(notice, (message) => {
    if (!isReadable(MESSAGE.notice, message)) return;
    const { sentence, signature } = message;
    notify(run, sentence, signature === undefined ? undefined : { kind: 'signed', signature });
  });
  setHandler(showAgainSignal, (message) => {
    if (!isReadable(MESSAGE.showAgain, message)) return;
    run.unlocked = message.unlocked ?? run.unlocked;
    showAgain(run);
  });
  setDefaultSignalHandler((name) => {
    log.warn('a signal is not known here and was dropped', { signal: name });
  });
  setHandler(progress, () => run.progress, { description: 'how far the deployment is' });
}

/**
 * A review that nobody signed, or of another deployment, is dropped. The first valid answer counts. Any other answer is refused
 * on the check run and changes nothing. A review that is sent again is ignored. The verdict goes to the audit trail from here,
 * because nobody else knows it.
 */
async function receiveReview(run: Run, message: PlanReview): Promise<void> {
  if (message.deploymentId !== run.input.deployment.id || takesApproval(run, message)) return;
  if (run.reviews.has(message.requestId) || !(await isSigned(message))) return;
  // The answer that came first may turn out to be nobody's. Another one may be taken before this one goes on.
  while (run.gate?.answer !== undefined) await condition(() => run.gate?.answer === undefined);
  if (run.reviews.has(message.requestId) || takesApproval(run, message)) return;
  run.reviews.add(message.requestId);
  const { repository, deployment } = run.input;
  const verdict = judgeReview(run.gate, message, timestamp(), run.progress);
  if (verdict.kind === 'taken' && run.gate !== undefined) {
    run.gate = { ...run.gate, answer: verdict.review };
    run.audits.push(reviewAuditEvent(repository, deployment, message));
    return;
  }
  if (verdict.kind !== 'refused') return;
  refuse(run, message, verdict.sentence);
}

/** Says it on the check run, and to the audit trail. */
function refuse(run: Run, review: PlanReview | PolicyOverride, sentence: string): void {
  const { repository, deployment } = run.input;
  notify(run, sentence, { kind: 'review', review });
  inBackground(run, 'the audit of a review', () => recordRefusal({ repository, deployment, review, sentence }));
}

/** One that nobody signed, or of another deployment, is dropped. Who gives permission to apply verifies it once more. */
async function receiveOverride(run: Run, message: PolicyOverride): Promise<void> {
  if (message.deploymentId !== run.input.deployment.id || run.reviews.has(message.requestId)) return;
  if (!(await isSigned(message)) || run.reviews.has(message.requestId)) return;
  run.reviews.add(message.requestId);
  const why = whyNoOverride(run.gate, message, run.progress);
  if (why !== undefined) {
    refuse(run, message, why);
    return;
  }
  const { repository, deployment } = run.input;
  note(run, { ...run.progress, overrides: [...(run.progress.overrides ?? []), message] });
  run.audits.push(reviewAuditEvent(repository, deployment, message));
}

/** Whether the message opens the gate. Who gives permission to apply verifies it; before that, nobody is told. */
function takesApproval(run: Run, message: PlanReview): boolean {
  if (message.answer !== 'approved' || run.gate === undefined || run.reviews.has(message.requestId)) return false;
  const verdict = judgeReview(run.gate, message, timestamp(), run.progress);
  if (verdict.kind === 'refused') return false;
  run.gate = { ...run.gate, answer: verdict.review };
  run.approval = message;
  return true;
}
