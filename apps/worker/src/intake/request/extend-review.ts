/** Somebody lets a plan wait for its review for longer. */
import { hasEnded, reviewMsOf } from '@nereid/domain/deployment';
import type { IntakeResult, RequestFor } from '@nereid/domain/intake';
import { MESSAGE } from '@nereid/domain/temporal-names';
import { describeTime } from '@nereid/config';
import { WorkflowNotFoundError } from '@temporalio/client';
import { HAS_ENDED, mayActOnLane } from '../../actions/action.ts';
import { MESSAGE_MS } from '../../lane/start-lane.ts';
import { askProgress } from '../../lane/view-lane.ts';
import { byOf } from '../../person/permission.ts';
import { findDeployment } from '../check-run/known-deployment.ts';
import type { IntakeCall } from '../intake-call.ts';
import { signalled } from '../results.ts';
import { refuseRequest, type ProvenRequest } from './refuse-request.ts';
import { subjectOfRequest } from './subject-of-request.ts';

export async function extendReview(
  call: IntakeCall,
  event: ProvenRequest,
  request: RequestFor<'extend'>,
): Promise<IntakeResult> {
  const { repository, policy, sender } = event;
  const { rootName, deploymentId } = request;
  const refuse = (sentence: string) => refuseRequest(call, event, sentence);
  const known = await findDeployment(call, repository, rootName, deploymentId);
  if (known === undefined) return refuse('there is no such deployment');
  if (hasEnded(known.progress.status)) return refuse(HAS_ENDED);
  const question = { repository, policy, rootName, action: 'extend', deployment: known } as const;
  const decision = await mayActOnLane(call, event, question);
  if (decision.kind === 'no') return refuse(decision.sentence);
  const asked = await askProgress(call.context, known);
  if (asked.kind === 'silent') return refuse('this deployment does not answer: not now, try again');
  if (asked.kind !== 'answered') return refuse(HAS_ENDED);
  const { plan, status } = asked.deployment.progress;
  if (status !== 'awaiting-review' || plan === undefined) return refuse('no plan of it waits for a review');

  // As long after the press as a plan that is made then would wait.
  const until = Date.parse(call.askedAt) + reviewMsOf(known.root);
  const press = await call.context.signatures.enclose('decision/extension', {
    ...{ version: 1, requestId: `${call.delivery}:${rootName}`, deploymentId, digest: plan.made.body.digest },
    ...{ until: new Date(until).toISOString(), at: call.askedAt, ...byOf(event) },
  });
  const { temporal } = call.context;
  try {
    await temporal.withDeadline(Date.now() + MESSAGE_MS, () =>
      temporal.workflow.getHandle(deploymentId).signal(MESSAGE.extend, press),
    );
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
    return refuse(HAS_ENDED);
  }
  call.userActions.accepted(subjectOfRequest(request));
  return signalled(`@${sender} extended the review of ${rootName} until ${describeTime('UTC', until, Date.now())}`, [
    deploymentId,
  ]);
}
