import { policyFor, type RepositoryPolicy } from '@nereid/config';
import type { IntakeResult, PushEvent, Sender } from '@nereid/domain/intake';
import { fullName, type Repository } from '@nereid/domain/root';
import { RevisionGoneError } from '@nereid/git';
import { deployModified, requestedBy } from './deploy-modified.ts';
import type { IntakeCall } from '../intake-call.ts';
import { askerOf } from '../../person/permission.ts';
import { NOT_ALLOWED, nothing } from '../results.ts';
import { withoutReconciled } from './reconciled.ts';
import { findUndeployed, headAfter, keepUndeployed, rangeOf, settleUndeployed, type Stretch } from './undeployed.ts';

/** A push to the branch that is deployed: each root it modifies gets the new revision. */
export async function handlePush(call: IntakeCall, event: PushEvent): Promise<IntakeResult> {
  const { repository, branch, before, after } = event;
  const policy = policyFor(call.context.server.current(), fullName(repository));
  if (!policy) return NOT_ALLOWED;
  if (policy.branch !== undefined && policy.branch !== branch) return nothing(onlyDeployed(policy.branch));

  const stretch = { repository, branch, before, after };
  try {
    // Git knows whether the commit was merged, and not only pushed somewhere.
    const found = await call.context.mirrors.findOnBranch(repository, branch, after, call.signal);
    // The gateway lets only the default branch through where the policy names none; but its word is not enough to deploy.
    const deployed = policy.branch ?? found.defaultBranch ?? (await askDefaultBranch(call, repository));
    if (deployed !== branch) return nothing(onlyDeployed(deployed));
    if (!found.isContained) return nothing(`${after} is no longer on ${branch}, or never was`);
    const result = await deployStretch(call, policy, stretch, event);
    if (result.kind !== 'refused') return result;
    const head = await headAfter(call, stretch);
    // If the event of that head came first, it found nothing left undeployed. Lanes drop commits that they have seen.
    return head === undefined ? result : await deployStretch(call, policy, { ...stretch, after: head }, event);
  } catch (error) {
    // Another push took the commit away before we came; that push has an event of its own.
    if (error instanceof RevisionGoneError) return nothing(error.message);
    throw error;
  }
}

/** Of a server that does not tell git. */
function askDefaultBranch({ context }: IntakeCall, repository: Repository): Promise<string> {
  return context.forge.repositories.defaultBranch(repository);
}

function onlyDeployed(branch: string): string {
  return `only ${branch} is deployed`;
}

/** Deploys the push and the commits that were left before it, or keeps all of them for the next push. */
async function deployStretch(
  call: IntakeCall,
  policy: RepositoryPolicy,
  stretch: Stretch,
  by: Sender,
): Promise<IntakeResult> {
  const { repository, branch, before, after } = stretch;
  const undeployed = await findUndeployed(call, stretch);
  const range = rangeOf(undeployed, stretch) ?? { kind: 'push', before, after };
  const why = { trigger: 'merge', rerun: false, force: false, ...requestedBy(askerOf(by)) } as const;
  const request = { repository, policy, range, sha: after, branch, why };
  const result = await deployModified(call, request, {
    sift: (roots) => withoutReconciled(call, policy, stretch, undeployed, roots),
    beforeProblems: () => keepUndeployed(call, stretch, undeployed),
  });
  if (result.kind !== 'refused') await settleUndeployed(call, stretch, undeployed);
  return result;
}
