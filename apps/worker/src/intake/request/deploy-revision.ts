/** Deploys a revision by hand: one that failed once more, or any of the deployed branch. */
import { checkRunName, shortSha, type Deployment, type EndedStatus } from '@nereid/domain/deployment';
import type { IntakeResult, PressedCheckRun, RequestFor } from '@nereid/domain/intake';
import { findDeployment } from '../check-run/known-deployment.ts';
import { listNames } from '../../platform/list-names.ts';
import type { IntakeCall } from '../intake-call.ts';
import { refused } from '../results.ts';
import { isHaltedByCheck } from '../../rollout/waves/find-wave.ts';
import { deployReruns, judgeRerun, rerunCheckRun, rerunRequest, type ReadyRerun } from '../rerun/rerun.ts';
import { checkRunOf } from './answer-plan.ts';
import { withDeployments } from './ordered-deployments.ts';
import { refuseRequest, type ProvenRequest } from './refuse-request.ts';

/** As on the forge: the others worked, or were not needed. */
const ENDED_WELL: readonly EndedStatus[] = ['succeeded', 'no-changes', 'skipped', 'planned'];

export async function rerunDeployment(
  call: IntakeCall,
  event: ProvenRequest,
  { rootName, deploymentId }: RequestFor<'rerun'>,
): Promise<IntakeResult> {
  const { repository } = event;
  const deployment = await findDeployment(call, repository, rootName, deploymentId);
  if (deployment === undefined) return refuseRequest(call, event, 'there is no such deployment');
  const { sha } = deployment.revision;
  if (worked(deployment) && !(await isHaltedByCheck(call.context, repository, { sha, rootName })))
    return refuseRequest(
      call,
      event,
      'this deployment did not fail: deploy its revision if it is to be planned once more',
    );
  const request = await rerunRequest(call, event, event.policy);
  return withDeployments(
    { ...event, delivery: call.delivery, rootNames: [rootName] },
    await rerunCheckRun(call, request, checkRunOf(deployment)),
  );
}

function worked({ progress: { status } }: Deployment): boolean {
  return (ENDED_WELL as readonly string[]).includes(status);
}

/** All of the roots or none: nobody asked for half of a deployment. */
export async function deployRevision(
  call: IntakeCall,
  event: ProvenRequest,
  { roots: rootNames, revision: sha }: RequestFor<'deploy'>,
): Promise<IntakeResult> {
  const request = await rerunRequest(call, event, event.policy);
  const ready: ReadyRerun[] = [];
  for (const rootName of rootNames) {
    const judged = await judgeRerun(call, request, revisionOn(rootName, sha));
    if (judged.kind !== 'ready') return { ...judged, sentence: `the root ${rootName}: ${judged.sentence}` };
    ready.push(judged);
  }
  const results = await deployReruns(call, request, ready);
  const [first = refused('no root was named')] = results;
  const refusals = results.filter(({ kind }) => kind === 'refused').map(({ sentence }) => sentence);
  if (first.kind !== 'signalled') return first;
  const sentence = `@${event.sender} deploys ${shortSha(sha)} to ${listNames(rootNames)}`;
  return withDeployments(
    { ...event, delivery: call.delivery, rootNames },
    { ...first, sentence: [sentence, ...refusals].join('; ') },
  );
}

/** The revision may have no check run of this root. */
function revisionOn(rootName: string, sha: string): PressedCheckRun {
  return { name: checkRunName(rootName), headSha: sha, externalId: '', conclusion: null };
}
