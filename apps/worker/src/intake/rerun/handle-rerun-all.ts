import { policyFor } from '@nereid/config';
import { CONFIG_CHECK_RUN_NAME, parseCheckRunName, PLAN_CHECK_RUN_NAME } from '@nereid/domain/deployment';
import type { IntakeResult, RerunAllEvent } from '@nereid/domain/intake';
import { fullName } from '@nereid/domain/root';
import type { IntakeCall } from '../intake-call.ts';
import { rerunPlan } from './rerun-plan.ts';
import { deployReruns, judgeRerun, rerunRequest, type ReadyRerun } from './rerun.ts';
import { NOT_ALLOWED, nothing, refused, signalled } from '../results.ts';
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

  const results: IntakeResult[] = [];
  const ready: ReadyRerun[] = [];
  // One after the other: each may ask the forge several things, and nobody waits for the last one.
  for (const checkRun of deployments) {
    const result = await onCheckRun(call, repository, checkRun, async () => {
      const judged = await judgeRerun(call, request, checkRun);
      if (judged.kind !== 'ready') return judged;
      ready.push(judged);
      return READY;
    });
    if (result !== READY) results.push(result);
  }
  const [first] = ready;
  if (first) {
    const deployed = async () => inOne(await deployReruns(call, request, ready), ready.length);
    results.unshift(await onCheckRun(call, repository, first.checkRun, deployed));
  }
  return inOne(results, deployments.length);
}

const READY = nothing('it is deployed with the others');

function inOne(results: readonly IntakeResult[], all: number): IntakeResult {
  const workflows = results.flatMap((result) => result.workflows);
  const no = results.find(({ kind }) => kind === 'refused');
  const why = no ? `; the first refusal: ${no.sentence}` : '';
  const sentence = `${workflows.length} of ${all} roots are re-run${why}`;
  return workflows.length > 0 ? signalled(sentence, workflows) : refused(sentence);
}
