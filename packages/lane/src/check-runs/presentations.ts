/**
 * What the check runs of a lane should say: one pure function from the lane to every deployment it knows, and how urgent
 * a difference is.
 *
 * The first check run of a deployment, buttons and ends are shown at once. A change of what is `queued` or `in_progress` is
 * worth a request only when it lasts. Positions in the queue are shown at once for the first three, for the others when there
 * is time.
 */
import { hasEnded, type Deployment, type Lock, type Presentation } from '@nereid/contracts';
import type { LaneState } from '../state/lane-state.ts';
import { digest } from './digest.ts';
import { passes } from '../queue/lock.ts';
import { countAhead, inOrder } from '../queue/queue.ts';

/** Who waits further back reads a position of at most a minute ago. */
export const POSITIONS_SHOWN_AT_ONCE = 3;

/** `blocked`: why nothing starts here, as a sentence. */
export function presentations(state: LaneState, blocked?: string): readonly Presentation[] {
  const running = state.running === undefined ? [] : [state.running];
  const wait = waits(state);
  return [
    ...running.map((deployment) => present(state, deployment)),
    ...inOrder(state.queue).map((deployment) => presentWaiting(state, deployment, wait(deployment), blocked)),
    ...state.ended.map((deployment) => present(state, deployment)),
  ];
}

/** For what a waiting deployment waits: the lock that holds it back, and how many go before it. */
export interface Wait {
  readonly ahead: number;
  readonly lock?: Lock;
}

export function waits({
  lock,
  queue,
  running,
}: Pick<LaneState, 'lock' | 'queue' | 'running'>): (of: Deployment) => Wait {
  const ahead = countAhead(queue, lock);
  const runs = running === undefined ? 0 : 1;
  return (deployment) => ({
    ahead: (ahead.get(deployment.id) ?? 0) + runs,
    ...(lock !== undefined && !passes(deployment, lock) && { lock }),
  });
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
  const { status, reason, hostId: _host, times: _times, jobs: _jobs, ...shown } = deployment.progress;
  const visible = status === 'preparing' ? 'planning' : status;
  return digest(JSON.stringify([visible, reason, shown, ahead, lock, deployment.unlocked, notice]));
}

/** `now`: a person waits for it. `soon`: only if it lasts. `sometime`: a position far back. */
export type Urgency = 'now' | 'soon' | 'sometime';

export function urgencyOf(presentation: Presentation, shownBefore: string | undefined): Urgency {
  const { status } = presentation.deployment.progress;
  // The first sign that Nereid knows of it.
  if (shownBefore === undefined && presentation.deployment.checkRuns.length === 0) return 'now';
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
function presentWaiting(state: LaneState, deployment: Deployment, wait: Wait, blocked?: string): Presentation {
  if (wait.lock === undefined) return { ...present(state, held(deployment, blocked)), ...wait };
  // A person who unlocks sees why that starts nothing.
  return { ...(blocked !== undefined && { notice: blocked }), ...present(state, deployment), ...wait };
}

/** It waits for more than its turn. */
function held(deployment: Deployment, reason: string | undefined): Deployment {
  if (reason === undefined) return deployment;
  return { ...deployment, progress: { ...deployment.progress, status: 'blocked', reason } };
}
