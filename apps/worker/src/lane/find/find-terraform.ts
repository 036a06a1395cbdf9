/** Finds the state of a terraform workflow, in Temporal as long as Temporal remembers it, else in storage. */
import { hasEnded, type DeploymentRecord, type Progress, type BegunApply } from '@nereid/domain/deployment';
import { isReturnedEnd, type ReturnedEnd, type TerraformFound } from '@nereid/domain/lane';
import type { Repository } from '@nereid/domain/root';
import { MESSAGE } from '@nereid/domain/temporal-names';
import { WorkflowNotFoundError, type WorkflowHandle } from '@temporalio/client';
import type { WorkerContext } from '../../platform/context.ts';
import { readLastApply, type HistoryEvent, type LastApply } from './apply-in-history.ts';
import { readMessage, type Reading } from './read-message.ts';
import { MESSAGE_MS } from '../start-lane.ts';
import { isHeardOf } from '../hosts/why-no-host.ts';

type Asked = Pick<
  WorkerContext,
  'temporal' | 'signatures' | 'deploymentRecords' | 'begunApplies' | 'hostRecords' | 'logger'
>;

/** `now` is in epoch milliseconds. */
export async function findTerraform(
  context: Asked,
  repository: Pick<Repository, 'owner' | 'name'>,
  rootName: string,
  { deploymentId, pool }: { readonly deploymentId: string; readonly pool: string },
  now = Date.now(),
): Promise<TerraformFound> {
  const handle = context.temporal.workflow.getHandle(deploymentId);
  const workflow = await describe(handle);
  const isClosed = workflow !== undefined && workflow.status !== 'RUNNING';
  const history = isClosed ? await readHistory(handle) : undefined;
  const reading = { context, deploymentId, closedAt: workflow?.closedAt ?? now, now };
  const result = await readResult(reading, history?.at(-1));
  if (result !== undefined) return { kind: 'completed', result };

  // The workflow may have been ended by force, or forgotten, after its end was recorded. One that returned no end was none of ours.
  const record = await context.deploymentRecords.find(repository, rootName, deploymentId);
  if (workflow?.status === 'RUNNING') return findRunning(context, handle, record);
  if (workflow?.closedAt !== undefined && now - workflow.closedAt < LATE_WRITES_MS) return { kind: 'closing' };
  if (record !== undefined) return { kind: 'ended', progress: record.deployment.progress };
  const marker = await readMarker(context, pool, deploymentId);
  const asked = history && (await readLastApply(reading, history));
  if (marker !== undefined && !saysHowItEnded(asked) && (await mayBeAtWork(context, marker)))
    return { kind: 'closing' };
  const apply = joined(asked, marker);
  if (workflow === undefined && apply === undefined) return { kind: 'not-started' };
  return { kind: 'closed', ...(apply && { apply }) };
}

async function readHistory(handle: WorkflowHandle): Promise<readonly HistoryEvent[]> {
  return (await handle.fetchHistory()).events ?? [];
}

const END = { is: isReturnedEnd, what: 'the end of a deployment' };

/** Undefined when the workflow was ended by force, or returned what is no end. */
async function readResult(reading: Reading, last: HistoryEvent | undefined): Promise<ReturnedEnd | undefined> {
  const completed = last?.workflowExecutionCompletedEventAttributes;
  if (!completed) return undefined;
  return (await readMessage(reading, completed.result, END)) as ReturnedEnd | undefined; // So says its shape.
}

/** Undefined when no apply began, even if another deployment had its turn since. */
async function readMarker(
  { begunApplies }: Asked,
  pool: string,
  deploymentId: string,
): Promise<BegunApply | undefined> {
  const marker = await begunApplies.of(pool).read(deploymentId);
  return marker?.overtakenBy === undefined ? marker : undefined;
}

/**
 * A worker may still be writing the check run of a workflow that was ended by force. It hears of the end with its next
 * heartbeat, within five seconds, and GitHub takes ten for a request at most. Anything written before that may be
 * overwritten.
 */
const LATE_WRITES_MS = 20_000;

/** The time limit of most applies, and the time that their ends take. A longer apply is reported later, by its host. */
const APPLY_MS = 70 * 60_000;

/** Whether the process that began the apply lives, and has not said how the apply ended. */
async function mayBeAtWork({ hostRecords }: Asked, { outcome, hostId, at }: BegunApply): Promise<boolean> {
  if (outcome !== undefined || Date.now() - Date.parse(at) > APPLY_MS) return false;
  const host = await hostRecords.read(hostId);
  return host?.startedAt !== undefined && Date.parse(host.startedAt) <= Date.parse(at) && isHeardOf(host, Date.now());
}

/** Undefined when Temporal has forgotten the workflow, or never knew it. */
async function describe(
  handle: WorkflowHandle,
): Promise<{ readonly status: string; readonly closedAt?: number } | undefined> {
  try {
    const { status, closeTime } = await handle.describe();
    return { status: status.name, ...(closeTime && { closedAt: closeTime.getTime() }) };
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined;
    throw error;
  }
}

/** The workflow may have told its end to a former run of the lane. One that does not answer tells its end by itself. */
async function findRunning(
  context: Asked,
  handle: WorkflowHandle,
  record: DeploymentRecord | undefined,
): Promise<TerraformFound> {
  const progress = await queryProgress(context, handle);
  if (progress !== undefined && hasEnded(progress.status)) return { kind: 'ended', progress };
  if (record === undefined) return { kind: 'running' };
  if (progress === undefined) return { kind: 'ended', progress: record.deployment.progress };
  await terminateRestored(context, handle);
  return { kind: 'closing' };
}

/** The progress of a deployment; undefined when its workflow does not answer. */
export async function queryProgress(
  { temporal, logger }: Pick<WorkerContext, 'temporal' | 'logger'>,
  handle: WorkflowHandle,
): Promise<Progress | undefined> {
  try {
    return await temporal.withDeadline(Date.now() + MESSAGE_MS, () => handle.query<Progress>(MESSAGE.progress));
  } catch (error) {
    logger.warn({ err: error, deployment: handle.workflowId }, 'a deployment does not report its progress');
    return undefined;
  }
}

/**
 * A workflow that is at work after its end was recorded comes from a backup of Temporal. It would wait for a week for
 * the review of a plan that was applied.
 */
async function terminateRestored({ logger }: Asked, handle: WorkflowHandle): Promise<void> {
  logger.warn({ deployment: handle.workflowId }, 'a deployment that has ended is at work again, and is terminated');
  try {
    await handle.terminate('Its deployment has ended: Temporal was restored from a backup that does not know it.');
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}

/** The host's marker counts more than the workflow's history: if there is a marker, something began. */
function joined(asked: LastApply | undefined, marker: BegunApply | undefined): LastApply | undefined {
  if (marker === undefined) return asked;
  const { jobId, hostId, outcome = saysHowItEnded(asked) ? asked?.outcome : undefined } = marker;
  return { jobId, hostId, ...(outcome && { outcome }) };
}

function saysHowItEnded(asked: LastApply | undefined): boolean {
  const kind = asked?.outcome?.kind;
  return kind === 'applied' || kind === 'failed' || kind === 'unknown';
}
