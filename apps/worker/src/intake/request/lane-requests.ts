import { ACTIONS } from '@nereid/domain/actions';
import { defined } from '@nereid/domain/defined';
import { hasEnded } from '@nereid/domain/deployment';
import type { IntakeResult, RequestFor } from '@nereid/domain/intake';
import { HAS_ENDED, mayActOnLane } from '../../actions/action.ts';
import { cancel } from '../../actions/cancel.ts';
import { LANE_ACTIONS } from '../../actions/lane-actions.ts';
import { findDeployment } from '../check-run/known-deployment.ts';
import type { IntakeCall } from '../intake-call.ts';
import { signalled } from '../results.ts';
import { refuseRequest, type ProvenRequest } from './refuse-request.ts';
import { subjectOfRequest } from './subject-of-request.ts';

/** Does to a lane what the person asked for, by the rule of that action. */
export async function actOnLane(
  call: IntakeCall,
  event: ProvenRequest,
  request: RequestFor<keyof typeof LANE_ACTIONS>,
): Promise<IntakeResult> {
  const { repository, policy, sender } = event;
  const { action, rootName } = request;
  const lock = 'deployment' in request ? request.deployment : undefined;
  const lane = { repository, rootName, ...defined({ lock }) };
  const effect = LANE_ACTIONS[action];
  const refuse = (sentence: string) => refuseRequest(call, event, sentence);
  const why = await effect.whyNot?.(call, lane);
  if (why !== undefined) return refuse(why);
  const deployment = lock === undefined ? undefined : await findDeployment(call, repository, rootName, lock);
  const question = { repository, policy, rootName, action: ACTIONS[action].rule, deployment } as const;
  const decision = await mayActOnLane(call, event, question);
  if (decision.kind === 'no') return refuse(decision.sentence);

  const answer = await effect.perform(call, event, lane);
  if (answer.kind === 'refused') return refuse(answer.sentence);
  call.userActions.accepted(subjectOfRequest(request));
  await effect.show?.(call, lane);
  return signalled(`@${sender} ${answer.sentence}`, [answer.workflow]);
}

export async function cancelDeployment(
  call: IntakeCall,
  event: ProvenRequest,
  request: RequestFor<'cancel'>,
): Promise<IntakeResult> {
  const { repository, policy, sender } = event;
  const { rootName, deploymentId } = request;
  const refuse = (sentence: string) => refuseRequest(call, event, sentence);
  const deployment = await findDeployment(call, repository, rootName, deploymentId);
  if (deployment === undefined) return refuse('there is no such deployment');
  if (hasEnded(deployment.progress.status)) return refuse(HAS_ENDED);
  const question = { repository, policy, rootName, action: 'cancel', deployment } as const;
  const decision = await mayActOnLane(call, event, question);
  if (decision.kind === 'no') return refuse(decision.sentence);

  const answer = await cancel(call, event, { repository, deployment });
  if (answer.kind === 'refused') return refuse(answer.sentence);
  call.userActions.accepted(subjectOfRequest(request));
  return signalled(`@${sender} ${answer.sentence}`, [deploymentId]);
}
