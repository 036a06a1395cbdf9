import { hasEnded } from '@nereid/domain/deployment';
import type { IntakeResult, RequestFor } from '@nereid/domain/intake';
import { describeLock } from '@nereid/domain/lane';
import { HAS_ENDED, mayActOnLane } from '../../actions/action.ts';
import { cancel } from '../../actions/cancel.ts';
import { showUnlocked, unlock } from '../../actions/unlock.ts';
import { viewLane } from '../../lane/view-lane.ts';
import { findDeployment } from '../check-run/known-deployment.ts';
import type { IntakeCall } from '../intake-call.ts';
import { signalled } from '../results.ts';
import { refuseRequest, type ProvenRequest } from './refuse-request.ts';
import { subjectOfRequest } from './subject-of-request.ts';

/** Lifts the lock that the person was shown. */
export async function unlockLane(
  call: IntakeCall,
  event: ProvenRequest,
  request: RequestFor<'unlock'>,
): Promise<IntakeResult> {
  const { repository, policy, sender } = event;
  const { rootName, deployment: lock } = request;
  const refuse = (sentence: string) => refuseRequest(call, event, sentence);
  const present = (await viewLane(call.context, repository, rootName))?.lock;
  if (present === undefined) return refuse(`${rootName} is not locked`);
  if (present.deploymentId !== lock)
    return refuse(`the current lock is another one, set by ${describeLock(present)}: look at it first`);
  const deployment = await findDeployment(call, repository, rootName, lock);
  const question = { repository, policy, rootName, action: 'unlock', deployment } as const;
  const decision = await mayActOnLane(call, event, question);
  if (decision.kind === 'no') return refuse(decision.sentence);

  const answer = await unlock(call, event, { repository, rootName, lock });
  if (answer.kind === 'refused') return refuse(answer.sentence);
  call.userActions.accepted(subjectOfRequest(request));
  await showUnlocked(call, { repository, rootName, lock });
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
