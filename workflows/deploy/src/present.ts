/**
 * Tells GitHub what the lane looks like, in the background: differences only, newest wins, in batches. GitHub being slow
 * or away never holds up a deployment.
 */
import { condition, isCancellation, sleep } from '@temporalio/workflow';
import type { Presentation } from '@nereid/contracts';
import { presentCheckRuns } from './activities.ts';
import type { Lane } from './lane.ts';
import { takeCheckRun } from './lane-state.ts';
import { appearance, presentations, urgencyOf, type Urgency } from './presentation.ts';

/** One activity's worth: at 200 ms a request and 10 at a time, a second. */
const BATCH = 50;

export async function keepPresented(lane: Lane): Promise<never> {
  let retryMs = lane.durations.retryMs;
  for (;;) {
    await condition(() => differences(lane).length > 0);
    await condition(() => differences(lane, 'now').length > 0, waitFor(lane));
    const failed = await presentOnce(lane);
    if (failed) await sleep(retryMs);
    retryMs = failed ? Math.min(retryMs * 2, lane.durations.retryLimitMs) : lane.durations.retryMs;
  }
}

/** Sends one batch; answers whether something of it failed. */
export async function presentOnce(lane: Lane): Promise<boolean> {
  const batch = differences(lane).slice(0, BATCH);
  if (batch.length === 0) return false;
  lane.isPresenting = true;
  try {
    const results = await presentCheckRuns(lane.repository, batch);
    results.forEach((result) => {
      if (result.kind === 'failed') return;
      lane.state = takeCheckRun(lane.state, result.deploymentId, result.checkRun);
      const sent = batch.find(({ deployment }) => deployment.id === result.deploymentId);
      if (sent !== undefined) lane.shown.set(result.deploymentId, appearance(sent));
    });
    return results.some(({ kind }) => kind === 'failed');
  } catch (error) {
    if (isCancellation(error)) throw error;
    return true;
  } finally {
    lane.isPresenting = false;
  }
}

/** Whether GitHub knows all that it should. */
export function isPresented(lane: Lane): boolean {
  return !lane.isPresenting && differences(lane).length === 0;
}

/** What GitHub does not show yet, of this urgency or, without one, at all. */
function differences(lane: Lane, urgency?: Urgency): readonly Presentation[] {
  if (!lane.isRestored) return [];
  return presentations(lane.state).filter((presentation) => {
    const before = lane.shown.get(presentation.deployment.id);
    if (before === appearance(presentation)) return false;
    return urgency === undefined || urgencyOf(presentation, before) === urgency;
  });
}

function waitFor(lane: Lane): number {
  const { quietPresentationMs, positionsMs } = lane.durations;
  return differences(lane, 'soon').length > 0 ? quietPresentationMs : positionsMs;
}
