/** The page `/lanes`: the whole fleet. A pure function of the API's answer. */
import { LANE_STATES, OPERATIONS, type LaneList, type LaneSummary } from '@nereid/api';
import { LANE_LOOK } from '@nereid/domain/looks';
import { isSameName } from '../access/repository-access.ts';
import { html, type Html } from '../platform/html/html.ts';
import { stateMark } from '../platform/html/icons.ts';
import { liveState } from '../platform/html/live.ts';
import { unavailableNote } from '../platform/html/notes.ts';
import { stackedTable } from '../platform/html/table.ts';
import { stopNote } from '../stops/stop-note.ts';
import type { ShownStop } from '../access/stops/shown-stops.ts';
import { behindText, deployedText, waitText } from './lane-look.ts';
import type { LanesQuery } from './list-lanes.ts';

export interface LanesLook {
  readonly list: LaneList;
  readonly query: LanesQuery;
  readonly stops: readonly ShownStop[];
}

/** `repositories` are those that the viewer may choose from. */
export function lanesBody({ repositories, ...look }: LanesLook & { readonly repositories: readonly string[] }): Html {
  return html`${filters(look.query, repositories)} ${lanesState(look)}`;
}

/** The part that changes while the page is open. */
export function lanesState({ list, query, stops }: LanesLook): Html {
  const { items, next, counts, unavailable } = list;
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return liveState(
    html`${unavailableNote(unavailable)} ${stopNote(stops, '')}
      <p class="quiet">${total === 1 ? '1 lane' : `${total} lanes`}${summaryOf(counts)}</p>
      ${items.length === 0 ? html`<p class="card">${nothing(query)}</p>` : stackedTable('Lanes', ['Root', 'State', 'Deployed', 'Waiting'], items.map(row))}
      ${
        next !== undefined &&
        html`<nav aria-label="More">
          <ul class="links">
            <li><a href="lanes?${addressOf(query, next)}">More lanes</a></li>
          </ul>
        </nav>`
      }`,
  );
}

function nothing({ cursor, repository, state, text, person }: LanesQuery): string {
  if (cursor !== undefined) return 'There are no more lanes.';
  const isFiltered = [repository, state, text, person].some((filter) => filter !== undefined);
  if (isFiltered) return 'No lane matches these filters.';
  return 'There are no lanes yet: a root gets its lane with its first deployment.';
}

function filters({ repository, state, text, person }: LanesQuery, repositories: readonly string[]): Html {
  return html`<form class="filters" method="get" action="lanes">
    <label>
      Repository
      <select name="repository">
        <option value="">All</option>
        ${repositories.map((name) => html`<option value="${name}" ${repository !== undefined && isSameName(name, repository) && html` selected`}>${name}</option>`)}
      </select>
    </label>
    <label>
      State
      <select name="state">
        <option value="">All</option>
        ${LANE_STATES.map((one) => html`<option value="${one}" ${one === state && html` selected`}>${LANE_LOOK[one].word}</option>`)}
      </select>
    </label>
    <label>Root or title <input name="text" value="${text ?? ''}" maxlength="200" /></label>
    <label>Person <input name="person" value="${person ?? ''}" maxlength="100" /></label>
    <button type="submit">Filter</button>
  </form>`;
}

function summaryOf(counts: LaneList['counts']): string {
  const parts = LANE_STATES.flatMap((state) => {
    const count = counts[state] ?? 0;
    return count === 0 ? [] : [`${LANE_LOOK[state].word.toLowerCase()} ${count}`];
  });
  return parts.length === 0 ? '' : `: ${parts.join(', ')}`;
}

function row(lane: LaneSummary): Html {
  const { repository, rootName, state, sentence, deployed, waiting, behind } = lane;
  const behindBranch = behindText(behind);
  return html`<tr role="row">
    <th scope="row" role="rowheader">
      <a href="lanes/${repository}/${rootName}">${rootName}</a> <span class="quiet">${repository}</span>
    </th>
    <td role="cell">
      ${stateMark(LANE_LOOK[state])}
      ${sentence !== undefined && html`<span class="detail">${waitText(lane, '')}</span>`}
    </td>
    <td role="cell">
      <span class="label">Deployed: </span>${deployedText(deployed)}
      ${behindBranch && html`<span class="detail">${behindBranch}</span>`}
    </td>
    <td role="cell"><span class="label">Waiting: </span>${waiting}</td>
  </tr>`;
}

function addressOf({ repository, state, text, person, limit }: LanesQuery, cursor: string): string {
  const size = limit === OPERATIONS.listLanes.query.parse({}).limit ? undefined : String(limit);
  const kept = Object.entries({ repository, state, text, person, limit: size, cursor }).flatMap(
    ([name, value]): [string, string][] => (value === undefined ? [] : [[name, value]]),
  );
  return new URLSearchParams(kept).toString();
}
