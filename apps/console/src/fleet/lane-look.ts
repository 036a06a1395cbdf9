/** How the state of a lane is shown to a person. */
import type { LaneState } from '@nereid/api';
import { html, type Html } from '../html/html.ts';
import type { StatusLook } from '../deployments/status.ts';

export const LANE_LOOK: Readonly<Record<LaneState, StatusLook>> = {
  'outcome-unknown': { headline: 'Outcome unknown', mood: 'bad' },
  failed: { headline: 'Failed', mood: 'bad' },
  unreadable: { headline: 'Record unreadable', mood: 'bad' },
  review: { headline: 'Waiting for a review', mood: 'waiting' },
  locked: { headline: 'Locked', mood: 'waiting' },
  applying: { headline: 'Applying', mood: 'working' },
  planning: { headline: 'Planning', mood: 'working' },
  waiting: { headline: 'Waiting', mood: 'waiting' },
  idle: { headline: 'Up to date', mood: 'good' },
};

export function laneMood(state: LaneState): Html {
  const { headline, mood } = LANE_LOOK[state];
  return html`<span class="mood ${mood}">${headline}</span>`;
}

const SOURCES = {
  storage: 'Storage does not answer: this is as it was known before.',
  temporal: 'Temporal does not answer: how far deployments are is not known.',
} as const;

export function unavailableNote(unavailable: readonly (keyof typeof SOURCES)[]): Html | false {
  return (
    unavailable.length > 0 &&
    html`<p class="note warning" role="status">${unavailable.map((source) => SOURCES[source]).join(' ')}</p>`
  );
}

/** What the page's script replaces while it is open. */
export function liveState(body: Html): Html {
  return html`<div id="state" data-poll-ms="${POLL_MS}">${body}</div>`;
}

/** Lanes are read as often at most. */
const POLL_MS = 3_000;
