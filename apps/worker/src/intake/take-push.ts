import { policyFor } from '@nereid/config';
import { fullName, type IntakeResult, type PushEvent } from '@nereid/contracts';
import { RevisionGoneError } from '@nereid/git';
import { deployModified } from './deploy-modified.ts';
import type { IntakeCall } from './intake-call.ts';
import { NOT_ALLOWED, nothing } from './results.ts';
import { findUndeployed, keepUndeployed, settleUndeployed } from './undeployed.ts';

/** A push to the branch that is deployed: each root it modifies gets the new revision. */
export async function takePush(call: IntakeCall, event: PushEvent): Promise<IntakeResult> {
  const { repository, branch, before, after, sender } = event;
  const policy = policyFor(call.context.server.current(), fullName(repository));
  if (!policy) return NOT_ALLOWED;
  // Without a branch in the policy it is the default one: the gateway has let no other through.
  if (policy.branch !== undefined && policy.branch !== branch) return nothing(`only ${policy.branch} is deployed`);

  try {
    const stretch = { repository, branch, before, after };
    const undeployed = await findUndeployed(call, stretch);
    const result = await deployModified(call, {
      repository,
      policy,
      range: { kind: 'push', before: undeployed.since ?? before, after },
      sha: after,
      branch,
      why: { trigger: 'merge', rerun: false, force: false, requestedBy: sender },
    });
    if (result.kind === 'refused') await keepUndeployed(call, stretch, undeployed);
    else await settleUndeployed(call, stretch, undeployed);
    return result;
  } catch (error) {
    // Another push took it away before we came; that push has an event of its own.
    if (error instanceof RevisionGoneError) return nothing(error.message);
    throw error;
  }
}
