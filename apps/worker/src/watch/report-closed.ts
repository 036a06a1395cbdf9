/**
 * Deployments whose terraform workflow was ended by force, and of which nobody else hears. One that its lane follows without
 * being its parent: the lane is told. One that had told its lane the end, and was still storing it: that is done in its place.
 */
import {
  auditEventOfEnd,
  MESSAGE,
  SEARCH_ATTRIBUTE,
  WORKFLOW,
  type ClosedReport,
  type Deployment,
  type LaneRecord,
  type Progress,
} from '@nereid/contracts';
import { lostFromSight } from '@nereid/lane';
import { defineSearchAttributeKey } from '@temporalio/common';
import type { WorkerContext } from '../context.ts';
import { mapAtOnce } from '../intake/map-at-once.ts';
import { endDeployment } from '../lane/end-deployment.ts';
import { readEnding } from '../lane/ending-in-history.ts';
import { findTerraform } from '../lane/find-terraform.ts';
import { signalLane } from '../lane/signal-lane.ts';
import { recordAudits } from '../record-audit.ts';

/** A night and a morning without a worker. */
const LOOK_BACK_MS = 24 * 60 * 60_000;

/** More at once are ended by nobody but by mistake; a next round takes the rest. */
const LOOKED_AT_LIMIT = 500;

const AT_ONCE = 10;

const REPOSITORY = defineSearchAttributeKey(SEARCH_ATTRIBUTE.repository, 'KEYWORD');
const ROOT = defineSearchAttributeKey(SEARCH_ATTRIBUTE.root, 'KEYWORD');

/**
 * Looks at those that closed after `after`, the oldest first; answers where to go on, or nothing when none is left and the next
 * round begins again. Each is asked about anew: what a lane was told once, its record may not know yet. `now` is in epoch
 * milliseconds.
 */
export async function reportClosed(
  context: WorkerContext,
  after: string | undefined,
  signal: AbortSignal,
  now = Date.now(),
): Promise<ClosedReport> {
  const closed = (await listClosed(context)).filter(({ closedAt }) => after === undefined || closedAt > after);
  const batch = closed.slice(0, LOOKED_AT_LIMIT);
  const found = await mapAtOnce(AT_ONCE, batch, async (one) => {
    signal.throwIfAborted();
    return await lookAfter(context, one, signal, now);
  });
  const last = closed.length > batch.length ? batch.at(-1)?.closedAt : undefined;
  return { found: found.flat(), ...(last !== undefined && { after: last }) };
}

interface Closed {
  readonly deploymentId: string;
  readonly lane: { readonly owner: string; readonly name: string; readonly rootName: string };
  /** ISO 8601. */
  readonly closedAt: string;
}

/** The oldest first. */
async function listClosed({ temporal }: WorkerContext): Promise<readonly Closed[]> {
  const since = new Date(Date.now() - LOOK_BACK_MS).toISOString();
  const query = `WorkflowType = '${WORKFLOW.terraform}' AND ExecutionStatus IN ('Terminated', 'Failed', 'TimedOut', 'Canceled') AND CloseTime > '${since}'`;
  const closed: Closed[] = [];
  for await (const { workflowId, closeTime, typedSearchAttributes } of temporal.workflow.list({ query })) {
    const [owner, name] = typedSearchAttributes.get(REPOSITORY)?.split('/') ?? [];
    const rootName = typedSearchAttributes.get(ROOT);
    if (!owner || !name || rootName === undefined || closeTime === undefined) continue;
    closed.push({ deploymentId: workflowId, lane: { owner, name, rootName }, closedAt: closeTime.toISOString() });
  }
  return closed.toSorted((one, other) => (one.closedAt < other.closedAt ? -1 : 1));
}

/** Answers a sentence where something was done; a deployment that fails here stops no other. */
async function lookAfter(
  context: WorkerContext,
  closed: Closed,
  signal: AbortSignal,
  now: number,
): Promise<readonly string[]> {
  const { deploymentId, lane } = closed;
  try {
    const record = (await context.laneRecords.read(lane, lane.rootName))?.record;
    if (record === undefined) return [];
    const { running, ended = [] } = record;
    if (running?.id === deploymentId) return await tellLane(context, record, running, now);
    // What stands in its record the lane shows and stores by itself.
    if (ended.some(({ id }) => id === deploymentId)) return [];
    return await endInItsPlace(context, closed, signal, now);
  } catch (error) {
    context.logger.warn({ err: error, deployment: deploymentId }, 'the end of a deployment could not be told');
    return [`could not tell the end of ${deploymentId}: the log says why`];
  }
}

async function tellLane(
  context: WorkerContext,
  record: LaneRecord,
  running: Deployment,
  now: number,
): Promise<readonly string[]> {
  const deploymentId = running.id;
  const progress = await progressOf(context, record, running, now);
  if (progress === undefined) return [];
  const body = { version: 1, deploymentId, progress, isClosed: true } as const;
  await signalLane(context, record.repository, record.rootName, { name: MESSAGE.deploymentEnded, body });
  context.logger.warn({ deployment: deploymentId, status: progress.status }, 'a deployment was ended by force');
  return [`told its lane that ${deploymentId} ended as ${progress.status}`];
}

/** A lane that is its parent hears that it closed, and has stored its end by then. */
const PARENT_STORES_MS = 60_000;

/** What is not stored by then is found by the next round. */
const ENDING_MS = 60_000;

async function endInItsPlace(
  context: WorkerContext,
  { deploymentId, lane, closedAt }: Closed,
  signal: AbortSignal,
  now: number,
): Promise<readonly string[]> {
  if (now - Date.parse(closedAt) < PARENT_STORES_MS) return [];
  if ((await context.deploymentRecords.find(lane, lane.rootName, deploymentId)) !== undefined) return [];
  const ending = await readEnding(context.temporal.workflow, deploymentId);
  if (ending === undefined) return [];
  const attempt = { number: 1, signal, startToCloseMs: ENDING_MS };
  const { isStored } = await endDeployment(context, { ...ending, show: { creationUncertain: true } }, attempt);
  const { status } = ending.record.deployment.progress;
  context.logger.warn({ deployment: deploymentId, status, isStored }, 'a deployment was ended by force at its end');
  return isStored ? [`stored that ${deploymentId} ended as ${status}`] : [];
}

/** What it came to; its apply's end stands in the audit trail before anybody acts on it. Undefined: it tells its end itself, or its host does. */
async function progressOf(
  context: WorkerContext,
  { repository, rootName }: LaneRecord,
  running: Deployment,
  now: number,
): Promise<Progress | undefined> {
  const found = await findTerraform(context, repository, rootName, running.id, now);
  if (found.kind === 'ended') return found.progress;
  if (found.kind === 'completed') return found.result.progress;
  if (found.kind !== 'closed') return undefined;
  const progress = lostFromSight(running, found, new Date().toISOString());
  const event = auditEventOfEnd(repository, { ...running, progress });
  if (event !== undefined) await recordAudits(context, [event]);
  return progress;
}
