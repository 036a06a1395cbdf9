import { policyFor } from '@nereid/config';
import { CONFIG_CHECK_RUN_NAME, parseCheckRunName, PLAN_CHECK_RUN_NAME } from '@nereid/domain/deployment';
import type { IntakeResult, RerunAllEvent } from '@nereid/domain/intake';
import { fullName } from '@nereid/domain/root';
import type { IntakeCall } from '../intake-call.ts';
import { rerunPlan } from './rerun-plan.ts';
import { rerunRequest } from './rerun.ts';
import { rerunRoots } from './rerun-roots.ts';
import { NOT_ALLOWED, nothing } from '../results.ts';
import { rediscover } from './handle-rerun.ts';
import { onCheckRun } from '../check-run/refuse-on-check-run.ts';

/** Re-runs every root that has a check run of ours on the revision, whatever its conclusion. */
export async function handleRerunAll(call: IntakeCall, event: RerunAllEvent): Promise<IntakeResult> {
  const { repository, headSha } = event;
  const policy = policyFor(call.context.server.current(), fullName(repository));
  if (!policy) return NOT_ALLOWED;
  const checkRuns = await call.context.forge.status.ofRevision(repository, headSha);
  const request = await rerunRequest(call, event, policy);
  const deployments = checkRuns.filter(({ name }) => parseCheckRunName(name) !== undefined);
  const config = checkRuns.find(({ name }) => name === CONFIG_CHECK_RUN_NAME);
  if (deployments.length === 0) {
    const plan = checkRuns.find(({ name }) => name === PLAN_CHECK_RUN_NAME);
    const planning = { ...call, userActions: call.userActions.as('plan') };
    if (plan) return onCheckRun(planning, repository, plan, () => rerunPlan(planning, event, policy, plan));
    if (!config) return nothing('the revision has no check run of ours');
    return onCheckRun(call, repository, config, () => rediscover(call, request, config));
  }

  return rerunRoots(call, request, deployments);
}
