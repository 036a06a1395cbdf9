/** How the state of a lane is shown to a person. */
import type { Behind, Deployed, LaneState, LaneSummary } from '@nereid/api';
import { shortSha } from '@nereid/domain/deployment';
import { linked } from '../fleet/lane-sentence.ts';
import { html, type Html } from '../platform/html/html.ts';
import type { StatusLook } from '../platform/html/status-look.ts';
import { when } from '../platform/html/when.ts';

export const LANE_LOOK: Readonly<Record<LaneState, StatusLook>> = {
  'outcome-unknown': { headline: 'Outcome unknown', mood: 'bad' },
  failed: { headline: 'Failed', mood: 'bad' },
  unreadable: { headline: 'Record unreadable', mood: 'bad' },
  stuck: { headline: 'Stuck', mood: 'bad' },
  review: { headline: 'To review', mood: 'waiting' },
  locked: { headline: 'Locked', mood: 'waiting' },
  undeployed: { headline: 'Not deployed', mood: 'bad' },
  applying: { headline: 'Applying', mood: 'working' },
  planning: { headline: 'Planning', mood: 'working' },
  waiting: { headline: 'Waiting', mood: 'waiting' },
  idle: { headline: 'Idle', mood: 'neutral' },
};

export function laneMood(state: LaneState): Html {
  const { headline, mood } = LANE_LOOK[state];
  return html`<span class="mood ${mood}">${headline}</span>`;
}

/** The revision that is deployed, or was being deployed when it went wrong. */
export function deployedText(deployed: Deployed | undefined): Html {
  if (deployed === undefined) return html`nothing yet`;
  const wentWrong = deployed.status !== 'succeeded' && deployed.status !== 'no-changes';
  return html`<code>${shortSha(deployed.sha)}</code>
    ${wentWrong && html`<span class="mood bad">not as a whole</span> `}${when(deployed.at)}`;
}

/** The reason for the lane's wait with its links, its beginning, and the time when it ends by itself. */
export function waitText({ sentence, links = [], state, since, endsAt }: LaneSummary, toTop: string): Html | undefined {
  if (sentence === undefined) return undefined;
  const parts = linked(sentence, links).map((part) =>
    typeof part === 'string' ? part : html`<a href="${toTop}${part.path}">${part.text}</a>`,
  );
  if (since === undefined) return html`${parts}`;
  if (state !== 'review') return html`${parts} <span class="quiet">(${when(since)})</span>`;
  return html`${parts}
    <span class="quiet">(asked ${when(since)}${endsAt !== undefined && html`, ends ${when(endsAt)}`})</span>`;
}

/** How far the lane is behind its branch; nothing where it is not, or where nobody knows. */
export function behindText(behind: Behind | undefined): Html | undefined {
  if (behind?.newest === undefined) return undefined;
  const { revisions, isAtLeast, newest } = behind;
  const count = `${isAtLeast ? 'at least ' : ''}${revisions} ${revisions === 1 ? 'commit' : 'commits'} behind`;
  return html`${count}${revisions > 1 && ', up to'} <code>${shortSha(newest.sha)}</code> <bdi>${newest.title}</bdi>`;
}
