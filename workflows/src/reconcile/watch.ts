import {
  ActivityFailure,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  upsertSearchAttributes,
  workflowInfo,
  type ActivityOptions,
} from '@temporalio/workflow';
import type { StuckReport, WatchActivities, WatchParts, WatchResult } from '@nereid/domain/activities';
import { defined } from '@nereid/domain/defined';
import type { PartArguments, PartResult } from '@nereid/domain/parts';
import { STATE } from '../search-attributes.ts';

/** A later run tries a failed part again. */
const PATIENCE = {
  startToCloseTimeout: '10m',
  heartbeatTimeout: '20s',
  retry: { maximumAttempts: 2, initialInterval: '5s' },
} as const satisfies ActivityOptions;

/** It takes minutes until anybody misses a lane. Each look asks Temporal for all lanes, and storage for some. */
const LANES_EVERY_MS = 5 * 60_000;

/** The Schedule starts a run late now and then. With this tolerance, the fifth run after a look is the next to look. */
const LATE_MS = 30_000;

/** People read the result. */
const FOUND_LIMIT = 100;
const WHY_LIMIT = 300;
const LISTED_LIMIT = 50;

/** The first run knows of no stuck workflow. */
const NOTHING: StuckReport = { count: 0, workflows: [] };

/**
 * Raises the alarm for stuck workflows, and starts lanes that were ended by force. Every five minutes, it also looks for lanes that
 * Temporal has lost, and tells lanes of ends that they have not heard of. It goes on where the last run stopped; a part that fails holds up no other.
 */
export async function watch(): Promise<WatchResult> {
  const { startTime } = workflowInfo();
  const last = await perform('lastWatch');
  const failed: string[] = [];

  const before = last?.stuck ?? NOTHING;
  const stuck = await attempt(failed, before, 'reportStuck', before.workflows);
  showState(stuck, failed);
  const isDue = last === null || startTime.getTime() - Date.parse(last.lanesAt) >= LANES_EVERY_MS - LATE_MS;
  if (!isDue) return { ...last, stuck, found: [], failed };

  const resumed = await attempt(failed, [], 'resumeLanes');
  const untold = last?.closedAfter === undefined ? {} : { after: last.closedAfter };
  const closed = await attempt(failed, { ...untold, found: [] }, 'reportClosed', last?.closedAfter);
  showState(stuck, failed);
  return {
    stuck,
    found: [...resumed, ...closed.found].slice(0, FOUND_LIMIT),
    failed,
    lanesAt: startTime.toISOString(),
    ...defined({ closedAfter: closed.after }),
  };
}

const perform: WatchActivities['watch'] = (part, ...asked) =>
  proxyActivities<WatchActivities>({ ...PATIENCE, summary: part }).watch(part, ...asked);

async function attempt<Part extends keyof WatchParts>(
  failed: string[],
  otherwise: PartResult<WatchParts[Part]>,
  part: Part,
  ...asked: PartArguments<WatchParts[Part]>
): Promise<PartResult<WatchParts[Part]>> {
  try {
    return await perform(part, ...asked);
  } catch (error) {
    if (isCancellation(error) || !(error instanceof ActivityFailure)) throw error;
    failed.push(`${part}: ${error.cause?.message ?? error.message}`.slice(0, WHY_LIMIT));
    return otherwise;
  }
}

/** A stuck workflow cannot show its state in lists, so the runs of the watch do. */
function showState(stuck: StuckReport, failed: readonly string[]): void {
  const state = stuck.count > 0 ? 'stuck' : failed.length > 0 ? 'failing' : 'ok';
  if (workflowInfo().typedSearchAttributes.get(STATE) !== state) upsertSearchAttributes([{ key: STATE, value: state }]);
  setCurrentDetails(describe(stuck, failed));
}

function describe({ count, workflows }: StuckReport, failed: readonly string[]): string {
  const listed = workflows.filter(({ goesOn }) => goesOn !== true).slice(0, LISTED_LIMIT);
  return [
    count === 0 ? 'No workflow is stuck.' : `**Stuck: ${count}.** An operator has to look: see the runbook, "Stuck".`,
    ...listed.map(({ type, workflowId, reason }) => `- ${type} \`${workflowId}\`: ${reason}`),
    ...failed.map((sentence) => `- failed: ${sentence}`),
  ].join('\n');
}
