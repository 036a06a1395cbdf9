/**
 * Tells GitHub what the lane looks like, in the background: differences only, newest wins, in batches. GitHub being slow
 * or away never holds up a deployment.
 */
import { CancellationScope, condition, isCancellation, sleep } from '@temporalio/workflow';
import { hasEnded, type CheckRunRef, type Deployment, type Presentation, type Presented } from '@nereid/contracts';
import { presentCheckRuns, presentQuickly } from './activities.ts';
import { firstWithin } from './bytes.ts';
import { hasTurn, type Lane } from './lane.ts';
import { deploymentsOf, takeCheckRuns } from './lane-state.ts';
import { afterBatch, type Outcome } from './patience.ts';
import { appearance, createsCheckRun, presentations, urgencyOf, type Urgency } from './presentation.ts';

/** One activity's worth: at 200 ms a request and 10 at a time, a second. */
const BATCH = 50;

/** Half of what Temporal takes as the input of an activity. */
const BATCH_BYTES = 1_000_000;

/** A second's worth of GitHub: signals wait while a workflow's own task lasts. */
const QUICK_BATCH = 3;

/** With the waits in between, a minute: somebody waits for the lane to end. */
const LAST_TRIES = 6;

/** What GitHub's limits usually ask for. */
const LAST_WAIT_MS = 60_000;

/** Lanes that met the same limit do not all come back in the same second. */
const QUIET_JITTER = 0.1;

const ANY: readonly Urgency[] = ['now', 'soon', 'sometime'];

export async function keepPresented(lane: Lane): Promise<never> {
  let positionsDueAt = 0;
  for (;;) {
    await condition(() => !lane.isLeaving && differences(lane).length > 0);
    const quietMs = lane.patience.quietUntil - Date.now();
    if (quietMs > 0) {
      await sleep(quietMs);
      continue;
    }
    if (untried(lane, ['now', 'soon']).length === 0) {
      const positionsAt = untried(lane, ['sometime']).length > 0 ? positionsDueAt : Infinity;
      const retryAt = tried(lane).length > 0 ? lane.patience.retryAt : Infinity;
      const dueInMs = Math.min(positionsAt, retryAt) - Date.now();
      await condition(() => untried(lane, ['now', 'soon']).length > 0, Math.max(1, dueInMs));
    }
    const isUrgent = () => untried(lane, ['now']).length > 0 || retries(lane).length > 0;
    await condition(isUrgent, lane.durations.quietPresentationMs);
    if (lane.isLeaving) continue;

    const arePositionsDue = Date.now() >= positionsDueAt;
    if (arePositionsDue) positionsDueAt = Date.now() + lane.durations.positionsMs;
    await presentOnce(lane, [...untried(lane, arePositionsDue ? ANY : ['now', 'soon']), ...retries(lane)]);
  }
}

/**
 * Sends the first of them as one batch, and answers how many of it GitHub took. One that was begun is waited for, also in a
 * cancelled lane: what is sent next must not overtake it.
 */
export async function presentOnce(lane: Lane, wanted: readonly Presentation[] = differences(lane)): Promise<number> {
  const all = wanted.slice(0, BATCH).map((one) => (lane.mayExist.has(one.deployment.id) ? looked(one) : one));
  const batch = firstWithin(all, BATCH_BYTES);
  if (batch.length === 0) return 0;
  lane.isPresenting = true;
  // Until the answer is here, each of them may have been created.
  for (const one of batch) if (createsCheckRun(one)) lane.mayExist.add(one.deployment.id);
  try {
    return take(lane, batch, await CancellationScope.nonCancellable(() => send(lane, batch)));
  } catch (error) {
    if (isCancellation(error)) throw error;
    wait(lane, { ...NOTHING, failed: batch.map(({ deployment }) => deployment.id) });
    return 0;
  } finally {
    lane.isPresenting = false;
  }
}

function looked(presentation: Presentation): Presentation {
  return { ...presentation, mayExist: true };
}

/** What was not tried in vain, the most urgent first. */
function untried(lane: Lane, urgencies: readonly Urgency[]): readonly Presentation[] {
  return urgencies
    .flatMap((urgency) => differences(lane, [urgency]))
    .filter(({ deployment }) => !lane.patience.failed.has(deployment.id));
}

function tried(lane: Lane): readonly Presentation[] {
  return differences(lane).filter(({ deployment }) => lane.patience.failed.has(deployment.id));
}

/** What was tried in vain, once its wait is over. */
function retries(lane: Lane): readonly Presentation[] {
  return Date.now() < lane.patience.retryAt ? [] : tried(lane);
}

/**
 * Within the workflow's own task where nothing else wants to be started: five events of history less. Never to create a
 * check run: a task that is done again would create it again.
 */
