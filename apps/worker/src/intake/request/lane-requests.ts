import { hasEnded, laneWorkflowId, type IntakeResult, type RequestFor } from '@nereid/contracts';
import { describeLock } from '@nereid/lane';
import { cancelInLane, unlockLane } from '../../lane/ask-lane.ts';
import { viewLane } from '../../lane/view-lane.ts';
import { writeEnded } from '../../lane/show/write-ended.ts';
import { findDeployment } from '../check-run/known-deployment.ts';
import { HAS_ENDED } from '../check-run/pressed-plan.ts';
import { broughtWith } from '../../lane/brought/brought.ts';
import type { IntakeCall } from '../intake-call.ts';
import { lanePlace } from '../../lane/lane-place.ts';
import { askerOf, byOf, decide } from '../../person/permission.ts';
import { signalled } from '../results.ts';
import { refuseRequest, type ProvenRequest } from './refuse-request.ts';
import { subjectOfRequest } from './subject-of-request.ts';

/** Lifts the lock that the person was shown. */
export async function unlock(
  call: IntakeCall,
  event: ProvenRequest,
  request: RequestFor<'unlock'>,
): Promise<IntakeResult> {
  const { repository, policy, sender } = event;
  const { rootName, deployment: deploymentId } = request;
  const lock = (await viewLane(call.context, repository, rootName))?.lock;
  if (lock === undefined) return refuseRequest(call, event, `${rootName} is not locked`);
  if (lock.deploymentId !== deploymentId)
    return refuseRequest(
      call,
      event,
      `the present lock is another one, set by ${describeLock(lock)}: look at it first`,
    );
  const holder = await findDeployment(call, repository, rootName, deploymentId);
  const root = await lanePlace(call, repository, rootName, holder && [holder.root]);
  const brought = () =>
    holder === undefined ? { shas: [], people: [], hasMore: true } : broughtWith(call, repository, holder);
  const decision = await decide(call, { repository, policy, root, action: 'unlock', ...askerOf(event), brought });
  if (decision.kind === 'no') return refuseRequest(call, event, decision.sentence);

  const requestId = `${call.delivery}:${rootName}`;
  const message = { version: 1, requestId, ...byOf(event), askedAt: call.askedAt, deploymentId } as const;
  const answer = await unlockLane(call, repository, rootName, message);
  if (answer.kind === 'refused') return refuseRequest(call, event, answer.sentence);
  call.userActions.accepted(subjectOfRequest(request));
  const ended = await call.context.deploymentRecords.find(repository, rootName, deploymentId);
  const shown = ended?.deployment.checkRuns.at(-1);
  if (ended && shown) await writeEnded(call.context, { repository, checkRun: shown, deployment: ended.deployment });
  return signalled(`@${sender} unlocks ${rootName}`, [laneWorkflowId(repository, rootName)]);
}

export async function cancelDeployment(
  call: IntakeCall,
  event: ProvenRequest,
  request: RequestFor<'cancel'>,
): Promise<IntakeResult> {
  const { repository, policy, sender } = event;
  const { rootName, deploymentId } = request;
  const deployment = await findDeployment(call, repository, rootName, deploymentId);
  if (deployment === undefined) return refuseRequest(call, event, 'there is no such deployment');
  if (hasEnded(deployment.progress.status)) return refuseRequest(call, event, HAS_ENDED);
  const root = await lanePlace(call, repository, rootName, [deployment.root]);
  const brought = () => broughtWith(call, repository, deployment);
  const decision = await decide(call, { repository, policy, root, action: 'cancel', ...askerOf(event), brought });
  if (decision.kind === 'no') return refuseRequest(call, event, decision.sentence);

  const message = { version: 1, requestId: `${call.delivery}:${deploymentId}`, ...byOf(event) } as const;
  const answer = await cancelInLane(call, repository, deployment, message);
  if (answer.kind === 'refused') return refuseRequest(call, event, answer.sentence);
  call.userActions.accepted(subjectOfRequest(request));
  const also = answer.kind === 'stopping' ? ': its apply has begun, and Terraform is asked to stop' : '';
  return signalled(`@${sender} cancels ${rootName}${also}`, [deploymentId]);
}
