/** Writes check runs while their own workflow is stuck. Only then does somebody else write them. */
import type { StuckWorkflow } from '@nereid/domain/activities';
import {
  checkRunName,
  previewCheckRunName,
  type Deployment,
  type Presentation,
  type TerraformInput,
} from '@nereid/domain/deployment';
import { parseLaneWorkflowId, type LaneRecord, viewOfRecord, waits } from '@nereid/domain/lane';
import { WORKFLOW } from '@nereid/domain/temporal-names';
import { WorkflowNotFoundError } from '@temporalio/client';
import pMap from 'p-map';
import type { WorkerContext } from '../../platform/context.ts';
import { showCheckRuns } from '../../lane/show/show-check-runs.ts';
import { sendNotice } from '../../lane/send-notice.ts';
import { onlyOrdered } from '../../lane/verify-orders.ts';
import { decodeFirst } from '@nereid/process';

/** A batch, as lanes write them. People who wait further back see the deployments that go before. */
const DEPLOYMENTS_LIMIT = 50;

/** For the check runs of one lane. */
const SHOW_MS = 60_000;

const NOTICES_AT_ONCE = 5;

const GOES_ON = 'It was stuck for a while, and goes on again.';

type Stuck = Pick<StuckWorkflow, 'workflowId' | 'runId' | 'type' | 'reason'>;

/** Returns the number of check runs that were written. Throws when it should be tried again. */
export async function showStuck(context: WorkerContext, stuck: Stuck, signal: AbortSignal): Promise<number> {
  return stuck.type === WORKFLOW.deploy ? await showLane(context, stuck, signal) : await showDeployment(context, stuck);
}

/** Has the workflow write its check runs again, with a notice on top. Throws when it should be tried again. */
export async function showGoesOn(context: WorkerContext, { workflowId, type }: Stuck): Promise<void> {
  const deploymentIds = type === WORKFLOW.terraform ? [workflowId] : await waitingIn(context, workflowId);
  await pMap(deploymentIds, (deploymentId) => sendNotice(context, workflowId, { deploymentId, sentence: GOES_ON }), {
    concurrency: NOTICES_AT_ONCE,
  });
}

async function showLane(context: WorkerContext, stuck: Stuck, signal: AbortSignal): Promise<number> {
  const record = await recordOf(context, stuck.workflowId);
  if (record === undefined) return 0;
  const notice = `This root is stuck: its workflow fails (${stuck.reason}). An operator has to look at it: see the runbook.`;
  const ordered = await onlyOrdered(context, record.repository, await presentationsOf(context, record));
  const presentations = ordered.map((one) => ({ ...one, notice }));
  const shown = await showCheckRuns(context, record.repository, presentations, { startToCloseMs: SHOW_MS, signal });
  const failed = shown.find(({ kind }) => kind === 'failed' || kind === 'limited');
  if (failed !== undefined && 'why' in failed) throw new Error(failed.why);
  return shown.length;
}

async function waitingIn(context: WorkerContext, laneId: string): Promise<readonly string[]> {
  const record = await recordOf(context, laneId);
  const waiting = record === undefined ? [] : viewOfRecord(record).waiting;
  return waiting.slice(0, DEPLOYMENTS_LIMIT).map(({ id }) => id);
}

async function recordOf({ laneRecords }: WorkerContext, laneId: string): Promise<LaneRecord | undefined> {
  const lane = parseLaneWorkflowId(laneId);
  return lane && (await laneRecords.read(lane, lane.rootName))?.record;
}

/** The check runs that the lane writes: those of waiting deployments, and of a running one whose own workflow has ended. */
async function presentationsOf(context: WorkerContext, record: LaneRecord): Promise<readonly Presentation[]> {
  const { lock, running, manual, merged } = record;
  const wait = waits({ lock, running, queue: { manual, merged } });
  const own = running !== undefined && !(await isOpen(context, running.id)) ? [{ deployment: running }] : [];
  const waiting = viewOfRecord(record).waiting.map((deployment) => ({ deployment, ...wait(deployment) }));
  // The record may know fewer check runs than there are.
  return [...own, ...waiting].slice(0, DEPLOYMENTS_LIMIT).map((one) => ({ ...one, creationUncertain: true }));
}

async function isOpen({ temporal }: WorkerContext, workflowId: string): Promise<boolean> {
  try {
    return (await temporal.workflow.getHandle(workflowId).describe()).status.name === 'RUNNING';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}

/**
 * Adds a notice to the check run and keeps the rest, because only the workflow knows the progress. The buttons go, because
 * nobody would take a press; they come back when the workflow goes on.
 */
async function showDeployment(context: WorkerContext, { workflowId, runId, reason }: Stuck): Promise<number> {
  const { repository, deployment } = await inputOf(context, workflowId, runId);
  const newest = await newestCheckRun(context, repository, deployment);
  if (newest === undefined) return 0;
  const sentence = `This deployment is stuck: its workflow fails (${reason}). An operator has to look at it: see the runbook.`;
  await context.forge.status.addNotice(repository, newest.id, sentence);
  return 1;
}

async function newestCheckRun(
  { forge }: WorkerContext,
  repository: TerraformInput['repository'],
  { id, root, revision, preview }: Deployment,
) {
  const name = preview ? previewCheckRunName(root.name) : checkRunName(root.name);
  const [newest] = await forge.status.find(repository, preview?.headSha ?? revision.sha, name, id);
  return newest;
}

async function inputOf({ temporal }: WorkerContext, workflowId: string, runId: string): Promise<TerraformInput> {
  const { history } = await temporal.workflow.workflowService.getWorkflowExecutionHistory({
    namespace: temporal.options.namespace,
    execution: { workflowId, runId },
    maximumPageSize: 1,
  });
  const input = history?.events?.[0]?.workflowExecutionStartedEventAttributes?.input;
  return (await decodeFirst(temporal.options, input)) as TerraformInput; // The contract of that workflow.
}
