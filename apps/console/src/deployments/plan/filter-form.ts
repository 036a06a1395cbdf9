/** The form above a plan: each answer is a page of its own, so that it works without a script and can be sent to somebody. Pure. */
import { html, type Html } from '../../platform/html/html.ts';
import { queryText, type Access } from './page-query.ts';
import { choicesOf, isFiltered, type Choice, type PlanQuery } from './plan-filter.ts';
import { ITEM_ROWS, type PlanItem } from './plan-items.ts';

export function filterForm(items: readonly PlanItem[], query: PlanQuery, access: Access): Html {
  const { types, modules } = choicesOf(items);
  const found = new Set<string>(items.map(({ action }) => action));
  const actions = ITEM_ROWS.filter(([action]) => found.has(action));
  return html`<form class="filters" method="get" action="plan">
    ${Object.entries({ ...access, view: query.view }).map(([name, value]) => value !== undefined && html`<input type="hidden" name="${name}" value="${value}" />`)}
    <label>
      Change
      <select name="action">
        <option value="">All</option>
        ${actions.map(([action, { heading }]) => html`<option value="${action}" ${action === query.action && html` selected`}>${heading}</option>`)}
      </select>
    </label>
    ${choice('Type', 'type', types, query.type)}${choice('Module', 'module', modules, query.module)}
    <label>Text <input name="text" value="${query.text ?? ''}" maxlength="200" /></label>
    <button type="submit">Filter</button>
    ${isFiltered(query) && html`<a href="plan${queryText({ ...access, view: query.view })}">Everything</a>`}
  </form>`;
}

function choice(title: string, name: string, choices: readonly Choice[], chosen: string | undefined): Html {
  const isListed = chosen === undefined || choices.some(({ value }) => value === chosen);
  return html`<label>
    ${title}
    <select name="${name}">
      <option value="">All</option>
      ${!isListed && html`<option value="${chosen}" selected>${chosen}</option>`}
      ${choices.map(({ value, count }) => html`<option value="${value}" ${value === chosen && html` selected`}>${value} (${count})</option>`)}
    </select>
  </label>`;
}
