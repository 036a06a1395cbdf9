/** Somebody asked GitHub to re-run one of our check runs. */
import type { IntakeResult, PressedCheckRun, RerunEvent } from '@nereid/contracts';
import { CONFIG_CHECK_RUN_NAME } from '@nereid/github';
import { rootOfCheckRun } from './check-run-root.ts';
import { showConfigFine } from './config-check-run.ts';
import { deployModified } from './deploy-modified.ts';
import type { IntakeCall } from './intake-call.ts';
import { decide } from './permission.ts';
import { rerunCheckRun, rerunRequest, type RerunRequest } from './rerun.ts';
import { NOT_ALLOWED, nothing } from './results.ts';
import { tellOnCheckRun } from './tell-on-check-run.ts';

/** What ended otherwise either worked, or was ended by a person or by a newer revision. */
const RERUNNABLE: readonly (string | null)[] = ['failure', 'timed_out', 'cancelled'];

export async function takeRerun(call: IntakeCall, event: RerunEvent): Promise<IntakeResult> {
  const { repository, checkRun } = event;
  const request = await rerunRequest(call, event);
  if (!request) return NOT_ALLOWED;
  if (checkRun.name === CONFIG_CHECK_RUN_NAME) return rediscover(call, request, checkRun);
  if (rootOfCheckRun(checkRun.name) === undefined) return nothing('the check run is not that of a deployment');
  if (!RERUNNABLE.includes(checkRun.conclusion)) {
    const sentence = 'only a deployment that failed, timed out or was cancelled can be re-run';
    return tellOnCheckRun(call, repository, checkRun, sentence);
  }
  return rerunCheckRun(call, request, checkRun);
}

/** The revision's configuration was refused; what the server allows may have changed since. */
export async function rediscover(
  call: IntakeCall,
  { repository, policy, branch, sender }: RerunRequest,
  checkRun: PressedCheckRun,
): Promise<IntakeResult> {
  const sha = checkRun.headSha;
  const request = { repository, policy, rootName: undefined, action: 'rerun', login: sender, sha } as const;
  const decision = await decide(call, request);
  if (decision.kind === 'no') return tellOnCheckRun(call, repository, checkRun, decision.sentence);
  if (!(await call.context.mirrors.contains(repository, branch, sha, call.signal))) {
    const sentence = `only what is on ${branch} can be re-run, and this revision is not`;
    return tellOnCheckRun(call, repository, checkRun, sentence);
  }

  const why = { trigger: 'manual', rerun: true, force: false, requestedBy: sender } as const;
  const range = { kind: 'commit', sha } as const;
  const result = await deployModified(call, { repository, policy, range, sha, branch, why });
  if (result.kind !== 'refused') await showConfigFine(call, repository, sha, checkRun.id);
  return result;
}
