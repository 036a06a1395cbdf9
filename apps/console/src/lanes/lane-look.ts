/** How a lane is shown to a person. */
import type { Behind, Deployed, LaneSummary } from '@nereid/api';
import { shortSha } from '@nereid/domain/deployment';
import { linked } from '../fleet/lane-sentence.ts';
import { html, type Html } from '../platform/html/html.ts';
import { when } from '../platform/html/when.ts';

/** The commit that is deployed, or was being deployed when the deployment went wrong. */
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
