/** The lane in Markdown, for the Temporal UI: the running deployment, the waiting ones, and the reasons. */
import type { Deployment } from '../../../deployment/model.ts';
import { shortSha } from '../../../deployment/revision.ts';
import { describeRule } from '../../../gates/describe-rule.ts';
import { describeLock } from '../../../deployment/rules/lock.ts';
import type { LaneState } from '../state/lane-state.ts';
import { waitsFor } from '../state/running.ts';
import { inOrder } from '../queue/queue.ts';

/** Only the first ones of a longer queue are listed. */
const LISTED = 10;

/** One word for lists: the state that people look for first. `blocked` is the reason why the lane can decide nothing. */
export function stateName(state: LaneState, blocked?: string): string {
  if (blocked !== undefined) return 'blocked';
  if (state.running !== undefined) return 'running';
  if (state.lock !== undefined) return 'locked';
  if (waitsFor(state) !== undefined) return 'waiting';
  return 'idle';
}

/** A lane that does not know its record yet says only that: it knows nothing else. */
export function describeUnrestored(blocked: string, messages: number): string {
  const kept = messages === 1 ? '1 message is' : `${messages} messages are`;
  return [`**Blocked** ${blocked}`, `${kept} kept until then.`].join('\n\n');
}

export function describeLane(state: LaneState, blocked?: string): string {
  const waiting = inOrder(state.queue);
  return [
    ...(blocked === undefined ? [] : [`**Blocked** ${blocked}`]),
    state.running ? describeRunning(state.running) : '**Nothing runs**',
    waiting.length === 0 ? 'Nothing waits.' : `**${waiting.length} waiting**`,
    ...waiting.slice(0, LISTED).map((deployment, index) => `${index + 1}. ${describe(deployment)}`),
    ...lockOf(state),
    state.latest
      ? `Latest: \`${shortSha(state.latest.revision)}\` (${state.latest.status}, ${state.latest.at})`
      : 'Never deployed.',
  ].join('\n\n');
}

/** The lock, and who can lift it. */
function lockOf({ lock, queue, running }: LaneState): readonly string[] {
  if (lock === undefined) return [];
  const rules = (inOrder(queue)[0] ?? running)?.root.permissions.unlock;
  return [`**Locked** by ${describeLock(lock)}, since ${lock.at}. Unlock takes ${describeRule('unlock', rules)}.`];
}

/** The deployment's own workflow says how far it is. The lane says what holds it up before that. */
function describeRunning(deployment: Deployment): string {
  const { id, progress } = deployment;
  if (progress.status === 'blocked') return `**Running** ${describe(deployment)}`;
  return `**Running** ${describe(deployment, 'started')}: workflow \`${id}\` says how far it is`;
}

function describe({ revision, trigger, requestedBy, progress }: Deployment, status: string = progress.status): string {
  const { reason } = progress;
  const what = `\`${shortSha(revision.sha)}\` ${trigger} by @${requestedBy}, ${status}`;
  return reason === undefined ? what : `${what}: ${reason}`;
}
