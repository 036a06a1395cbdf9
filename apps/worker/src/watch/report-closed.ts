/**
 * Looks after deployments whose terraform workflow was ended by force, when nobody else hears of it. If a lane follows the
 * deployment without being its parent, the lane is told. If the workflow had told its lane the end but was still storing
 * it, the end is stored in its place.
 */
import type { ClosedReport } from '@nereid/domain/activities';
import { defined } from '@nereid/domain/defined';
import type { Deployment, Progress } from '@nereid/domain/deployment';
import { trailFact } from '@nereid/domain/events';
import { type LaneRecord, type TerraformFound, lostFromSight } from '@nereid/domain/lane';
import { poolOf, type Repository } from '@nereid/domain/root';
import { MESSAGE, SEARCH_ATTRIBUTE, WORKFLOW } from '@nereid/domain/temporal-names';
import { auditEventOfEnd } from '@nereid/domain/trail';
import type { PreviewPlace } from '@nereid/storage';
import { defineSearchAttributeKey } from '@temporalio/common';
import pMap from 'p-map';
import type { WorkerContext } from '../platform/context.ts';
import { endInItsPlace } from '../lane/end/end-deployment.ts';
import { proveEnding } from '../lane/end/prove-ending.ts';
import { readEnding } from '../lane/find/ending-in-history.ts';
import { findTerraform } from '../lane/find/find-terraform.ts';
import { provenAudits } from '../lane/record/proven-audits.ts';
import { signalLane } from '../lane/signal-lane.ts';
import { onlyOrdered } from '../lane/verify-orders.ts';
import { endIfLost } from '../pull-request/lost-preview.ts';

/** Covers a night and a morning without a worker. */
const LOOK_BACK_MS = 24 * 60 * 60_000;

/** Nobody ends more at once except by mistake; the next round takes the rest. */
const LOOKED_AT_LIMIT = 500;

const AT_ONCE = 10;

const REPOSITORY = defineSearchAttributeKey(SEARCH_ATTRIBUTE.repository, 'KEYWORD');
const ROOT = defineSearchAttributeKey(SEARCH_ATTRIBUTE.root, 'KEYWORD');

/**
 * Looks at workflows that closed after `after`, oldest first. Returns the next `after`, or none when no workflow is left and
 * the next round begins again. Every round looks at each of them again, because a lane's record may not yet have the end that
 * the lane was told. `now` is in epoch milliseconds.
 */
export async function reportClosed(
  context: WorkerContext,
  after: string | undefined,
  signal: AbortSignal,
  now = Date.now(),
): Promise<ClosedReport> {
  const closed = (await listClosed(context)).filter(({ closedAt }) => after === undefined || closedAt > after);
  const batch = closed.slice(0, LOOKED_AT_LIMIT);
  const found = await pMap(
    batch,
    async (one) => {
      signal.throwIfAborted();
      return await reportEnd(context, one, signal, now);
    },
    { concurrency: AT_ONCE },
  );
  const last = closed.length > batch.length ? batch.at(-1)?.closedAt : undefined;
  return { found: found.flat(), ...defined({ after: last }) };
}

interface Closed {
  readonly deploymentId: string;
  readonly lane: { readonly owner: string; readonly name: string; readonly rootName: string };
  /** ISO 8601. */
  readonly closedAt: string;
}

/** Oldest first. */
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

/** Returns a sentence if something was done. A failure does not stop the other deployments. */
async function reportEnd(
  context: WorkerContext,
  closed: Closed,
  signal: AbortSignal,
  now: number,
): Promise<readonly string[]> {
  const { deploymentId, lane } = closed;
  try {
    const { owner, name, rootName } = lane;
    const isPreview = (await context.pullRequestRecords.readPreview(lane, rootName, deploymentId)) !== undefined;
    if (isPreview) return await endLostPreview(context, { owner, name, rootName, id: deploymentId }, signal);
    const record = (await context.laneRecords.read(lane, lane.rootName))?.record;
    if (record === undefined) return [];
    const { running, ended = [] } = record;
    if (running?.id === deploymentId) return await reportEndToLane(context, record, running, now);
    // The lane itself shows and stores the ended deployments of its record.
    if (ended.some(({ id }) => id === deploymentId)) return [];
    return await endUntold(context, closed, signal, now);
  } catch (error) {
    context.logger.warn({ err: error, deployment: deploymentId }, 'the end of a deployment could not be reported');
    return [`could not report the end of ${deploymentId}: the log says why`];
  }
}

/** No lane follows it. */
async function endLostPreview(
  context: WorkerContext,
  place: PreviewPlace,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (!(await endIfLost(context, place, signal))) return [];
  context.logger.warn({ deployment: place.id }, 'a preview was ended by force');
  return [`ended the preview ${place.id}, whose workflow was ended by force`];
}

async function reportEndToLane(
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

/** By then a lane that is the workflow's parent has heard of the end, and has stored it. */
const PARENT_STORES_MS = 60_000;

/** The next round finds an end that is not stored by then. */
const ENDING_MS = 60_000;

async function endUntold(
  context: WorkerContext,
  { deploymentId, lane, closedAt }: Closed,
  signal: AbortSignal,
  now: number,
): Promise<readonly string[]> {
  const closedAtMs = Date.parse(closedAt);
  if (now - closedAtMs < PARENT_STORES_MS) return [];
  if ((await context.deploymentRecords.find(lane, lane.rootName, deploymentId)) !== undefined) return [];
  const ending = await readEnding({ context, deploymentId, closedAt: closedAtMs, now });
  if (ending === undefined) return [];
  const attempt = { number: 1, signal, startToCloseMs: ENDING_MS };
  const proven = await proveEnding(context, { ...ending, show: { creationUncertain: true } });
  await endInItsPlace(context, proven, attempt);
  const { status } = proven.record.deployment.progress;
  context.logger.warn({ deployment: deploymentId, status }, 'a deployment was ended by force at its end');
  return [`stored that ${deploymentId} ended as ${status}`];
}

/**
 * The progress of the deployment at its end. The end of its apply is in the audit trail before anybody acts on it. Undefined
 * when the workflow itself or its host will report the end.
 */
async function progressOf(
  context: WorkerContext,
  { repository, rootName }: LaneRecord,
  running: Deployment,
  now: number,
): Promise<Progress | undefined> {
  const { id: deploymentId, root } = running;
  const found = await findTerraform(context, repository, rootName, { deploymentId, pool: poolOf(root) }, now);
  if (found.kind === 'ended') return found.progress;
  if (found.kind === 'completed') return found.result.progress;
  if (found.kind !== 'closed') return undefined;
  const progress = await believed(context, repository, running, found);
  const event = auditEventOfEnd(repository, { ...running, progress });
  const [ordered] = await onlyOrdered(context, repository, [{ deployment: { ...running, progress } }]);
  if (event !== undefined && ordered !== undefined)
    await context.publish(...(await provenAudits(context, { repository, ...ordered }, [event])).map(trailFact));
  return progress;
}

/** An outcome in the workflow's history may come from anybody. One that no host signed is not known. */
async function believed(
  context: WorkerContext,
  repository: Repository,
  running: Deployment,
  found: Extract<TerraformFound, { readonly kind: 'closed' }>,
): Promise<Progress> {
  const now = new Date().toISOString();
  const progress = lostFromSight(running, found, now);
  const [believable] = await onlyOrdered(context, repository, [{ deployment: { ...running, progress } }]);
  if (believable !== undefined || found.apply === undefined) return progress;
  const { outcome: _unsigned, ...apply } = found.apply;
  return lostFromSight(running, { ...found, apply }, now);
}
