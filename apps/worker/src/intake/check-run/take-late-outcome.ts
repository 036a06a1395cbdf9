/** Shows the late outcome of an apply, which had been given up as unknown, on the deployment's check run. */
import { fullName, type IntakeResult, type LateOutcomeEvent } from '@nereid/contracts';
import { policyFor } from '@nereid/config';
import type { IntakeCall } from '../intake-call.ts';
import { withFailureReported } from '../with-failure-reported.ts';
import { NOT_ALLOWED, nothing, shown } from '../results.ts';
import { writeEnded } from './write-ended.ts';

/** Only informs: the lane stays locked, because only people know what they did meanwhile. */
export async function takeLateOutcome(call: IntakeCall, event: LateOutcomeEvent): Promise<IntakeResult> {
  const { repository, rootName, deploymentId, sentence } = event;
  if (!policyFor(call.context.server.current(), fullName(repository))) return NOT_ALLOWED;
  const deployment = (await call.context.deploymentRecords.find(repository, rootName, deploymentId))?.deployment;
  if (deployment === undefined) return nothing(`there is no record of deployment ${deploymentId}`);
  const checkRun = deployment.checkRuns.at(-1);
  if (checkRun === undefined) return nothing(`deployment ${deploymentId} has no check run`);

  // Otherwise the host would report it for ever.
  return withFailureReported(
    async () => {
      await writeEnded(call, { repository, checkRun, deployment, notice: sentence });
      return shown(sentence);
    },
    (why) => Promise.resolve(nothing(`GitHub does not show it: ${why}`)),
  );
}
