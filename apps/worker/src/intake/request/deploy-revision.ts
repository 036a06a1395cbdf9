/** Deploys a revision by hand: one that failed once more, or any of the deployed branch. */
import {
  checkRunName,
  laneWorkflowId,
  shortSha,
  type DeployRequest,
  type Deployment,
  type EndedStatus,
  type IntakeResult,
  type PressedCheckRun,
  type RerunRequested,
} from '@nereid/contracts';
import { deploymentIdOf } from '../../lane/order-deployment.ts';
import { requestIdOf } from '../../rollout/start-rollout.ts';
import { findDeployment } from '../check-run/known-deployment.ts';
import { listNames } from '../list-names.ts';
import type { IntakeCall } from '../intake-call.ts';
import { refused } from '../results.ts';
import { deployReruns, judgeRerun, rerunCheckRun, rerunRequest, type ReadyRerun } from '../rerun/rerun.ts';
import { checkRunOf } from './answer-plan.ts';
import { refuseRequest, type ProvenRequest } from './refuse-request.ts';

/** As on GitHub: the others worked, or were not needed. */
const ENDED_WELL: readonly EndedStatus[] = ['succeeded', 'no-changes', 'skipped', 'planned'];

export async function rerunDeployment(
  call: IntakeCall,
  event: ProvenRequest,
  { rootName, deploymentId }: RerunRequested,
): Promise<IntakeResult> {
  const deployment = await findDeployment(call, event.repository, rootName, deploymentId);
  if (deployment === undefined) return refuseRequest(call, event, 'there is no such deployment');
  if (worked(deployment))
    return refuseRequest(
      call,
      event,
      'this deployment did not fail: deploy its revision if it is to be planned once more',
    );
  const request = await rerunRequest(call, event, event.policy);
  return withDeployments(call, event, [rootName], await rerunCheckRun(call, request, checkRunOf(deployment)));
}

function worked({ progress: { status } }: Deployment): boolean {
  return (ENDED_WELL as readonly string[]).includes(status);
}

/** All of the roots or none: nobody asked for half of a deployment. */
export async function deployRevision(
  call: IntakeCall,
  event: ProvenRequest,
  { rootNames, sha }: DeployRequest,
): Promise<IntakeResult> {
  const request = await rerunRequest(call, event, event.policy);
  const ready: ReadyRerun[] = [];
  for (const rootName of rootNames) {
    const judged = await judgeRerun(call, request, revisionOn(rootName, sha));
    if (judged.kind !== 'ready') return { ...judged, sentence: `${rootName}: ${judged.sentence}` };
    ready.push(judged);
  }
  const results = await deployReruns(call, request, ready);
  const [first = refused('no root was named')] = results;
  const refusals = results.filter(({ kind }) => kind === 'refused').map(({ sentence }) => sentence);
  if (first.kind !== 'signalled') return first;
  const sentence = `@${event.sender} deploys ${shortSha(sha)} to ${listNames(rootNames)}`;
  return withDeployments(call, event, rootNames, { ...first, sentence: [sentence, ...refusals].join('; ') });
}

/** Names the deployments, so that the person can follow them. The lane of a root that a broken record stops was told nothing. */
function withDeployments(
  { delivery }: IntakeCall,
  { repository }: ProvenRequest,
  rootNames: readonly string[],
  result: IntakeResult,
): IntakeResult {
  const deployments = rootNames.flatMap((rootName) => {
    const lane = laneWorkflowId(repository, rootName);
    const isTold = result.workflows.includes(lane);
    return isTold ? [{ id: deploymentIdOf(lane, { requestId: requestIdOf(delivery, rootName) }), rootName }] : [];
  });
  return deployments.length === 0 ? result : { ...result, deployments };
}

/** The revision may have no check run of this root. */
function revisionOn(rootName: string, sha: string): PressedCheckRun {
  return { name: checkRunName(rootName), headSha: sha, externalId: '', conclusion: null };
}
