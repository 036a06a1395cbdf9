/** The plan on whose button somebody pressed: as its host signed it, and as its deployment shows it at this moment. */
import { ACTIONS } from '@nereid/domain/actions';
import { hasEnded, isButtonOf, type Deployment, type PlanButton } from '@nereid/domain/deployment';
import type { ButtonEvent } from '@nereid/domain/intake';
import type { Plan } from '@nereid/domain/plan';
import { verifyDeployment, openOrder } from '../../lane/verify-orders.ts';
import { askProgress } from '../../lane/view-lane.ts';
import { askPatiently, DeploymentSilentError } from '../../person/ask-patiently.ts';
import { HAS_ENDED } from '../../actions/action.ts';
import type { IntakeCall } from '../intake-call.ts';
import { findDeployment } from './known-deployment.ts';

/** A press on a button about the plan of a deployment. */
export type PlanPress = ButtonEvent & { readonly button: PlanButton };

export type Pressed<T> =
  { readonly kind: 'found'; readonly of: T } | { readonly kind: 'refused'; readonly sentence: string };

/** The deployment of the check run. Throws a `ForgedError` where nobody ordered it as its lane tells. */
export async function findPressed(
  call: IntakeCall,
  { repository, checkRun }: ButtonEvent,
  rootName: string,
): Promise<Pressed<Deployment>> {
  const deployment = await findDeployment(call, repository, rootName, checkRun.externalId);
  if (deployment === undefined) return refused(NOT_KNOWN);
  if (deployment.revision.sha !== checkRun.headSha) return refused(OF_ANOTHER_COMMIT);
  // Who brought it must not confirm under some rules, and whoever answers for the lane could leave them out.
  await openOrder(call.context, { repository, deployment });
  return hasEnded(deployment.progress.status) ? refused(HAS_ENDED) : { kind: 'found', of: deployment };
}

export interface Planned {
  readonly deployment: Deployment;
  /** As a host signed it. */
  readonly plan: Plan;
}

/** Asks its workflow: the lane does not know the plan. Throws a `ForgedError` where no host signed what that says. */
export async function findPressedPlan(
  call: IntakeCall,
  { repository, button, sender }: PlanPress,
  known: Deployment,
): Promise<Pressed<Planned>> {
  const askedAtMs = Date.now();
  const asked = await askPatiently(call, () => ask(call, known), undefined);
  if (asked === undefined) return refused(NOT_NOW);
  const { deployment } = asked;
  if (deployment === undefined) return refused(HAS_ENDED);
  await verifyDeployment(call.context, { repository, deployment }, askedAtMs);
  const { plan, status } = deployment.progress;
  if (hasEnded(status)) return refused(HAS_ENDED);
  if (plan !== undefined && isButtonOf(button, plan.made)) return { kind: 'found', of: { deployment, plan } };
  const { label } = ACTIONS[button.kind];
  return refused(`@${sender} pressed ${label}: that was for another plan. Look at the plan shown here.`);
}

/** Without a deployment when its workflow is gone. */
async function ask({ context }: IntakeCall, known: Deployment): Promise<{ readonly deployment?: Deployment }> {
  const asked = await askProgress(context, known);
  if (asked.kind === 'silent') throw new DeploymentSilentError(known.id);
  // A plan is proven by the write that shows it, and the workflow hears of that a moment later.
  if (asked.kind === 'answered' && isPlanning(asked.deployment)) throw new DeploymentSilentError(known.id, 'it plans');
  return asked.kind === 'answered' ? { deployment: asked.deployment } : {};
}

function isPlanning({ progress: { status, plan } }: Deployment): boolean {
  return plan === undefined && (status === 'preparing' || status === 'planning');
}

function refused(sentence: string) {
  return { kind: 'refused', sentence } as const;
}

/** A check run shows its revision only: who pushed or merged it, or asked for it, stands in the order. */
const NOT_KNOWN =
  'neither the lane nor a record knows this deployment, so it is not known who brought it: re-run it to get a new plan';

/** The person may have looked at that commit. */
const OF_ANOTHER_COMMIT =
  'the deployment is of another commit than this check run: press the button on the check run of its commit';

const NOT_NOW = 'this deployment does not say which plan it shows: not now, try again';
