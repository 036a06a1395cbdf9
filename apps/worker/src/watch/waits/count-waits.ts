/**
 * Counts what waits in all lanes, and why, for operators: from what Temporal lists anyway, and from the records of the lanes that
 * are at work. A lane that rests has nothing that waits.
 */
import { budgetsFor, placeOf } from '@nereid/config';
import { defined } from '@nereid/domain/defined';
import type { Deployment, DeploymentStatus, GateName } from '@nereid/domain/deployment';
import { askGate } from '@nereid/domain/gates';
import { parseLaneWorkflowId, type LaneRecord } from '@nereid/domain/lane';
import { fullName, type Repository } from '@nereid/domain/root';
import { WORKFLOW } from '@nereid/domain/temporal-names';
import { isUnreadableRecord } from '@nereid/storage';
import type { WorkflowExecutionInfo } from '@temporalio/client';
import pMap from 'p-map';
import type { WorkerContext } from '../../platform/context.ts';
import type { Waiting } from '../../platform/metrics/wait-metrics.ts';
import type { WaveContext } from '../../rollout/waves/find-wave.ts';
import { carriedBy, soakFacts } from '../../rollout/waves/soak-facts.ts';
import { stopFacts, type StopContext } from '../../root/stop-facts.ts';
import { windowFacts } from '../../root/window-facts.ts';
import { lanesAtWork, stateOf } from '../open-workflows.ts';
import { waitsInLane } from './waits-in-lane.ts';

export type OpenWorkflow = Pick<WorkflowExecutionInfo, 'workflowId' | 'type' | 'startTime' | 'typedSearchAttributes'>;

type Context = Pick<WorkerContext, 'laneRecords' | 'logger' | 'metrics' | 'server'> & StopContext & WaveContext;

/** The status of a deployment whose workflow runs; undefined of any other. */
type StatusOf = (deploymentId: string) => DeploymentStatus | undefined;

/** Storage has others to answer meanwhile. */
const AT_ONCE = 20;

/** Some ten seconds of a minute. If more lanes are at work, the numbers are those of the first ones. */
const LANES_READ = 2_000;

/** Only an abort is thrown: a look that fails leaves the numbers of the last one. */
export async function countWaits(context: Context, open: readonly OpenWorkflow[], signal: AbortSignal): Promise<void> {
  const lanes = open.filter(({ type }) => type === WORKFLOW.deploy);
  const statuses = new Map(
    open.filter(({ type }) => type === WORKFLOW.terraform).map((one) => [one.workflowId, statusOf(one)]),
  );
  const atWork = lanesAtWork(lanes).slice(0, LANES_READ);
  try {
    const found = await pMap(
      atWork,
      (lane) => {
        signal.throwIfAborted();
        return waitsIn(context, lane, (id) => statuses.get(id));
      },
      { concurrency: AT_ONCE },
    );
    context.metrics.onWaits({
      waiting: found.flat(),
      lanes: countEach(lanes.map((lane) => stateOf(lane) ?? 'idle')),
      deployments: countEach([...statuses.values()]),
    });
  } catch (error) {
    signal.throwIfAborted();
    context.logger.warn({ err: error }, 'what waits in the lanes could not be counted');
  }
}

/** Nobody knows more of a lane than that its record cannot be read. */
async function waitsIn(context: Context, lane: OpenWorkflow, statusOf: StatusOf): Promise<readonly Waiting[]> {
  const name = parseLaneWorkflowId(lane.workflowId);
  if (name === undefined) return [];
  try {
    const stored = await context.laneRecords.read(name, name.rootName);
    if (stored === undefined) return [];
    const { running } = stored.record;
    const status = running && statusOf(running.id);
    const gate = status === 'blocked' ? await closedGate(context, stored.record) : undefined;
    const waiting = waitsInLane(stored.record, { status, gate }, Date.now());
    // The lane can store nothing, so it starts nothing either.
    const isBlocked = stateOf(lane) === 'blocked';
    return waiting.map((one) => (isBlocked && one.reason === 'queue' ? { ...one, reason: 'outside' } : one));
  } catch (error) {
    if (!isUnreadableRecord(error)) throw error;
    return [{ repository: fullName(name), reason: 'record', since: lane.startTime.getTime() }];
  }
}

/** The gate that keeps the apply of what runs waiting, in the order in which control asks them. */
async function closedGate(context: Context, { repository, running }: LaneRecord): Promise<GateName | undefined> {
  if (running === undefined) return undefined;
  const digest = running.progress.plan?.made.body.digest;
  const deployment = { deploymentId: running.id, ...defined({ digest }) };
  const stops = await stopFacts(context, repository, running.root, deployment);
  const now = Date.now();
  if (askGate('stop', stops, now).kind !== 'passes') return 'stop';
  const server = context.server.current();
  const { root } = running;
  const { glass } = stops;
  const windows = windowFacts(server, { repository, root, door: 'apply', ...defined({ glass }) });
  if (askGate('window', windows, now).kind !== 'passes') return 'window';
  if (await waitsForWave(context, repository, running)) return 'soak';
  const budgets = budgetsFor(server, fullName(repository), placeOf(root));
  const hasBudget = budgets.some(({ applies }) => applies !== undefined);
  return hasBudget ? 'budget' : 'window';
}

/** Also while nobody knows: then control gives no permission either. */
async function waitsForWave(context: Context, repository: Repository, running: Deployment): Promise<boolean> {
  try {
    const carried = await carriedBy(context, repository, running);
    const facts = await soakFacts(context, repository, { ...running, carried });
    return askGate('soak', facts, Date.now()).kind !== 'passes';
  } catch (error) {
    context.logger.warn({ err: error, repository: fullName(repository) }, 'the waves of a merge cannot be had');
    return true;
  }
}

/** A deployment says how it stands once it has a host. */
function statusOf(workflow: OpenWorkflow): DeploymentStatus {
  return (stateOf(workflow) ?? 'preparing') as DeploymentStatus; // Its workflow writes nothing else.
}

function countEach(values: readonly string[]): Readonly<Record<string, number>> {
  const groups = Map.groupBy(values, (value) => value);
  return Object.fromEntries([...groups].map(([value, { length }]) => [value, length]));
}
