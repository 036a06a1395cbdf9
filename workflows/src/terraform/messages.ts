/** The messages that a deployment takes, and the questions that it answers. */
import { condition, defineQuery, defineSignal, setDefaultSignalHandler, setHandler, log } from '@temporalio/workflow';
import {
  MESSAGE,
  reviewAuditEvent,
  type Cancelling,
  type Notice,
  type PlanReview,
  type Progress,
  type ShowAgain,
} from '@nereid/contracts';
import { timestamp } from '../timestamp.ts';
import { isSigned, recordRefusal } from './activities.ts';
import { judgeReview } from './gate/gate.ts';
import { isReadable } from './readable.ts';
import { showAgain } from './show.ts';
import { inBackground, notify, type Run } from './run.ts';

const planReview = defineSignal<[PlanReview]>(MESSAGE.planReview);
const cancelling = defineSignal<[Cancelling]>(MESSAGE.cancelling);
const notice = defineSignal<[Notice]>(MESSAGE.notice);
const showAgainSignal = defineSignal<[ShowAgain]>(MESSAGE.showAgain);
const progress = defineQuery<Progress>(MESSAGE.progress);

export function receiveMessages(run: Run): void {
  setHandler(planReview, (message) => {
    if (isReadable(MESSAGE.planReview, message)) inBackground(run, 'a review', () => receiveReview(run, message));
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
  const { sentence } = verdict;
  notify(run, sentence, { kind: 'review', review: message });
  const refusal = { repository, deployment, review: message, sentence };
  inBackground(run, 'the audit of a review', () => recordRefusal(refusal));
}

/** Whether the message opens the gate. Who gives leave to apply verifies it; before that, nobody is told. */
function takesApproval(run: Run, message: PlanReview): boolean {
  if (message.answer !== 'approved' || run.gate === undefined || run.reviews.has(message.requestId)) return false;
  const verdict = judgeReview(run.gate, message, timestamp(), run.progress);
  if (verdict.kind === 'refused') return false;
  run.gate = { ...run.gate, answer: verdict.review };
  run.approval = message;
  return true;
}
