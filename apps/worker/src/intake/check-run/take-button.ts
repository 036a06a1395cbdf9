/** Somebody pressed a button. */
import { policyFor, type RepositoryPolicy, type RootPlace } from '@nereid/config';
import {
  BUTTONS,
  fullName,
  laneWorkflowId,
  MESSAGE,
  parseCheckRunName,
  reviewFacts,
  type ButtonEvent,
  type Deployment,
  type IntakeResult,
  type PlanReview,
  type PressedButton,
} from '@nereid/contracts';
import type { Decision } from '@nereid/github';
import { WorkflowNotFoundError } from '@temporalio/client';
import type { IntakeCall } from '../intake-call.ts';
import { findDeployment } from './known-deployment.ts';
import { MESSAGE_MS } from '../../lane/start-lane.ts';
import { unlockLane } from '../../lane/ask-lane.ts';
import { verifyDeployment } from '../../lane/verify-orders.ts';
import { broughtBy, broughtWith } from '../contributors.ts';
import { lanePlace, placeOf } from '../lane-place.ts';
import { askerOf, byOf, decide } from '../permission.ts';
import { NOT_ALLOWED, nothing, signalled } from '../results.ts';
import { takeMergeReview } from './take-merge-review.ts';
import { overridePolicies } from './override-policies.ts';
import { onCheckRun, subjectOf, tellOnCheckRun } from './tell-on-check-run.ts';
import { whyNotPressed } from './verify-press.ts';
import { writeEnded } from '../../lane/show/write-ended.ts';

export async function takeButton(call: IntakeCall, event: ButtonEvent): Promise<IntakeResult> {
  const { repository, checkRun, button } = event;
  const policy = policyFor(call.context.server.current(), fullName(repository));
  if (!policy) return NOT_ALLOWED;
  if (checkRun.externalId === '') return nothing(NO_DEPLOYMENT);
  if (button.kind === 'merge') return takeMergeReview(call, { ...event, button }, policy);
  const rootName = parseCheckRunName(checkRun.name);
  if (rootName === undefined) return nothing(NO_DEPLOYMENT);

  return onCheckRun(call, repository, checkRun, () => press(call, { ...event, button }, policy, rootName));
}

const NO_DEPLOYMENT = 'the check run is not that of a deployment';

/** A press on the check run of a deployment. */
type DeploymentPress = ButtonEvent & { readonly button: Exclude<PressedButton, { readonly kind: 'merge' }> };

async function press(
  call: IntakeCall,
  event: DeploymentPress,
  policy: RepositoryPolicy,
  rootName: string,
): Promise<IntakeResult> {
  const { repository, checkRun, button } = event;
  const unknown = await whyNotPressed(call, event);
  if (unknown !== undefined) return tellOnCheckRun(call, repository, checkRun, unknown);
  if (button.kind === 'override') return overridePolicies(call, event, rootName, button.digest);
  const decision = await mayPress(call, event, policy, rootName);
  if (decision.kind === 'no') return tellOnCheckRun(call, repository, checkRun, decision.sentence);
  if (button.kind === 'unlock') return unlock(call, event, rootName);
  return review(call, event, rootName, { answer: BUTTONS[button.kind].answer, digest: button.digest });
}

async function mayPress(
  call: IntakeCall,
  event: DeploymentPress,
  policy: RepositoryPolicy,
  rootName: string,
): Promise<Decision> {
  const { repository, checkRun, button } = event;
  const deployment = await findDeployment(call, repository, rootName, checkRun.externalId);
  if (button.kind !== 'unlock') {
    if (deployment === undefined) return { kind: 'no', sentence: NOT_KNOWN };
    if (deployment.revision.sha !== checkRun.headSha) return { kind: 'no', sentence: OF_ANOTHER_COMMIT };
    // Who brought it must not confirm under some rules, and whoever answers for the lane could leave them out.
    await verifyDeployment(call.context, { repository, deployment });
  }
  const brought = () =>
    deployment === undefined
      ? { ...broughtBy(checkRun.headSha), hasMore: true }
      : broughtWith(call, repository, deployment);
  const root = await placePressed(call, event, rootName, deployment);
  const request = { repository, policy, root, action: BUTTONS[button.kind].action, ...askerOf(event), brought };
  return decide(call, request);
}

/** A check run shows its revision only: who pushed or merged it, or asked for it, stands in the order. */
const NOT_KNOWN =
  'neither the lane nor a record knows this deployment, so it is not known who brought it: re-run it to get a new plan';

/** The person may have looked at that commit. */
const OF_ANOTHER_COMMIT =
  'the deployment is of another commit than this check run: press on the check run of its commit';

/** A review is about one deployment. A lock is that of a lane, and another deployment may have set it. */
async function placePressed(
  call: IntakeCall,
  { repository, button }: ButtonEvent,
  rootName: string,
  deployment: Deployment | undefined,
): Promise<RootPlace> {
  if (button.kind === 'unlock') return lanePlace(call, repository, rootName, deployment && [deployment.root]);
  return deployment === undefined ? { name: rootName } : placeOf(deployment.root);
}

async function unlock(call: IntakeCall, event: ButtonEvent, rootName: string): Promise<IntakeResult> {
  const { repository, checkRun, sender } = event;
  const requestId = `${call.delivery}:${rootName}`;
  const deploymentId = checkRun.externalId;
  const message = { version: 1, requestId, ...byOf(event), askedAt: call.askedAt, deploymentId } as const;
  const answer = await unlockLane(call, repository, rootName, message);
  if (answer.kind === 'refused') {
    return tellOnCheckRun(call, repository, checkRun, `@${sender} pressed ${BUTTONS.unlock.label}: ${answer.sentence}`);
  }
  call.userActions.accepted(subjectOf(checkRun));
  const ended = await call.context.deploymentRecords.find(repository, rootName, checkRun.externalId);
  if (ended) await writeEnded(call.context, { repository, checkRun, deployment: ended.deployment });
  return signalled(`@${sender} unlocks ${rootName}`, [laneWorkflowId(repository, rootName)]);
}

/** Goes straight to the deployment: its gate compares the digest with that of its plan, and audits the result. */
async function review(
  call: IntakeCall,
  { repository, checkRun, sender, senderId }: ButtonEvent,
  rootName: string,
  { answer, digest }: Pick<PlanReview, 'answer' | 'digest'>,
): Promise<IntakeResult> {
  const { temporal, signatures } = call.context;
  const requestId = `${call.delivery}:${rootName}`;
  const facts = {
    version: 1,
    requestId,
    deploymentId: checkRun.externalId,
    answer,
    digest,
    by: sender,
    ...(senderId !== undefined && { byId: senderId }),
    at: call.askedAt,
  } as const;
  const body: PlanReview = { ...facts, signature: await signatures.sign('review', reviewFacts(facts)) };
  const deployment = temporal.workflow.getHandle(checkRun.externalId);
  try {
    await temporal.withDeadline(Date.now() + MESSAGE_MS, () => deployment.signal(MESSAGE.planReview, body));
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
    return tellOnCheckRun(call, repository, checkRun, 'this deployment has ended: its buttons do nothing any more');
  }
  return signalled(`@${sender} ${answer} the plan of ${rootName}`, [checkRun.externalId]);
}
