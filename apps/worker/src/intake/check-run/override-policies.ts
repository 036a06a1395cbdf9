/** Somebody pressed Override: an owner of policies lets exactly this plan go on. */
import { describeOwners, placeOf, planPoliciesFor, type PolicyOwners } from '@nereid/config';
import { ACTIONS } from '@nereid/domain/actions';
import { defined } from '@nereid/domain/defined';
import type { Deployment } from '@nereid/domain/deployment';
import type { ButtonEvent, IntakeResult } from '@nereid/domain/intake';
import type { PolicyOverride } from '@nereid/domain/plan';
import { fullName, type PermissionRule } from '@nereid/domain/root';
import { MESSAGE } from '@nereid/domain/temporal-names';
import { namePolicies, objectingPolicies } from '@nereid/domain/gates';
import { WorkflowNotFoundError } from '@temporalio/client';
import { MESSAGE_MS } from '../../lane/start-lane.ts';
import { authorise } from '../../person/authorise.ts';
import { askPatiently } from '../../person/ask-patiently.ts';
import { HAS_ENDED } from '../../actions/action.ts';
import type { IntakeCall } from '../intake-call.ts';
import { askerOf } from '../../person/permission.ts';
import { signalled } from '../results.ts';
import { findPressedPlan, type PlanPress } from './pressed-plan.ts';
import { refuseOnCheckRun } from './refuse-on-check-run.ts';
import type { Decision } from '../../person/permission-rule.ts';

export async function overridePolicies(call: IntakeCall, event: PlanPress, known: Deployment): Promise<IntakeResult> {
  const { repository, checkRun } = event;
  const planned = await findPressedPlan(call, event, known);
  if (planned.kind === 'refused') return refuseOnCheckRun(call, repository, checkRun, planned.sentence);
  const { deployment, plan } = planned.of;
  const refuse = (why: string) =>
    refuseOnCheckRun(call, repository, checkRun, `@${event.sender} pressed ${ACTIONS.override.label}: ${why}`);
  const { overrides, status } = deployment.progress;
  if (status !== 'awaiting-review') return refuse('this plan is no longer waiting.');
  const objecting = objectingPolicies(plan.made.body, overrides).map(({ name }) => name);
  if (objecting.length === 0) return refuse('no policy denies this plan any longer.');

  const owned = await ownedBy(call, event, deployment, objecting);
  if (owned.policies.length === 0) return refuse(owned.why);
  return override(call, event, deployment.root.name, { digest: plan.made.body.digest, policies: owned.policies });
}

interface Owned {
  readonly policies: readonly string[];
  /** Why the person owns no more of them. */
  readonly why: string;
}

/** Those of the policies that the person owns, by today's file. */
async function ownedBy(
  call: IntakeCall,
  event: ButtonEvent,
  { root }: Deployment,
  names: readonly string[],
): Promise<Owned> {
  const today = planPoliciesFor(call.context.server.current(), fullName(event.repository), placeOf(root));
  const known = today.filter(({ name }) => names.includes(name));
  if (known.length === 0)
    return { policies: [], why: `${namePolicies(names)} no longer judges plans of this root: press Re-run` };
  const policies: string[] = [];
  const reasons: string[] = [];
  for (const { name, owners } of known) {
    const decision = await isOwner(call, event, owners);
    if (decision.kind === 'yes') policies.push(name);
    else reasons.push(decision.sentence);
  }
  const [reason = ''] = reasons;
  const owners = known.map((policy) => `${policy.name} takes ${describeOwners(policy.owners)}`);
  return { policies, why: `${owners.join('; ')}. ${reason}` };
}

/** Being in one of the teams or one of the users suffices; it also takes write permission, as any button does. */
function isOwner(call: IntakeCall, event: ButtonEvent, { teams, users }: PolicyOwners): Promise<Decision> {
  const { repository, sender } = event;
  const { forge } = call.context;
  const isNamed = users.some((user) => user.toLowerCase() === sender.toLowerCase());
  const rule: PermissionRule = isNamed || teams.length === 0 ? { users } : { teams };
  const ask = () => authorise(forge, { repository, action: 'override', rules: [rule], ...askerOf(event) });
  const sentence = `${forge.name} could not be asked whether @${sender} may do this: not now, try again`;
  return askPatiently(call, ask, { kind: 'no', sentence });
}

/** Goes straight to the deployment, which judges it once more and audits the result. */
async function override(
  call: IntakeCall,
  { repository, checkRun, sender, senderId }: ButtonEvent,
  rootName: string,
  { digest, policies }: Pick<PolicyOverride, 'digest' | 'policies'>,
): Promise<IntakeResult> {
  const { temporal, signatures } = call.context;
  const body = await signatures.enclose('decision/override', {
    version: 1,
    requestId: `${call.delivery}:${rootName}`,
    deploymentId: checkRun.externalId,
    digest,
    policies,
    by: sender,
    ...defined({ byId: senderId }),
    at: call.askedAt,
  });
  const deployment = temporal.workflow.getHandle(checkRun.externalId);
  try {
    await temporal.withDeadline(Date.now() + MESSAGE_MS, () => deployment.signal(MESSAGE.policyOverride, body));
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
    return refuseOnCheckRun(call, repository, checkRun, HAS_ENDED);
  }
  return signalled(`@${sender} overrides ${namePolicies(policies)} for ${rootName}`, [checkRun.externalId]);
}
