/** Somebody asked GitHub to re-run one of our check runs. */
import { policyFor } from '@nereid/config';
import { fullName, type IntakeResult, type PressedCheckRun, type RerunEvent } from '@nereid/contracts';
import { CONFIG_CHECK_RUN_NAME } from '@nereid/github';
import { rootOfCheckRun } from './check-run-root.ts';
import { showConfigFine } from './config-check-run.ts';
import { deployModified } from './deploy-modified.ts';
import type { IntakeCall } from './intake-call.ts';
import { decide, denialsFor } from './permission.ts';
import { rerunCheckRun, rerunRequest, type RerunRequest } from './rerun.ts';
import { NOT_ALLOWED, nothing } from './results.ts';
import { onCheckRun, tellOnCheckRun } from './tell-on-check-run.ts';
import { findUndeployed, settleUndeployed } from './undeployed.ts';

/** What ended otherwise either worked, or was ended by a person or by a newer revision. */
const RERUNNABLE: readonly (string | null)[] = ['failure', 'timed_out', 'cancelled'];

export async function takeRerun(call: IntakeCall, event: RerunEvent): Promise<IntakeResult> {
  const { repository, checkRun } = event;
  const policy = policyFor(call.context.server.current(), fullName(repository));
  if (!policy) return NOT_ALLOWED;
  return onCheckRun(call, repository, checkRun, async () => {
    const request = await rerunRequest(call, event, policy);
    if (checkRun.name === CONFIG_CHECK_RUN_NAME) return rediscover(call, request, checkRun);
    if (rootOfCheckRun(checkRun.name) === undefined) return nothing('the check run is not that of a deployment');
    if (!RERUNNABLE.includes(checkRun.conclusion)) return tellOnCheckRun(call, repository, checkRun, NOT_RERUNNABLE);
    return rerunCheckRun(call, request, checkRun);
  });
}

const NOT_RERUNNABLE = 'this deployment did not fail: re-run all checks of the commit if it is to be planned once more';

/** The revision's configuration was refused; what the server allows may have changed since. */
export async function rediscover(
  call: IntakeCall,
  { repository, policy, branch, sender }: RerunRequest,
  checkRun: PressedCheckRun,
): Promise<IntakeResult> {
  const sha = checkRun.headSha;
  const refuse = (sentence: string) => tellOnCheckRun(call, repository, checkRun, sentence);
  const request = { repository, policy, action: 'rerun', login: sender, sha } as const;
  // Nothing is fetched or read for somebody who may not do it to any root.
  const anybody = await decide(call, { ...request, rootName: undefined });
  if (anybody.kind === 'no') return refuse(anybody.sentence);
  if (!(await call.context.mirrors.contains(repository, branch, sha, call.signal))) {
    return refuse(`only what is on ${branch} can be re-run, and this revision is not`);
  }

  const why = { trigger: 'manual', rerun: true, force: false, requestedBy: sender } as const;
  const stretch = { repository, branch, before: sha, after: sha };
  const undeployed = await findUndeployed(call, stretch);
  const range =
    undeployed.since === undefined
      ? ({ kind: 'commit', sha } as const)
      : ({ kind: 'push', before: undeployed.since, after: sha } as const);
  const result = await deployModified(call, { repository, policy, range, sha, branch, why }, async (rootNames) => {
    const denials = await denialsFor(call, request, rootNames);
    return denials.length > 0 ? refuse(`no root is re-run: ${denials.join('; ')}`) : undefined;
  });
  if (result.kind === 'refused') return result;
  await settleUndeployed(call, stretch, undeployed);
  await showConfigFine(call, repository, sha, checkRun.id);
  return result;
}
