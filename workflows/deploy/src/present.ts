/**
 * Tells GitHub what the lane looks like, in the background: differences only, newest wins, in batches. GitHub being slow
 * or away never holds up a deployment.
 */
import { condition, isCancellation, sleep } from '@temporalio/workflow';
import { hasEnded, type Deployment, type Presentation, type Presented } from '@nereid/contracts';
import { presentCheckRuns, presentQuickly } from './activities.ts';
import { hasTurn, type Lane } from './lane.ts';
import { takeCheckRuns } from './lane-state.ts';
import { appearance, presentations, urgencyOf, type Urgency } from './presentation.ts';

/** One activity's worth: at 200 ms a request and 10 at a time, a second. */
const BATCH = 50;

/** A second's worth of GitHub: signals wait while a workflow's own task lasts. */
const QUICK_BATCH = 3;

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
  const batch = nextBatch(lane, urgencies);
  if (batch.length === 0) return false;
  lane.isPresenting = true;
  // Until the answer is here, each of them may have been created.
  for (const { deployment } of batch) lane.mayExist.add(deployment.id);
  try {
    for (const result of await send(lane, batch)) take(lane, batch, result);
  } catch (error) {
    if (isCancellation(error)) throw error;
    for (const { deployment } of batch) lane.failed.add(deployment.id);
  } finally {
    lane.isPresenting = false;
  }
  return batch.some(({ deployment }) => lane.failed.has(deployment.id));
}

/** What failed last time comes last within its urgency: it holds up nothing that may succeed. */
function nextBatch(lane: Lane, urgencies: readonly Urgency[]): readonly Presentation[] {
  const failedBefore = ({ deployment }: Presentation) => Number(lane.failed.has(deployment.id));
  return urgencies
    .flatMap((urgency) => differences(lane, [urgency]).toSorted((a, b) => failedBefore(a) - failedBefore(b)))
    .slice(0, BATCH)
    .map((presentation) =>
      lane.mayExist.has(presentation.deployment.id) ? { ...presentation, mayExist: true } : presentation,
    );
}

/**
 * Within the workflow's own task where nothing else wants to be started: five events of history less. Never to create a
 * check run: a task that is done again would create it again.
 */
async function send(lane: Lane, batch: readonly Presentation[]): Promise<readonly Presented[]> {
  if (!isQuick(lane, batch)) {
    const results = await presentCheckRuns(lane.repository, batch);
    lane.isGitHubSlow = false;
    return results;
  }
  try {
    return await presentQuickly(lane.repository, batch);
  } catch (error) {
    lane.isGitHubSlow = true;
    throw error;
  }
}

function isQuick(lane: Lane, batch: readonly Presentation[]): boolean {
  const { running } = lane.state;
  const nothingStarts = running === undefined ? !hasTurn(lane) : lane.isFollowing;
  return nothingStarts && !lane.isGitHubSlow && batch.length <= QUICK_BATCH && batch.every(isUpdate);
}

/** Of a check run that is there and takes it: a completed one is not reopened. */
function isUpdate({ deployment, lock }: Presentation): boolean {
  const { status } = deployment.progress;
  return deployment.checkRuns.length > 0 && (hasEnded(status) || status === 'awaiting-review' || lock !== undefined);
}

function take(lane: Lane, batch: readonly Presentation[], result: Presented): void {
  const { deploymentId } = result;
  if (result.kind === 'failed') {
    lane.failed.add(deploymentId);
    return;
  }
  lane.failed.delete(deploymentId);
  lane.mayExist.delete(deploymentId);
  if (result.kind === 'presented') lane.state = takeCheckRuns(lane.state, deploymentId, result.checkRuns);
  const sent = batch.find(({ deployment }) => deployment.id === deploymentId);
  if (sent !== undefined) lane.shown.set(deploymentId, appearance(sent));
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
