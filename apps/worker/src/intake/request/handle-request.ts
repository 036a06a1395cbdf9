/** Somebody asked for something in the console. The same rules as for the buttons on the forge, and the same words. */
import { policyFor } from '@nereid/config';
import { isConsoleAction } from '@nereid/domain/actions';
import type { ConsoleRequest, IntakeResult, RequestEvent, RequestFor } from '@nereid/domain/intake';
import { fullName } from '@nereid/domain/root';
import { isLaneAction, type LANE_ACTIONS } from '../../actions/lane-actions.ts';
import type { IntakeCall } from '../intake-call.ts';
import { NOT_ALLOWED, refused } from '../results.ts';
import { withFailureReported } from '../with-failure-reported.ts';
import { answerPlan } from './answer-plan.ts';
import { breakGlass } from './gates/break-glass.ts';
import { deployRevision, rerunDeployment } from './deploy-revision.ts';
import { extendReview } from './extend-review.ts';
import { actOnLane, cancelDeployment } from './lane-requests.ts';
import { planAgain } from './plan-again.ts';
import { skipSoak } from './gates/skip-soak.ts';
import { stopRepository, thawRepository } from './gates/stop-repository.ts';
import { provenSender } from './proven-sender.ts';
import { refuseRequest, refuseUnknown, type ProvenRequest } from './refuse-request.ts';

export async function handleRequest(call: IntakeCall, event: RequestEvent): Promise<IntakeResult> {
  const policy = policyFor(call.context.server.current(), fullName(event.repository));
  if (!policy) return NOT_ALLOWED;
  if (!isConsoleAction(event.request.action)) return refuseUnknown(call, event);
  const sender = await provenSender(call, event);
  // Nothing is audited in a name that nobody proved.
  if (sender.kind === 'nobody') return refused(sender.why);
  const proven = { ...event, ...sender.person, policy };
  return withFailureReported(
    () => carryOut(call, proven, proven.request),
    (sentence) => Promise.resolve(refuseRequest(call, proven, sentence)),
  );
}

/** Those of lanes are in `LANE_ACTIONS`. */
type Effects = {
  readonly [Name in Exclude<ConsoleRequest['action'], keyof typeof LANE_ACTIONS>]: (
    call: IntakeCall,
    proven: ProvenRequest,
    request: RequestFor<Name>,
  ) => Promise<IntakeResult>;
};

const EFFECTS: Effects = {
  confirm: answerPlan,
  reject: answerPlan,
  override: answerPlan,
  merge: answerPlan,
  rerun: rerunDeployment,
  deploy: deployRevision,
  cancel: cancelDeployment,
  extend: extendReview,
  plan: planAgain,
  stop: stopRepository,
  thaw: thawRepository,
  break_glass: breakGlass,
  skip_soak: skipSoak,
};

function carryOut(call: IntakeCall, proven: ProvenRequest, request: ConsoleRequest): Promise<IntakeResult> {
  const { action } = request;
  const effect = (isLaneAction(action) ? actOnLane : EFFECTS[action]) as (
    call: IntakeCall,
    proven: ProvenRequest,
    request: unknown,
  ) => Promise<IntakeResult>; // Of its own request.
  return effect(call, proven, request);
}
