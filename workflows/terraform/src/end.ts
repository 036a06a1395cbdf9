/** The end of a deployment: its lane hears of it first, so that the next one goes on, and GitHub at the same time. */
import { ApplicationFailure, getExternalWorkflowHandle } from '@temporalio/workflow';
import { MESSAGE, type DeploymentEnded, type TerraformResult } from '@nereid/contracts';
import { cleaningOn, finishDeployment, tellLane } from './activities.ts';
import { deploymentOf, inBackground, showState, timestamp, type Run } from './run.ts';
import { endIsShown, endIsShownWithin } from './show.ts';

export async function end(run: Run): Promise<TerraformResult> {
  inBackground(run, 'telling the lane', () => tell(run));
  showState(run);
  inBackground(run, 'the clean-up', () => cleanUp(run));
  inBackground(run, 'the record of the deployment', () => finish(run));
  await endIsShown(run);
  // A review that is refused meanwhile adds to it.
  while (run.background.length > 0) await Promise.all(run.background.splice(0));
  const { progress, checkRuns, reported, notice } = run;
  return { progress, checkRuns, reported, ...(notice && { notice }) };
}

/** A lane that has ended meanwhile is started by it. */
async function tell({ input, progress }: Run): Promise<void> {
  const { deployment, laneId, repository } = input;
  const message: DeploymentEnded = { version: 1, deploymentId: deployment.id, progress };
  try {
    await getExternalWorkflowHandle(laneId).signal(MESSAGE.deploymentEnded, message);
  } catch (error) {
    if (!isNotThere(error)) throw error;
    await tellLane(repository, deployment.root.name, message);
  }
}

/** What stays behind on a dead host is its janitor's. */
async function cleanUp({ hosts, durations, input }: Run): Promise<void> {
  const { id } = input.deployment;
  await Promise.allSettled([...hosts].map((hostId) => cleaningOn(hostId, durations).cleanUpHost(id)));
}

/** People are told first, as long as GitHub answers at all; then the record names all check runs. */
async function finish(run: Run): Promise<void> {
  await endIsShownWithin(run, run.durations.tellFirstMs);
  const { status, times } = run.progress;
  const record = {
    version: 1,
    repository: run.input.repository,
    deployment: deploymentOf(run),
    endedAt: times[status] ?? timestamp(),
  } as const;
  await finishDeployment({ record, audits: run.audits.splice(0), deletesPlan: run.keepsPlan });
}

function isNotThere(error: unknown): boolean {
  return error instanceof ApplicationFailure && error.type === 'ExternalWorkflowExecutionNotFound';
}
