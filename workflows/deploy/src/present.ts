/**
 * Tells GitHub what the lane looks like, in the background: differences only, newest wins, in batches. GitHub being slow
 * or away never holds up a deployment.
 */
import { condition, isCancellation, sleep } from '@temporalio/workflow';
import type { Deployment, Presentation } from '@nereid/contracts';
import { presentCheckRuns } from './activities.ts';
import type { Lane } from './lane.ts';
import { takeCheckRun } from './lane-state.ts';
import { appearance, presentations, urgencyOf, type Urgency } from './presentation.ts';

/** One activity's worth: at 200 ms a request and 10 at a time, a second. */
const BATCH = 50;

/** With the waits in between, half a minute: somebody waits for the lane to end. */
const LAST_TRIES = 6;

const ANY: readonly Urgency[] = ['now', 'soon', 'sometime'];

export async function keepPresented(lane: Lane): Promise<never> {
  let retryMs = lane.durations.retryMs;
  let positionsDueAt = 0;
  for (;;) {
    await condition(() => differences(lane).length > 0);
    const dueInMs = Math.max(1, positionsDueAt - Date.now());
    await condition(() => differences(lane, ['now', 'soon']).length > 0, dueInMs);
    await condition(() => differences(lane, ['now']).length > 0, lane.durations.quietPresentationMs);
    const arePositionsDue = Date.now() >= positionsDueAt;
    if (arePositionsDue) positionsDueAt = Date.now() + lane.durations.positionsMs;
    const failed = await presentOnce(lane, arePositionsDue ? ANY : ['now', 'soon']);
    if (failed) await sleep(retryMs);
    retryMs = failed ? Math.min(retryMs * 2, lane.durations.retryLimitMs) : lane.durations.retryMs;
  }
}

/** Sends one batch, the most urgent first; answers whether something of it failed. */
export async function presentOnce(lane: Lane, urgencies = ANY): Promise<boolean> {
  const batch = urgencies
    .flatMap((urgency) => differences(lane, [urgency]))
    .slice(0, BATCH)
    .map((presentation) =>
      lane.mayExist.has(presentation.deployment.id) ? { ...presentation, mayExist: true } : presentation,
    );
  if (batch.length === 0) return false;
  lane.isPresenting = true;
  // Until the answer is here, each of them may have been created.
  for (const { deployment } of batch) lane.mayExist.add(deployment.id);
  try {
    const results = await presentCheckRuns(lane.repository, batch);
    results.forEach((result) => {
      if (result.kind === 'failed') return;
      lane.mayExist.delete(result.deploymentId);
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

/** Ended deployments whose check runs do not say so yet. */
export function unpresented(lane: Lane): readonly Deployment[] {
  const different = new Set(differences(lane).map(({ deployment }) => deployment.id));
  return lane.state.ended.filter(({ id }) => different.has(id));
}

/** For a lane that ends: sends what is left, and gives up when GitHub keeps failing. */
export async function presentRest(lane: Lane): Promise<void> {
  let retryMs = lane.durations.retryMs;
  for (let failures = 0; !isPresented(lane) && failures < LAST_TRIES;) {
    if (!(await presentOnce(lane))) continue;
    failures += 1;
    await sleep(retryMs);
    retryMs = Math.min(retryMs * 2, lane.durations.retryLimitMs);
  }
}

/** Whether GitHub knows all that it should. */
export function isPresented(lane: Lane): boolean {
  return !lane.isPresenting && differences(lane).length === 0;
}

/** What GitHub does not show yet. */
function differences(lane: Lane, urgencies = ANY): readonly Presentation[] {
  if (!lane.isRestored) return [];
  return presentations(lane.state).filter((presentation) => {
    const before = lane.shown.get(presentation.deployment.id);
    if (before === appearance(presentation)) return false;
    return urgencies.includes(urgencyOf(presentation, before));
  });
}
