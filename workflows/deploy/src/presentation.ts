/**
 * What the check runs of a lane should say: one pure function from the lane to every deployment it knows, and how urgent
 * a difference is.
 *
 * Buttons and ends are shown at once. `queued` and `in_progress` are worth a request only when they last. Positions in
 * the queue are shown at once for the first three, for the others when there is time.
 */
import { hasEnded, type Deployment, type Presentation } from '@nereid/contracts';
import type { LaneState } from './lane-state.ts';
import { digest } from './digest.ts';
import { passes } from './lock.ts';
import { countAhead, inOrder } from './queue.ts';

/** Who waits further back reads a position of at most a minute ago. */
export const POSITIONS_SHOWN_AT_ONCE = 3;

/** `blocked`: why nothing starts here, as a sentence; whether what was popped has started says `isStarted`. */
export function presentations(
  state: LaneState,
  { blocked, isStarted = true }: { readonly blocked?: string | undefined; readonly isStarted?: boolean } = {},
): readonly Presentation[] {
  const running = state.running === undefined ? [] : [state.running];
  const waiting = inOrder(state.queue);
  return [
    ...running.map((deployment) => present(state, isStarted ? deployment : held(deployment, blocked))),
    ...waiting.map((deployment, index) =>
      presentWaiting(state, deployment, running.length + countAhead(state.queue, deployment, index), blocked),
    ),
    ...state.ended.map((deployment) => present(state, deployment)),
  ];
}

/**
 * The last answer for each deployment. Deployments never change in place, so that the same object looks the same; and a lane
 * asks on each event, of all that it knows: without this, the replay of a long history takes longer than a task may.
 */
const answered = new WeakMap<Deployment, { readonly to: Presentation; readonly appearance: string }>();

/** Equal for two presentations that look the same on GitHub; short, so that a lane can carry it on. */
export function appearance(presentation: Presentation): string {
  const { deployment } = presentation;
  const last = answered.get(deployment);
  if (last !== undefined && isSame(last.to, presentation)) return last.appearance;
  const answer = { to: presentation, appearance: digestOf(presentation) };
  answered.set(deployment, answer);
  return answer.appearance;
}

function isSame(one: Presentation, other: Presentation): boolean {
  return one.ahead === other.ahead && one.lock === other.lock && one.notice === other.notice;
}

function digestOf({ deployment, ahead, lock, notice }: Presentation): string {
  const { status, reason, hostId: _host, times: _times, jobs, ...shown } = deployment.progress;
  const visible = status === 'preparing' ? 'planning' : status;
  return digest(JSON.stringify([visible, reason, shown, Object.keys(jobs), ahead, lock, deployment.unlocked, notice]));
}

/** `now`: a person waits for it. `soon`: only if it lasts. `sometime`: a position far back. */
export type Urgency = 'now' | 'soon' | 'sometime';

export function urgencyOf(presentation: Presentation, shownBefore: string | undefined): Urgency {
  const { status } = presentation.deployment.progress;
  if (hasEnded(status) || status === 'awaiting-review') return 'now';
  if (presentation.lock !== undefined || presentation.notice !== undefined) return 'now';
  const isFarBack = presentation.ahead !== undefined && presentation.ahead >= POSITIONS_SHOWN_AT_ONCE;
  return isFarBack && shownBefore !== undefined ? 'sometime' : 'soon';
}

function present(state: LaneState, deployment: Deployment): Presentation {
  const notice = state.notices[deployment.id]?.sentence;
  return { deployment, ...(notice !== undefined && { notice }) };
}

/** Whether this makes a new check run: there is none yet, or work goes on after a completed one. */
export function createsCheckRun({ deployment, lock }: Presentation): boolean {
  const { status } = deployment.progress;
  const isCompleted = hasEnded(status) || status === 'awaiting-review' || lock !== undefined;
  const last = deployment.checkRuns.at(-1);
  return last === undefined || (last.completed && !isCompleted);
}

/** A deployment that the lock holds back waits for a person, whatever else goes before it. */
function presentWaiting(state: LaneState, deployment: Deployment, ahead: number, blocked?: string): Presentation {
  const lock = passes(deployment, state.lock) ? undefined : state.lock;
  if (lock === undefined) return { ...present(state, held(deployment, blocked)), ahead };
  // Whoever unlocks sees why that starts nothing.
  return { ...(blocked !== undefined && { notice: blocked }), ...present(state, deployment), ahead, lock };
}

/** It waits for more than its turn. */
function held(deployment: Deployment, reason: string | undefined): Deployment {
  if (reason === undefined) return deployment;
  return { ...deployment, progress: { ...deployment.progress, status: 'blocked', reason } };
}
