/** Somebody pressed a button. */
import { placeOf, policyFor, type RepositoryPolicy } from '@nereid/config';
import { ACTIONS } from '@nereid/domain/actions';
import { defined } from '@nereid/domain/defined';
import { parseCheckRunName, type Deployment, type PressedButton } from '@nereid/domain/deployment';
import type { ButtonEvent, IntakeResult } from '@nereid/domain/intake';
import type { PlanReview } from '@nereid/domain/plan';
import { poolOf, fullName } from '@nereid/domain/root';
import { MESSAGE } from '@nereid/domain/temporal-names';
import { WorkflowNotFoundError } from '@temporalio/client';
import { HAS_ENDED, mayActOnLane } from '../../actions/action.ts';
import { LANE_ACTIONS } from '../../actions/lane-actions.ts';
import type { IntakeCall } from '../intake-call.ts';
import { findDeployment } from './known-deployment.ts';
import { MESSAGE_MS } from '../../lane/start-lane.ts';
import { keepFromApply } from '../../lane/turn/keep-from-apply.ts';
import { isRevoked } from '../../platform/failures/overtaken.ts';
import { broughtWith } from '../../lane/brought/brought.ts';
import { askerOf, decide } from '../../person/permission.ts';
import { countPerson } from '../../person/counted-teams.ts';
import { NOT_ALLOWED, nothing, signalled } from '../results.ts';
import { handleMergeReview } from './handle-merge-review.ts';
import { overridePolicies } from './override-policies.ts';
import { findPressed, findPressedPlan } from './pressed-plan.ts';
import { onCheckRun, refuseOnCheckRun } from './refuse-on-check-run.ts';
import { subjectOf } from './subject-of-press.ts';
import { whyNotPressed } from './verify-press.ts';

export async function handleButton(call: IntakeCall, event: ButtonEvent): Promise<IntakeResult> {
  const { repository, checkRun, button } = event;
  const policy = policyFor(call.context.server.current(), fullName(repository));
  if (!policy) return NOT_ALLOWED;
  if (checkRun.externalId === '') return nothing(NO_DEPLOYMENT);
  if (button.kind === 'merge') return handleMergeReview(call, { ...event, button }, policy);
  const rootName = parseCheckRunName(checkRun.name);
  if (rootName === undefined) return nothing(NO_DEPLOYMENT);

  return onCheckRun(call, repository, checkRun, () => press(call, { ...event, button }, policy, rootName));
}

const NO_DEPLOYMENT = 'the check run does not belong to a deployment';

/** A press on the check run of a deployment. */
type DeploymentPress = ButtonEvent & { readonly button: Exclude<PressedButton, { readonly kind: 'merge' }> };

type ReviewPress = ButtonEvent & { readonly button: Extract<PressedButton, { readonly kind: 'confirm' | 'reject' }> };

async function press(
  call: IntakeCall,
  event: DeploymentPress,
  policy: RepositoryPolicy,
  rootName: string,
): Promise<IntakeResult> {
  const { repository, checkRun, button } = event;
  const unknown = await whyNotPressed(call, event);
  if (unknown !== undefined) return refuseOnCheckRun(call, repository, checkRun, unknown);
  if (!('mark' in button)) return actOnLane(call, { ...event, button }, policy, rootName);
  const pressed = await findPressed(call, event, rootName);
  if (pressed.kind === 'refused') return refuseOnCheckRun(call, repository, checkRun, pressed.sentence);
  if (button.kind === 'override') return overridePolicies(call, { ...event, button }, pressed.of);
  return review(call, { ...event, button }, policy, pressed.of);
}

/** Goes straight to the deployment: it compares the digest with that of its plan, and audits the result. */
async function review(
  call: IntakeCall,
  event: ReviewPress,
  policy: RepositoryPolicy,
  deployment: Deployment,
): Promise<IntakeResult> {
  const { repository, checkRun, button, sender, senderId } = event;
  const {
    rule: action,
    checkRun: { answer },
  } = ACTIONS[button.kind];
  const request = { repository, policy, root: placeOf(deployment.root), action, ...askerOf(event) };
  const decision = await decide(call, { ...request, brought: () => broughtWith(call, repository, deployment) });
  if (decision.kind === 'no') return refuseOnCheckRun(call, repository, checkRun, decision.sentence);
  const planned = await findPressedPlan(call, event, deployment);
  if (planned.kind === 'refused') return refuseOnCheckRun(call, repository, checkRun, planned.sentence);

  const { temporal, signatures } = call.context;
  const { id, root } = deployment;
  const why = await whyNotAnswered(call, deployment, answer);
  if (why !== undefined)
    return refuseOnCheckRun(call, repository, checkRun, `@${sender} pressed ${ACTIONS[button.kind].label}: ${why}`);
  const rejecting = { kind: 'known', person: defined({ byId: senderId }) } as const;
  const counted = answer === 'approved' ? await countPerson(call, { repository, policy, root }, event) : rejecting;
  if (counted.kind === 'unknown') return refuseOnCheckRun(call, repository, checkRun, counted.sentence);
  const body = await signatures.enclose('decision/review', {
    version: 1,
    requestId: `${call.delivery}:${root.name}`,
    deploymentId: id,
    answer,
    digest: planned.of.plan.made.body.digest,
    by: sender,
    ...counted.person,
    at: call.askedAt,
  });
  const handle = temporal.workflow.getHandle(id);
  try {
    await temporal.withDeadline(Date.now() + MESSAGE_MS, () => handle.signal(MESSAGE.planReview, body));
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
    return refuseOnCheckRun(call, repository, checkRun, HAS_ENDED);
  }
  return signalled(`@${sender} ${answer} the plan of ${root.name}`, [id]);
}

/** A rejection counts from here on, whatever becomes of the message: nobody who reaches Temporal has the plan applied after all. */
async function whyNotAnswered(
  { context }: IntakeCall,
  deployment: Deployment,
  answer: PlanReview['answer'],
): Promise<string | undefined> {
  if (answer === 'rejected')
    return (await keepFromApply(context, deployment, answer)) === 'kept' ? undefined : 'its apply has begun.';
  const { id, root } = deployment;
  const by = (await context.begunApplies.of(poolOf(root)).read(id))?.overtakenBy;
  return by !== undefined && isRevoked(by) ? `somebody ${by} this deployment. Press Re-run for a new plan.` : undefined;
}

type LanePress = ButtonEvent & { readonly button: Exclude<PressedButton, { readonly mark: string }> };

/** A lock is that of a lane, and another deployment than that of the check run may have set it. */
async function actOnLane(
  call: IntakeCall,
  event: LanePress,
  policy: RepositoryPolicy,
  rootName: string,
): Promise<IntakeResult> {
  const { repository, checkRun, button, sender } = event;
  const { rule: action, label } = ACTIONS[button.kind];
  const { perform, show } = LANE_ACTIONS[button.kind];
  const { externalId: lock, headSha: sha } = checkRun;
  const deployment = await findDeployment(call, repository, rootName, lock);
  const question = { repository, policy, rootName, action, deployment, sha };
  const decision = await mayActOnLane(call, event, question);
  if (decision.kind === 'no') return refuseOnCheckRun(call, repository, checkRun, decision.sentence);
  const answer = await perform(call, event, { repository, rootName, lock });
  if (answer.kind === 'refused')
    return refuseOnCheckRun(call, repository, checkRun, `@${sender} pressed ${label}: ${answer.sentence}`);
  call.userActions.accepted(subjectOf(checkRun));
  await show?.(call, { repository, rootName, lock }, checkRun);
  return signalled(`@${sender} ${answer.sentence}`, [answer.workflow]);
}
