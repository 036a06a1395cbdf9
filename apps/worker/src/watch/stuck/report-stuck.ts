/**
 * Raises the alarm for stuck workflows. It ends and resets nothing: a bad release makes every lane stuck at once, a person
 * undoes that with another release, and every open review is still there.
 */
import type { StuckReport, StuckWorkflow } from '@nereid/domain/activities';
import { defined } from '@nereid/domain/defined';
import { WORKFLOW } from '@nereid/domain/temporal-names';
import type { WorkerContext } from '../../platform/context.ts';
import { inspectWorkflows, suspectsAmong, troubleOf, type Looked } from './find-stuck.ts';
import { countWaits } from '../waits/count-waits.ts';
import { listOpen } from '../open-workflows.ts';
import { showGoesOn, showStuck } from './stuck-check-runs.ts';

/** 200 × 400 bytes go from each watch to the next. Further stuck workflows are counted, but not shown on check runs. */
const LISTED_LIMIT = 200;

/** The forge's budget for a minute has room for these besides the lanes that work; the next round goes on with the rest. */
const CHECK_RUNS_A_ROUND = 50;

/**
 * Reports each stuck workflow in the log, in a metric, and on the check runs that it writes. Log and check runs say it
 * once, when it is found first, as `before` remembers. When the workflow goes on, it writes its check runs again. The same list
 * of workflows tells what waits in the lanes.
 */
export async function reportStuck(
  context: WorkerContext,
  before: readonly StuckWorkflow[],
  signal: AbortSignal,
): Promise<StuckReport> {
  const open = await listOpen(context);
  const looked = await inspectWorkflows(context, await suspectsAmong(context, open, before), signal);
  const stuck = looked.filter(({ how }) => how === 'stuck');
  context.metrics.onStuckWorkflows(countByType(stuck));
  const listed = await list(context, stuck, before);
  const workflows = [...(await show(context, listed, signal)), ...(await showEnds(context, looked, before))];
  await countWaits(context, open, signal);
  return { count: stuck.length, workflows };
}

function countByType(stuck: readonly Looked[]): Readonly<Record<string, number>> {
  const count = (type: string) => stuck.filter((one) => one.type === type).length;
  return { [WORKFLOW.deploy]: count(WORKFLOW.deploy), [WORKFLOW.terraform]: count(WORKFLOW.terraform) };
}

/** Known workflows come first: they stay listed, however many new ones there are. */
async function list(
  { temporal, logger, publish }: WorkerContext,
  stuck: readonly Looked[],
  before: readonly StuckWorkflow[],
): Promise<readonly StuckWorkflow[]> {
  const known = before
    .filter((one) => stuck.some((other) => isSame(one, other)))
    .map(({ goesOn: _past, ...one }) => one);
  const found = stuck.filter((one) => !known.some((other) => isSame(one, other)));
  const listed: StuckWorkflow[] = [];
  for (const { workflowId, runId, type } of found.slice(0, Math.max(0, LISTED_LIMIT - known.length))) {
    const { stuckAfter, ...trouble } = await troubleOf(temporal, { workflowId, runId });
    const one = { workflowId, runId, type, ...defined({ stuckAfter }) };
    await publish({ kind: 'stuck', id: `${idOf(one)}:stuck`, workflowId, runId, type, ...trouble });
    listed.push({ ...one, reason: trouble.reason, isShown: false });
  }
  const unlisted = found.length - listed.length;
  if (unlisted > 0) logger.error({ count: stuck.length, unlisted }, 'more workflows are stuck than are listed');
  return [...known, ...listed];
}

/** If the check runs of a workflow cannot be written, the next round tries again; the other workflows go on. */
async function show(
  context: WorkerContext,
  listed: readonly StuckWorkflow[],
  signal: AbortSignal,
): Promise<readonly StuckWorkflow[]> {
  const shown: StuckWorkflow[] = [];
  let written = 0;
  for (const one of listed) {
    if (one.isShown || written >= CHECK_RUNS_A_ROUND) {
      shown.push(one);
      continue;
    }
    try {
      written += await showStuck(context, one, signal);
      shown.push({ ...one, isShown: true });
    } catch (error) {
      signal.throwIfAborted();
      context.logger.warn(
        { err: error, workflowId: one.workflowId },
        'check runs do not say yet that a workflow is stuck',
      );
      shown.push(one);
    }
  }
  return shown;
}

/** The same for each event about this time of being stuck: a workflow may be stuck again, after it went on. */
function idOf({ runId, stuckAfter }: Pick<StuckWorkflow, 'runId' | 'stuckAfter'>): string {
  return stuckAfter === undefined ? runId : `${runId}:${stuckAfter}`;
}

/** Returns workflows of which nobody was told yet that they go on. The check runs of closed ones are left to their successors. */
async function showEnds(
  context: WorkerContext,
  looked: readonly Looked[],
  before: readonly StuckWorkflow[],
): Promise<readonly StuckWorkflow[]> {
  const left: StuckWorkflow[] = [];
  for (const one of before) {
    const now = looked.find(({ workflowId }) => workflowId === one.workflowId);
    if (now?.how === 'stuck') continue;
    if (now?.how === 'unknown' || !(await isTold(context, one, now === undefined))) left.push({ ...one, goesOn: true });
  }
  return left;
}

async function isTold(context: WorkerContext, one: StuckWorkflow, hasEnded: boolean): Promise<boolean> {
  try {
    if (one.isShown && !hasEnded) await showGoesOn(context, one);
    const { workflowId, type } = one;
    const id = `${idOf(one)}:goes-on`;
    await context.publish({ kind: 'goes-on', id, workflowId, type, ...(hasEnded && { hasEnded }) });
    return true;
  } catch (error) {
    context.logger.warn({ err: error, workflowId: one.workflowId }, 'check runs still say that a workflow is stuck');
    return false;
  }
}

function isSame(one: Pick<Looked, 'workflowId' | 'runId'>, other: Pick<Looked, 'workflowId' | 'runId'>): boolean {
  return one.workflowId === other.workflowId && one.runId === other.runId;
}
