/** How the state of a lane is shown to a person. */
import type { Deployed, LaneState } from '@nereid/api';
import { shortSha } from '@nereid/contracts';
import { when } from '../deployments/when.ts';
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
  idle: { headline: 'Idle', mood: 'neutral' },
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

/** What is deployed, or was being deployed when it went wrong. */
export function deployedText(deployed: Deployed | undefined): Html {
  if (deployed === undefined) return html`nothing yet`;
  const wentWrong = deployed.status !== 'succeeded' && deployed.status !== 'no-changes';
  return html`<code>${shortSha(deployed.sha)}</code>
    ${wentWrong && html`<span class="mood bad">not as a whole</span> `}${when(deployed.at)}`;
}
