/** Somebody asked for something in the console. The same rules as for the buttons on GitHub, and the same words. */
import { policyFor } from '@nereid/config';
import { fullName, type IntakeResult, type RequestEvent } from '@nereid/contracts';
import type { IntakeCall } from '../intake-call.ts';
import { NOT_ALLOWED, refused } from '../results.ts';
import { withFailureReported } from '../with-failure-reported.ts';
import { answerPlan } from './answer-plan.ts';
import { deployRevision, rerunDeployment } from './deploy-revision.ts';
import { cancelDeployment, unlock } from './lane-requests.ts';
import { planAgain } from './plan-again.ts';
import { provenSender } from './proven-sender.ts';
import { refuseRequest, type ProvenRequest } from './refuse-request.ts';

export async function takeRequest(call: IntakeCall, event: RequestEvent): Promise<IntakeResult> {
  const policy = policyFor(call.context.server.current(), fullName(event.repository));
  if (!policy) return NOT_ALLOWED;
  const sender = await provenSender(call, event);
  // Nothing is audited in a name that nobody proved.
  if (sender.kind === 'nobody') return refused(sender.why);
  const proven = { ...event, ...sender.person, policy };
  return withFailureReported(
    () => carryOut(call, proven),
    (sentence) => Promise.resolve(refuseRequest(call, proven, sentence)),
  );
}

function carryOut(call: IntakeCall, proven: ProvenRequest): Promise<IntakeResult> {
  const { request } = proven;
  switch (request.action) {
    case 'confirm':
    case 'reject':
    case 'override':
    case 'merge':
      return answerPlan(call, proven, request);
    case 'unlock':
      return unlock(call, proven, request);
    case 'cancel':
      return cancelDeployment(call, proven, request);
    case 'rerun':
      return rerunDeployment(call, proven, request);
    case 'deploy':
      return deployRevision(call, proven, request);
    case 'plan':
      return planAgain(call, proven, request);
  }
}
