/** The page of one lane. A pure function of the API's answer. */
import type { DeploymentBrief, LaneDetail } from '@nereid/api';
import type { Actor } from '../actions/buttons.ts';
import { shortSha, type DeploymentStatus } from '@nereid/contracts';
import { STATUS_LOOK } from '../deployments/status.ts';
import { exactly, when } from '../deployments/when.ts';
import { html, type Html } from '../html/html.ts';
import { liveState } from '../html/live.ts';
import { durationText } from '../insights/duration-text.ts';
import { cancelForm, deployForm, unlockForm } from './lane-offers.ts';
import { deployedText, laneMood, unavailableNote } from './lane-look.ts';

/** From the page `/lanes/<owner>/<repo>/<root>`. */
export const LANE_TO_TOP = '../../../';

export function laneBody(lane: LaneDetail, actor?: Actor): Html {
  return html`<p class="place">${lane.repository}</p>
    <form class="filters" method="get">
      <label
        >As of (UTC) <input name="at" value="${lane.asOf ?? ''}" placeholder="2026-11-22T12:00:00Z" maxlength="30"
      /></label>
      <button type="submit">Show</button>
    </form>
    ${laneState(lane, actor)} ${deployForm(lane, actor, LANE_TO_TOP)}`;
}

/** What changes while the page is open. */
export function laneState(lane: LaneDetail, actor?: Actor): Html {
  const { state, sentence, since, running, queue, waiting, deployed, lock, unavailable, asOf } = lane;
  const end = (one: DeploymentBrief) => cancelForm(lane, one, actor, LANE_TO_TOP);
  const body = html`${unavailableNote(unavailable)} ${asOf !== undefined && thenOf(lane, exactly(asOf))}
    <p class="status">${laneMood(state)} ${sentence} ${since !== undefined && when(since)}</p>
    ${unlockForm(lane, actor, LANE_TO_TOP)}
    <p>Deployed: ${deployedText(deployed)}</p>
    ${running && lock && html`<p>Locked by ${lock.sentence}, ${when(lock.at)}.</p>`}
    ${running && section('running', 'Runs', table([running], 'What runs', end))}
    ${queue.length > 0 && section('queue', `Waits, in this order (${waiting})`, table(queue, 'What waits', end))}
    ${section('history', 'History', historyOf(lane))}`;
  return liveState(body, asOf !== undefined);
}

/** Only the history is that of then. */
function thenOf({ deployedThen, history, unavailable }: LaneDetail, then: string): Html | false {
  if (deployedThen)
    return html`<p class="note">
      At ${then}, <code>${shortSha(deployedThen.sha)}</code> was deployed, since ${exactly(deployedThen.at)}. State and
      queue are those of now.
    </p>`;
  if (unavailable.includes('storage')) return false;
  if (history.length === 0) return html`<p class="note">Nothing had been deployed by ${then}.</p>`;
  return html`<p class="note">None of the last ${history.length} deployments before ${then} was applied.</p>`;
}

function section(id: string, title: string, body: Html): Html {
  return html`<section class="card" aria-labelledby="${id}">
    <h2 id="${id}">${title}</h2>
    ${body}
  </section>`;
}

function historyOf({ history, asOf, unavailable }: LaneDetail): Html {
  if (history.length === 0 && unavailable.includes('storage')) return html`<p>Not known: storage does not answer.</p>`;
  if (history.length === 0)
    return html`<p>${asOf === undefined ? 'Nothing has ended yet.' : 'Nothing had ended by then.'}</p>`;
  return table(history, 'Deployments that ended');
}

type ButtonsOf = (deployment: DeploymentBrief) => Html | undefined;

function table(deployments: readonly DeploymentBrief[], label: string, buttonsOf: ButtonsOf = () => undefined): Html {
  const longest = Math.max(...deployments.map(secondsOf));
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${label}">
    <table>
      <thead>
        <tr>
          <th scope="col">Revision</th>
          <th scope="col">State</th>
          <th scope="col">Asked for</th>
          ${longest > 0 && html`<th scope="col">Took</th>`}
        </tr>
      </thead>
      <tbody>
        ${deployments.map((one) => row(one, longest, buttonsOf(one)))}
      </tbody>
    </table>
  </div>`;
}

function row(one: DeploymentBrief, longest: number, buttons: Html | undefined): Html {
  const { path, sha, title, status, trigger, rerun, requestedBy, receivedAt, checkRun } = one;
  const { headline, mood } = STATUS_LOOK[status as DeploymentStatus]; // As the console itself has written it.
  const seconds = secondsOf(one);
  return html`<tr>
    <th scope="row">
      <a href="${LANE_TO_TOP}${path}"><code>${shortSha(sha)}</code></a> <span class="quiet">${title}</span>
    </th>
    <td>
      <span class="mood ${mood}">${headline}</span>
      ${checkRun !== undefined && html`<span class="detail"><a href="${checkRun}">check run</a></span>`}${buttons}
    </td>
    <td>
      ${when(receivedAt)}
      <span class="quiet">by ${requestedBy}${trigger === 'manual' && !rerun && ', by hand'}${rerun && ', again'}</span>
    </td>
    ${
      longest > 0 &&
      html`<td>
        <meter min="0" max="${longest}" value="${seconds}" aria-hidden="true"></meter> ${durationText(seconds)}
      </td>`
    }
  </tr>`;
}

function secondsOf({ receivedAt, endedAt }: DeploymentBrief): number {
  return endedAt === undefined ? 0 : Math.max(0, (Date.parse(endedAt) - Date.parse(receivedAt)) / 1_000);
}
