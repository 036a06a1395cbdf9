/**
 * The content of a lane's check runs: one pure function from the lane to every deployment that it knows, and the urgency of
 * each difference.
 *
 * The first check run of a deployment, buttons and ends are shown at once. A change to a `queued` or `in_progress` check run is
 * worth a request only when it lasts, and so is a change among the first three positions in the queue. Positions further back
 * are shown when there is time.
 */
import { defined } from '../../../defined.ts';
import type { Lock } from '../../../deployment/lock.ts';
import type { Deployment } from '../../../deployment/model.ts';
import type { Presentation } from '../../../deployment/presentation.ts';
import { hasEnded } from '../../../deployment/status.ts';
import type { LaneState } from '../state/lane-state.ts';
import { digest } from './digest.ts';
import { passes } from '../../../deployment/rules/lock.ts';
import { countAhead, inOrder } from '../queue/queue.ts';

/** Positions further back may be up to a minute old. */
export const POSITIONS_SHOWN_AT_ONCE = 3;

/** `blocked` says why nothing starts in this lane, as a sentence. */
export function presentations(state: LaneState, blocked?: string): readonly Presentation[] {
  const running = state.running === undefined ? [] : [state.running];
  const wait = waits(state);
  return [
    ...running.map((deployment) => present(state, deployment)),
    ...inOrder(state.queue).map((deployment) => presentWaiting(state, deployment, wait(deployment), blocked)),
    ...state.ended.map((deployment) => present(state, deployment)),
  ];
}

/** The wait of a deployment: the lock that holds it back, and how many deployments go before it. */
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
 * The last appearance of each deployment. A lane asks for all of them on each event: without this cache, the replay of a long
 * history takes longer than a workflow task may. Deployments never change in place, so the same object always looks the same.
 */
const answered = new WeakMap<Deployment, { readonly to: Presentation; readonly appearance: string }>();

/** Equal for two presentations that look the same on the forge; short, so that a lane can hand it over to its next run. */
export function appearance(presentation: Presentation): string {
  const { deployment } = presentation;
  const last = answered.get(deployment);
  if (last !== undefined && isSame(last.to, presentation)) return last.appearance;
  const answer = { to: presentation, appearance: digestOf(presentation) };
  answered.set(deployment, answer);
  return answer.appearance;
}

/** Whether people see this part of a presentation, beside its deployment. */
const IS_SEEN = {
  ahead: true,
  lock: true,
  notice: true,
  noticeProof: false,
  creationUncertain: false,
} as const satisfies Readonly<Record<Exclude<keyof Presentation, 'deployment'>, boolean>>;

type SeenPart = {
  [Part in keyof typeof IS_SEEN]: (typeof IS_SEEN)[Part] extends true ? Part : never;
}[keyof typeof IS_SEEN];

const SEEN: readonly (keyof typeof IS_SEEN)[] = (Object.keys(IS_SEEN) as (keyof typeof IS_SEEN)[]) // It has no others.
  .filter((part) => IS_SEEN[part]);

function isSame(one: Presentation, other: Presentation): boolean {
  return SEEN.every((part) => one[part] === other[part]);
}

function digestOf({ deployment, ahead, lock, notice }: Presentation): string {
  const { status, reason, hostId: _host, times: _times, jobs: _jobs, ...shown } = deployment.progress;
  const visible = status === 'preparing' ? 'planning' : status;
  const seen = { ahead, lock, notice } satisfies Readonly<Record<SeenPart, unknown>>;
  return digest(JSON.stringify([visible, reason, shown, seen.ahead, seen.lock, deployment.unlocked, seen.notice]));
}

/** `now`: a person waits for it. `soon`: shown only if it lasts. `sometime`: a position far back. */
export type Urgency = 'now' | 'soon' | 'sometime';

export function urgencyOf(presentation: Presentation, shownBefore: string | undefined): Urgency {
  const { status } = presentation.deployment.progress;
  // The first sign that Nereid knows of the deployment.
  if (shownBefore === undefined && presentation.deployment.checkRuns.length === 0) return 'now';
  if (hasEnded(status) || status === 'awaiting-review') return 'now';
  if (presentation.lock !== undefined || presentation.notice !== undefined) return 'now';
  const isFarBack = presentation.ahead !== undefined && presentation.ahead >= POSITIONS_SHOWN_AT_ONCE;
  return isFarBack && shownBefore !== undefined ? 'sometime' : 'soon';
}

function present(state: LaneState, deployment: Deployment): Presentation {
  const { sentence: notice, proof } = state.notices[deployment.id] ?? {};
  return { deployment, ...defined({ notice }), ...(proof && { noticeProof: proof }) };
}

/** Whether this makes a new check run, because there is none yet, or work goes on after a completed one. */
export function createsCheckRun({ deployment, lock }: Presentation): boolean {
  const { status } = deployment.progress;
  const isCompleted = hasEnded(status) || status === 'awaiting-review' || lock !== undefined;
  const last = deployment.checkRuns.at(-1);
  return last === undefined || (last.completed && !isCompleted);
}

/** Whether the forge may have a new check run of it, although no answer names one: whoever writes next has to look. */
export function mayHaveCreated(presentation: Presentation): boolean {
  return presentation.creationUncertain === true || createsCheckRun(presentation);
}

/** A deployment that the lock holds back waits for a person, whatever else goes before it. */
function presentWaiting(state: LaneState, deployment: Deployment, wait: Wait, blocked?: string): Presentation {
  if (wait.lock === undefined) return { ...present(state, held(deployment, blocked)), ...wait };
  // A person who unlocks sees why that starts nothing.
  return { ...defined({ notice: blocked }), ...present(state, deployment), ...wait };
}

/** With a reason, the deployment waits for more than its turn. */
function held(deployment: Deployment, reason: string | undefined): Deployment {
  if (reason === undefined) return deployment;
  return { ...deployment, progress: { ...deployment.progress, status: 'blocked', reason } };
}
