import { PLAN_CHECK_RUN_NAME } from '@nereid/domain/deployment';
import type { IntakeResult, RequestFor } from '@nereid/domain/intake';
import { pullRequestWorkflowId } from '@nereid/domain/pull-request';
import type { IntakeCall } from '../intake-call.ts';
import { rerunPlan } from '../rerun/rerun-plan.ts';
import { refuseRequest, type ProvenRequest } from './refuse-request.ts';

/** As Re-run on the check run of a pull request, for the head that was planned. */
export async function planAgain(
  call: IntakeCall,
  event: ProvenRequest,
  request: RequestFor<'plan'>,
): Promise<IntakeResult> {
  const { repository, policy } = event;
  const number = request.pullRequest;
  const look = (await call.context.pullRequestRecords.read(repository, { number }))?.look;
  if (look === undefined) return refuseRequest(call, event, `#${number} was not looked at yet`);
  if (!look.isOpen) return refuseRequest(call, event, `#${number} is closed`);
  const externalId = pullRequestWorkflowId(repository, { number });
  const checkRun = { name: PLAN_CHECK_RUN_NAME, headSha: look.headSha, externalId, conclusion: null };
  return rerunPlan(call, event, policy, checkRun, request.roots);
}
