/** The lane in Markdown, for the Temporal UI: what runs, what waits, why. */
import type { Deployment } from '@nereid/contracts';
import { waitsFor, type LaneState } from './lane-state.ts';
import { inOrder } from './queue.ts';

/** A longer queue is told by its length. */
const LISTED = 10;

/** One word for lists: what people look for first. */
export function stateName(state: LaneState): string {
  if (state.running !== undefined) return 'running';
  if (state.lock !== undefined) return 'locked';
  return 'idle';
}

export function describeLane(state: LaneState): string {
  const waiting = inOrder(state.queue);
  const reason = waitsFor(state);
  return [
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
