/** The messages that a deployment takes, and the questions that it answers. */
import { defineQuery, defineSignal, setDefaultSignalHandler, setHandler, log } from '@temporalio/workflow';
import type { AskAgain, Cancel, Notice, Progress, ShowAgain } from '@nereid/domain/deployment';
import type { PlanReview, PolicyOverride, ReviewExtension } from '@nereid/domain/plan';
import type { Signed } from '@nereid/domain/signed';
import { MESSAGE } from '@nereid/domain/temporal-names';
import type { DeploymentActor, DeploymentEffect, DeploymentEvent } from '@nereid/domain/deployment-actor';
import type { Actor } from '../actor.ts';
import { isReadable } from './readable.ts';

const planReview = defineSignal<[Signed<PlanReview>]>(MESSAGE.planReview);
const policyOverride = defineSignal<[Signed<PolicyOverride>]>(MESSAGE.policyOverride);
const extend = defineSignal<[Signed<ReviewExtension>]>(MESSAGE.extend);
const cancelling = defineSignal<[Signed<Cancel>]>(MESSAGE.cancelling);
const notice = defineSignal<[Signed<Notice>]>(MESSAGE.notice);
const showAgain = defineSignal<[ShowAgain]>(MESSAGE.showAgain);
const askAgain = defineSignal<[AskAgain]>(MESSAGE.askAgain);
const progress = defineQuery<Progress>(MESSAGE.progress);

/** Registered before the first await, so that a message which came with the start finds its handler. */
export function receiveMessages(deployment: Actor<DeploymentActor, DeploymentEvent, DeploymentEffect>): void {
  const { emit } = deployment;
  setHandler(planReview, (press) => {
    if (isReadable(MESSAGE.planReview, press)) emit({ kind: 'press', press });
  });
  setHandler(policyOverride, (press) => {
    if (isReadable(MESSAGE.policyOverride, press)) emit({ kind: 'press', press });
  });
  setHandler(extend, (press) => {
    if (isReadable(MESSAGE.extend, press)) emit({ kind: 'press', press });
  });
  setHandler(cancelling, (message) => {
    if (isReadable(MESSAGE.cancelling, message)) emit({ kind: 'cancelling', message });
  });
  setHandler(notice, (message) => {
    if (isReadable(MESSAGE.notice, message)) emit({ kind: 'notice', message });
  });
  setHandler(showAgain, (message) => {
    if (isReadable(MESSAGE.showAgain, message)) emit({ kind: 'show-again', message });
  });
  setHandler(askAgain, () => {
    emit({ kind: 'ask-again' });
  });
  setDefaultSignalHandler((name) => {
    log.warn('a signal is not known here and was dropped', { signal: name });
  });
  setHandler(progress, () => deployment.state.progress, { description: 'how far the deployment is' });
}
