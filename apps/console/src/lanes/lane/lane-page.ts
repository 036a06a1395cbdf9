/** The page of one lane. A pure function of the API's answer. */
import type { DeploymentBrief, LaneDetail } from '@nereid/api';
import { defined } from '@nereid/domain/defined';
import { shortSha, type DeploymentStatus } from '@nereid/domain/deployment';
import { LANE_LOOK, STATUS_LOOK } from '@nereid/domain/looks';
import { cancelForm } from '../../deployments/cancel-form.ts';
import type { Actor } from '../../login/visitor/actor-of.ts';
import { html, type Html } from '../../platform/html/html.ts';
import { stateMark } from '../../platform/html/icons.ts';
import { liveState } from '../../platform/html/live.ts';
import { unavailableNote } from '../../platform/html/notes.ts';
import { exactly, when } from '../../platform/html/when.ts';
import { stopNote } from '../../stops/stop-note.ts';
import { stopsAround, type ShownStop } from '../../access/stops/shown-stops.ts';
import { deployedText, waitText } from '../lane-look.ts';
import { deployForm, laneForms } from '../lane-offers.ts';
import { deploymentsTable } from './deployments-table.ts';

/** From the page `/lanes/<owner>/<repo>/<root>`. */
export const LANE_TO_TOP = '../../../';

export function laneBody(lane: LaneDetail, stops: readonly ShownStop[], actor?: Actor): Html {
  return html`${laneState(lane, stops, actor)} ${thenForm(lane)} ${deployForm(lane, actor, LANE_TO_TOP)}`;
}

/** Below the state: most people come to see what the lane does now. */
function thenForm({ asOf, rootName }: LaneDetail): Html {
  return html`<form class="filters" method="get">
    <label
      >Its history as of (UTC) <input name="at" value="${asOf ?? ''}" placeholder="2026-11-22T12:00:00Z" maxlength="30"
    /></label>
    <button type="submit">Show</button>
    ${asOf !== undefined && html`<a href="${rootName}">Now</a>`}
  </form>`;
}

/** The part that changes while the page is open. */
export function laneState(lane: LaneDetail, stops: readonly ShownStop[], actor?: Actor): Html {
  const { state, sentence, since, running, queue, waiting, deployed, lock, unavailable, asOf } = lane;
  const buttonsOf = (one: DeploymentBrief) => cancelForm(lane, one, actor, LANE_TO_TOP);
  const atWork = { toTop: LANE_TO_TOP, buttonsOf };
  const body = html`${unavailableNote(unavailable)} ${stopNote(stopsAround(stops, lane.repository), LANE_TO_TOP)}
    ${asOf !== undefined && thenOf(lane, exactly(asOf))}
    <p class="status${running !== undefined && ' at-work'}">
      ${stateMark(LANE_LOOK[state])} ${sentence === undefined && since !== undefined && when(since)}
      ${sentence !== undefined && html`<span class="sentence">${waitText(lane, LANE_TO_TOP)}</span>`}
    </p>
    ${laneForms(lane, actor, LANE_TO_TOP)}
    <p>Deployed: ${deployedText(deployed)}</p>
    ${running && lock && html`<p>Locked by ${lock.sentence}, ${when(lock.at)}.</p>`}
    ${running && section('running', 'Runs', deploymentsTable([running], { ...atWork, label: 'What runs' }))}
    ${queue.length > 0 && section('queue', `Waits, in this order (${waiting})`, deploymentsTable(queue, { ...atWork, label: 'What waits' }))}
    ${behindOf(lane)} ${section('history', 'History', historyOf(lane))}`;
  return liveState(body, asOf !== undefined);
}

/** Only the history is of that time. */
function thenOf({ deployedThen, searchedTo, unavailable, unreadable }: LaneDetail, then: string): Html | false {
  const now = 'State and queue are those of now.';
  if (deployedThen) {
    const { sha, at, status } = deployedThen;
    const isWhole = status === 'succeeded' || status === 'no-changes';
    return html`<p class="note">
      At ${then}, <code>${shortSha(sha)}</code> was deployed${!isWhole && ', but not as a whole'}, since ${exactly(at)}.
      ${now}
    </p>`;
  }
  if (unavailable.includes('storage')) return false;
  if (searchedTo !== undefined)
    return html`<p class="note">
      None of the deployments that ended between ${exactly(searchedTo)} and ${then} took effect.
      <a href="?at=${searchedTo}">Earlier deployments</a>
    </p>`;
  const known = unreadable === undefined ? '' : ', as far as its records can be read';
  return html`<p class="note">Nothing had been deployed by ${then}${known}.</p>`;
}

function behindOf({ behind, revisionsBehind }: LaneDetail): Html | false {
  if (behind === undefined || revisionsBehind.length === 0) return false;
  const { revisions, isAtLeast } = behind;
  const left = revisions - revisionsBehind.length;
  return section(
    'behind',
    `Commits that are not deployed (${isAtLeast ? 'at least ' : ''}${revisions})`,
    html`<ul class="rows">
        ${revisionsBehind.map(({ sha, title, status, path }) => {
          const look = STATUS_LOOK[status as DeploymentStatus]; // As the console itself has written it.
          return html`<li>
            <a href="${LANE_TO_TOP}${path}"><code>${shortSha(sha)}</code></a> <bdi>${title}</bdi>
            <span class="detail">${stateMark(look)}</span>
          </li>`;
        })}
      </ul>
      ${left > 0 && html`<p>and ${left} before these</p>`}`,
  );
}

function section(id: string, title: string, body: Html): Html {
  return html`<section class="card" aria-labelledby="${id}">
    <h2 id="${id}">${title}</h2>
    ${body}
  </section>`;
}

function historyOf(lane: LaneDetail): Html {
  const { history, asOf, unavailable, unreadable = 0, next } = lane;
  if (history.length === 0 && unavailable.includes('storage')) return html`<p>Not known: storage does not answer.</p>`;
  const isEmpty = history.length === 0 && unreadable === 0 && next === undefined;
  if (isEmpty) return html`<p>${asOf === undefined ? 'Nothing has ended yet.' : 'Nothing had ended by then.'}</p>`;
  const query = new URLSearchParams(defined({ at: asOf, cursor: next }));
  return html`${history.length > 0 && deploymentsTable(history, { label: 'Deployments that ended', toTop: LANE_TO_TOP })}
  ${unreadable > 0 && html`<p>${unreadable === 1 ? 'One record' : `${unreadable} records`} of these cannot be read: the log of the console says why.</p>`}
  ${
    next !== undefined &&
    html`<nav aria-label="More of the history">
      <a href="?${query.toString()}">Earlier</a>
    </nav>`
  }`;
}
