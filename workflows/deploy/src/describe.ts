/** The lane in Markdown, for the Temporal UI: what runs, what waits, why. */
import type { Deployment } from '@nereid/contracts';
import { waitsFor, type LaneState } from './lane-state.ts';
import { inOrder } from './queue.ts';

/** A longer queue is told by its length. */
const LISTED = 10;

/** One word for lists: what people look for first. `blocked` is why nothing can be decided here. */
export function stateName(state: LaneState, blocked?: string): string {
  if (blocked !== undefined) return 'blocked';
  if (state.running !== undefined) return 'running';
  if (state.lock !== undefined) return 'locked';
  return 'idle';
}

/** A lane that does not know its record yet says only that: of everything else it knows nothing. */
export function describeUnrestored(blocked: string, messages: number): string {
  const kept = messages === 1 ? '1 message is' : `${messages} messages are`;
  return [`**Blocked** ${blocked}`, `${kept} kept until then.`].join('\n\n');
}

export function describeLane(state: LaneState, blocked?: string): string {
  const waiting = inOrder(state.queue);
  const reason = waitsFor(state);
  return [
    ...(blocked === undefined ? [] : [`**Blocked** ${blocked}`]),
    state.running ? `**Running** ${describe(state.running)}` : '**Nothing runs**',
    waiting.length === 0 ? 'Nothing waits.' : `**${waiting.length} waiting**`,
    ...waiting.slice(0, LISTED).map((deployment, index) => `${index + 1}. ${describe(deployment)}`),
    ...(reason === undefined ? [] : [`Waiting: ${reason}. Unlock on the check run goes on.`]),
    state.latest ? `Latest: \`${short(state.latest.revision)}\` (${state.latest.status})` : 'Never deployed.',
  ].join('\n\n');
}

function describe(deployment: Deployment): string {
  const { status, reason } = deployment.progress;
  return `\`${short(deployment.revision.sha)}\` ${deployment.trigger}, ${status}${reason === undefined ? '' : `: ${reason}`}`;
}

function short(sha: string): string {
  return sha.slice(0, 7);
}