async function send(lane: Lane, batch: readonly Presentation[]): Promise<readonly Presented[]> {
  const isSentQuickly = isQuick(lane, batch);
  // Until it has answered.
  lane.isGitHubSlow = true;
  const results = await (isSentQuickly ? presentQuickly : presentCheckRuns)(lane.repository, batch);
  lane.isGitHubSlow = results.some(({ kind }) => kind === 'failed');
  return results;
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

function take(lane: Lane, batch: readonly Presentation[], results: readonly Presented[]): number {
  const outcomes = results.map((result): Outcome => {
    const { deploymentId, kind } = result;
    if (kind === 'failed') return { ...NOTHING, failed: [deploymentId], retryAfterMs: result.retryAfterMs ?? 0 };
    if (kind === 'limited') return { ...NOTHING, failed: [deploymentId], quietMs: result.retryAfterMs };

    lane.mayExist.delete(deploymentId);
    if (kind === 'presented') takeRefs(lane, deploymentId, result.checkRuns);
    // Those before it still have their buttons.
    if (kind === 'presented' && !areSuperseded(result.checkRuns)) return { ...NOTHING, failed: [deploymentId] };
    const sent = batch.find(({ deployment }) => deployment.id === deploymentId);
    if (sent !== undefined) lane.shown.set(deploymentId, appearance(sent));
    return { ...NOTHING, taken: [deploymentId] };
  });
  const all = outcomes.flatMap(({ taken }) => taken);
  wait(lane, {
    taken: all,
    failed: outcomes.flatMap(({ failed }) => failed),
    retryAfterMs: Math.max(...outcomes.map(({ retryAfterMs }) => retryAfterMs)),
    quietMs: Math.max(...outcomes.map(({ quietMs }) => quietMs)) * (1 + QUIET_JITTER * Math.random()),
  });
  return all.length;
}

function takeRefs(lane: Lane, deploymentId: string, checkRuns: readonly CheckRunRef[]): void {
  if (lane.isRestored) lane.state = takeCheckRuns(lane.state, deploymentId, checkRuns);
  else lane.arrived = takeCheckRuns(lane.arrived, deploymentId, checkRuns);
}

const NOTHING: Outcome = { taken: [], failed: [], retryAfterMs: 0, quietMs: 0 };

function wait(lane: Lane, outcome: Outcome): void {
  lane.patience = afterBatch(lane.patience, outcome, lane.durations, Date.now());
}

function areSuperseded(checkRuns: readonly CheckRunRef[]): boolean {
  return checkRuns.slice(0, -1).every(({ superseded = false }) => superseded);
}

/** Ended deployments whose check runs do not say so yet. */
export function unpresented(lane: Lane): readonly Deployment[] {
  const different = new Set(differences(lane).map(({ deployment }) => deployment.id));
  return lane.state.ended.filter(({ id }) => different.has(id));
}

/** What the check runs say of those deployments that the next run of the lane may know. */
export function carriedShown(lane: Lane): Readonly<Record<string, string>> {
  return Object.fromEntries(
    deploymentsOf(lane.state).flatMap(({ id }) => {
      const shown = lane.shown.get(id);
      return shown === undefined ? [] : [[id, shown]];
    }),
  );
}

/**
 * For a lane that ends: sends what is left, what was not tried in vain first, and gives up when GitHub takes nothing any more.
 * One that it never takes keeps no other from being told.
 */
export async function presentRest(lane: Lane): Promise<void> {
  for (let failures = 0; !isPresented(lane) && failures < LAST_TRIES;) {
    await condition(() => !lane.isPresenting);
    const taken = await presentOnce(lane, [...untried(lane, ANY), ...tried(lane)]);
    failures = taken > 0 ? 0 : failures + 1;
    const { retryAt, quietUntil } = lane.patience;
    const waitMs = Math.max(untried(lane, ANY).length > 0 && taken > 0 ? 0 : retryAt, quietUntil) - Date.now();
    if (waitMs > 0 && !isPresented(lane)) await sleep(Math.min(waitMs, LAST_WAIT_MS));
  }
}

/** Whether GitHub knows all that it should. */
export function isPresented(lane: Lane): boolean {
  return !lane.isPresenting && differences(lane).length === 0;
}

/** Before the lane knows its record, it has something to say only when that cannot be read. */
function allOf(lane: Lane): readonly Presentation[] {
  const { isRestored, unreadable } = lane;
  const blocked = unreadable === undefined ? undefined : `The record of this root cannot be read: ${unreadable}`;
  if (!isRestored) return blocked === undefined ? [] : presentations(lane.arrived, { blocked });
  const isStarted = lane.isFollowing || lane.state.running?.progress.status !== 'preparing';
  return presentations(lane.state, { blocked, isStarted });
}

/** A lane that does not know its record begins no new history: it tries each check run once, until then. */
function isToldOnce({ isRestored, shown, patience }: Lane, { deployment: { id } }: Presentation): boolean {
  return !isRestored && (shown.has(id) || patience.failed.has(id));
}

/** What GitHub does not show yet. */
function differences(lane: Lane, urgencies = ANY): readonly Presentation[] {
  return allOf(lane).filter((presentation) => {
    const before = lane.shown.get(presentation.deployment.id);
    if (before === appearance(presentation) || isToldOnce(lane, presentation)) return false;
    return urgencies.includes(urgencyOf(presentation, before));
  });
}
