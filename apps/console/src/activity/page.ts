/** The page `/activity`. A pure function of the API's answer. */
import type { ActivityEntry, ActivityList } from '@nereid/api';
import { OPERATOR_SUBJECTS, TRAIL_ACTIONS } from '@nereid/domain/actions';
import { html, type Html } from '../platform/html/html.ts';
import { liveState } from '../platform/html/live.ts';
import { missingNote } from '../platform/html/notes.ts';
import { when } from '../platform/html/when.ts';
import { table } from '../platform/html/table.ts';
import { isDay, type ActivityQuery } from './list-activity.ts';
import { EXPORT_LIMIT } from './send-export.ts';

const FILTERS = [
  { name: 'repository', label: 'Repository' },
  { name: 'root', label: 'Root' },
  { name: 'person', label: 'Person' },
] as const;

/** Days of UTC, as everywhere in the trail. */
const TIMES = [
  { name: 'from', label: 'From (UTC)' },
  { name: 'to', label: 'To (UTC)' },
] as const;

export function activityBody(list: ActivityList, query: ActivityQuery): Html {
  return html`<form class="filters" method="get" action="activity">
      ${FILTERS.map(
        ({ name, label }) =>
          html`<label>${label} <input name="${name}" value="${query[name] ?? ''}" maxlength="150" /></label>`,
      )}
      ${TIMES.map(({ name, label }) => timeInput(name, label, query[name]))}
      <label>
        Action
        <select name="action">
          <option value="">All</option>
          ${TRAIL_ACTIONS.map((action) => html`<option value="${action}" ${action === query.action && html` selected`}>${action}</option>`)}
        </select>
      </label>
      <button type="submit">Filter</button>
    </form>
    ${activityState(list, query)}`;
}

/** An address may name a time as well, which a field for days would lose. */
function timeInput(name: string, label: string, value = ''): Html {
  const type = value === '' || isDay(value) ? 'date' : 'text';
  return html`<label>${label} <input type="${type}" name="${name}" value="${value}" /></label>`;
}

/** The part that changes while the page is open, unless it shows earlier events. */
export function activityState(list: ActivityList, query: ActivityQuery): Html {
  const body = html`${missingNote(list.missing)}${list.items.length === 0 ? html`<p class="card">${list.next === undefined ? 'Nothing has happened yet.' : 'Nothing in this month.'}</p>` : table('What happened', ['When', 'Where', 'What'], list.items.map(row))}
    <nav aria-label="More">
      <ul class="links">
        ${list.next !== undefined && html`<li><a href="activity?${addressOf(query, { cursor: list.next })}">Earlier</a></li>`}
        <li><a href="activity.csv?${addressOf(query)}">As CSV</a></li>
        <li><a href="activity.jsonl?${addressOf(query)}">As lines of JSON</a></li>
      </ul>
      <p class="quiet">
        A file ends after ${EXPORT_LIMIT.toLocaleString('en')} events: then its last line says so, and the download
        counts as failed. Choose fewer days.
      </p>
    </nav>`;
  return liveState(body, query.cursor !== undefined);
}

function row(entry: ActivityEntry): Html {
  const { at, state, repository, rootName, deploymentId, sentence } = entry;
  const ofOperators = Object.values(OPERATOR_SUBJECTS).map((field) => entry[field]);
  const place = rootName ?? repository ?? ofOperators.find((name) => name !== undefined) ?? '–';
  const lane = repository !== undefined && rootName !== undefined ? `${repository}/${rootName}` : undefined;
  const isLinked = deploymentId !== undefined && lane !== undefined;
  return html`<tr class="${state.toLowerCase()}">
    <td>${when(at)}</td>
    <td>
      ${isLinked ? html`<a href="deployments/${deploymentId}?lane=${lane}">${place}</a>` : place}
      ${rootName !== undefined && html`<span class="quiet">${repository}</span>`}
    </td>
    <td>${sentence}</td>
  </tr>`;
}

function addressOf(query: ActivityQuery, more: { readonly cursor?: string } = {}): string {
  const kept = (['repository', 'root', 'person', 'action', 'from', 'to'] as const).flatMap(
    (name): [string, string][] => {
      const value = query[name];
      return value === undefined ? [] : [[name, value]];
    },
  );
  return new URLSearchParams([...kept, ...Object.entries(more)]).toString();
}
