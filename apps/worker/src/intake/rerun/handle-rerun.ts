/** Somebody asked the forge to re-run one of our check runs. */
import { policyFor } from '@nereid/config';
import { CONFIG_CHECK_RUN_NAME, parseCheckRunName, ROLLOUT_CHECK_RUN_NAME } from '@nereid/domain/deployment';
import type { IntakeResult, PressedCheckRun, RerunEvent } from '@nereid/domain/intake';
import { fullName } from '@nereid/domain/root';
import pMap from 'p-map';
import { showConfigFine } from '../revisions/config-check-run.ts';
import { deployModified, requestedBy } from '../revisions/deploy-modified.ts';
import { forgetRefusal } from '../../root/discover.ts';
import type { IntakeCall } from '../intake-call.ts';
import { broughtBy } from '../../person/contributors.ts';
import { lanePlace, LANES_ASKED } from '../../lane/lane-place.ts';
import { askerOf, decide, denialsFor } from '../../person/permission.ts';
import { rerunPlan } from './rerun-plan.ts';
import { rerunCheckRun, rerunRequest, type RerunRequest } from './rerun.ts';
import { rerunRoots } from './rerun-roots.ts';
import { NOT_ALLOWED, nothing } from '../results.ts';
import { onCheckRun, refuseOnCheckRun } from '../check-run/refuse-on-check-run.ts';
import { isOfPlan, subjectOf } from '../check-run/subject-of-press.ts';
import { isHaltedByCheck } from '../../rollout/waves/find-wave.ts';
import { findUndeployed, rangeOf, settleUndeployed } from '../revisions/undeployed.ts';

/** A rejected deployment counts as cancelled. Deployments with other conclusions worked, or were not needed. */
const RERUNNABLE: readonly (string | null)[] = ['failure', 'timed_out', 'cancelled'];

export async function handleRerun(call: IntakeCall, event: RerunEvent): Promise<IntakeResult> {
  const { repository, checkRun } = event;
  const policy = policyFor(call.context.server.current(), fullName(repository));
  if (!policy) return NOT_ALLOWED;
  return onCheckRun(call, repository, checkRun, async () => {
    if (isOfPlan(checkRun)) return rerunPlan(call, event, policy, checkRun);
    const request = await rerunRequest(call, event, policy);
    if (checkRun.name === CONFIG_CHECK_RUN_NAME) return rediscover(call, request, checkRun);
    if (checkRun.name === ROLLOUT_CHECK_RUN_NAME) return rerunFailed(call, request, checkRun);
    const rootName = parseCheckRunName(checkRun.name);
    if (rootName === undefined) return nothing('the check run does not belong to a deployment');
    if (!RERUNNABLE.includes(checkRun.conclusion)) {
      const endedWell = ENDED_WELL.includes(checkRun.conclusion);
      if (endedWell && (await isHaltedByCheck(call.context, repository, { sha: checkRun.headSha, rootName })))
        return rerunCheckRun(call, request, checkRun);
      const why = endedWell ? DID_NOT_FAIL : HAS_NOT_ENDED;
      return refuseOnCheckRun(call, repository, checkRun, `@${event.sender} pressed Re-run: ${why}`);
    }
    return rerunCheckRun(call, request, checkRun);
  });
}

/** The check run of a rollout failed because of these. */
async function rerunFailed(call: IntakeCall, request: RerunRequest, checkRun: PressedCheckRun): Promise<IntakeResult> {
  const { repository, sender } = request;
  const checkRuns = await call.context.forge.status.ofRevision(repository, checkRun.headSha);
  const failed = checkRuns.filter(
    ({ name, conclusion }) => parseCheckRunName(name) !== undefined && RERUNNABLE.includes(conclusion),
  );
  if (failed.length > 0) return rerunRoots(call, request, failed);
  return refuseOnCheckRun(call, repository, checkRun, `@${sender} pressed Re-run: ${NONE_FAILED}`);
}

const NONE_FAILED =
  'no deployment of this revision failed: re-run all checks of the commit if it is to be planned again';

const ENDED_WELL: readonly (string | null)[] = ['success', 'neutral'];

const DID_NOT_FAIL = 'this deployment did not fail: re-run all checks of the commit if it is to be planned once more';

const HAS_NOT_ENDED = 'this deployment has not ended: there is nothing to re-run';

/** For a revision whose configuration was refused: the server's file or the machine may have changed since. */
export async function rediscover(
  call: IntakeCall,
  rerun: RerunRequest,
  checkRun: PressedCheckRun,
): Promise<IntakeResult> {
  const { repository, policy, branch } = rerun;
  const sha = checkRun.headSha;
  const refuse = (sentence: string) => refuseOnCheckRun(call, repository, checkRun, sentence);
  const request = { repository, policy, action: 'rerun', ...askerOf(rerun), brought: () => broughtBy(sha) } as const;
  // Nothing is fetched or read for somebody who may not do it to any root.
  const anybody = await decide(call, { ...request, root: undefined });
  if (anybody.kind === 'no') return refuse(anybody.sentence);
  if (!(await call.context.mirrors.contains(repository, branch, sha, call.signal))) {
    return refuse(`only revisions on ${branch} can be re-run; this one is not on it`);
  }

  forgetRefusal(call, repository, sha);
  const why = { trigger: 'manual', rerun: true, force: false, ...requestedBy(askerOf(rerun)) } as const;
  const stretch = { repository, branch, before: sha, after: sha };
  const undeployed = await findUndeployed(call, stretch);
  const range = rangeOf(undeployed, stretch) ?? { kind: 'commit', sha };
  const result = await deployModified(
    call,
    { repository, policy, range, sha, branch, why },
    {
      async judge(roots) {
        const places = await pMap(roots, (root) => lanePlace(call, repository, root.name, [root]), LANES_ASKED);
        const denials = await denialsFor(call, request, places);
        return denials.length > 0 ? refuse(`no root is re-run: ${denials.join('; ')}`) : undefined;
      },
    },
  );
  if (result.kind === 'refused') {
    call.userActions.refused(subjectOf(checkRun), result.sentence);
    return result;
  }
  call.userActions.accepted(subjectOf(checkRun));
  await settleUndeployed(call, stretch, undeployed);
  if (checkRun.id !== undefined) await showConfigFine(call, repository, sha, checkRun.id);
  return result;
}
