/** An answer to a plan in the console is a press of the same button, once it is clear that the person saw this very plan. */
import { ACTIONS, type PlanAction } from '@nereid/domain/actions';
import { defined } from '@nereid/domain/defined';
import { checkRunName, hasEnded, planButton, previewCheckRunName, type Deployment } from '@nereid/domain/deployment';
import { seenFacts, type IntakeResult, type PressedCheckRun, type RequestFor } from '@nereid/domain/intake';
import type { Plan } from '@nereid/domain/plan';
import { digestOf } from '@nereid/signature';
import { handleButton } from '../check-run/handle-button.ts';
import { askPatiently, DeploymentSilentError } from '../../person/ask-patiently.ts';
import { findDeployment } from '../check-run/known-deployment.ts';
import { HAS_ENDED } from '../../actions/action.ts';
import type { IntakeCall } from '../intake-call.ts';
import { askProgress } from '../../lane/view-lane.ts';
import { refuseRequest, type ProvenRequest } from './refuse-request.ts';

/** An answer to a plan: the same as pressing the button of this name on the forge. */
export type PlanAnswer = RequestFor<PlanAction>;

export async function answerPlan(call: IntakeCall, event: ProvenRequest, request: PlanAnswer): Promise<IntakeResult> {
  const { repository, sender, senderId } = event;
  const refuse = (sentence: string) => refuseRequest(call, event, sentence);
  const found = request.action === 'merge' ? await findPreview(call, event, request) : await find(call, event, request);
  if (found.kind === 'refused') return refuse(found.sentence);
  const { deployment, plan } = found;
  const { label } = ACTIONS[request.action];
  const button = planButton(request.action, plan.made);
  if (button === undefined || digestOf(seenFacts(repository, deployment, plan)) !== request.seen) {
    return refuse(`@${sender} pressed ${label}: that was for another plan. Look at the plan shown here.`);
  }
  const who = { sender, ...defined({ senderId }) };
  return handleButton(call, { kind: 'button', repository, ...who, button, checkRun: checkRunOf(deployment) });
}

type FoundPlan =
  | { readonly kind: 'planned'; readonly deployment: Deployment; readonly plan: Plan }
  | { readonly kind: 'refused'; readonly sentence: string };

/** As its workflow tells it now: the rest of the way verifies that a host signed it. */
async function find(call: IntakeCall, { repository }: ProvenRequest, request: PlanAnswer): Promise<FoundPlan> {
  const known = await findDeployment(call, repository, request.rootName, request.deploymentId);
  if (known === undefined) return refused('there is no such deployment');
  if (hasEnded(known.progress.status)) return refused(HAS_ENDED);
  const ask = async () => {
    const asked = await askProgress(call.context, known);
    if (asked.kind === 'silent') throw new DeploymentSilentError(known.id);
    return asked;
  };
  const asked = await askPatiently(call, ask, { kind: 'silent' } as const);
  if (asked.kind === 'silent') return refused('this deployment does not answer: not now, try again');
  return asked.kind === 'answered' ? plannedIn(asked.deployment) : refused(HAS_ENDED);
}

async function findPreview({ context }: IntakeCall, event: ProvenRequest, request: PlanAnswer): Promise<FoundPlan> {
  const { rootName, deploymentId } = request;
  const record = await context.pullRequestRecords.readPreview(event.repository, rootName, deploymentId);
  if (record === undefined) return refused('this plan is no longer known: plan again');
  return plannedIn(record.deployment);
}

function plannedIn(deployment: Deployment): FoundPlan {
  const { plan, status } = deployment.progress;
  if (plan === undefined) return refused(hasEnded(status) ? HAS_ENDED : 'there is no plan yet');
  return { kind: 'planned', deployment, plan };
}

/** The check run that the button would be on. */
export function checkRunOf({ id, root, trigger, revision, preview, checkRuns }: Deployment): PressedCheckRun {
  const shown = checkRuns.at(-1);
  const nameOf = trigger === 'preview' ? previewCheckRunName : checkRunName;
  return {
    ...(shown && { id: shown.id }),
    name: nameOf(root.name),
    headSha: preview?.headSha ?? revision.sha,
    externalId: id,
    conclusion: null,
  };
}

function refused(sentence: string) {
  return { kind: 'refused', sentence } as const;
}
