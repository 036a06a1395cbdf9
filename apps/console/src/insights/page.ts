/** The page `/insights`. A pure function of the API's answer. */
import { tookText } from '@nereid/domain/duration';
import type { Insights } from '@nereid/api';
import { html, type Html } from '../platform/html/html.ts';
import { liveState } from '../platform/html/live.ts';
import { missingNote } from '../platform/html/notes.ts';
import { table } from '../platform/html/table.ts';
import { dayChart } from './day-chart.ts';

export const PERIODS = [7, 30, 90] as const;

/** `repositories` are those that the viewer may choose from. */
export function insightsBody(insights: Insights, repositories: readonly string[]): Html {
  return html`${choice(insights, repositories)} ${insightsState(insights)}`;
}

/** The part that changes while the page is open. */
export function insightsState(insights: Insights): Html {
  const { mergeToApplied, inReview, timeToRestore, failureRate, perDay, busiest, missing } = insights;
  const total = perDay.reduce((sum, { succeeded, failed, other }) => sum + succeeded + failed + other, 0);
  return liveState(
    html`${missingNote(missing)}
      <dl class="figures">
        ${figure('Deployments', String(total), `${(total / insights.days).toFixed(1)} a day`)}
        ${spread('From merge to applied', mergeToApplied)} ${spread('Wait for a review', inReview)}
        ${figure('Failure rate', failureRate === undefined ? '–' : `${(failureRate * 100).toFixed(1)} %`, 'of those that were to be applied')}
        ${spread('Time to restore', timeToRestore)}
      </dl>
      <section class="card" aria-labelledby="per-day">
        <h2 id="per-day">Deployments a day</h2>
        ${dayChart(perDay)}
        <details>
          <summary>The numbers</summary>
          ${table(
            'Deployments a day, as a table',
            ['Day', 'Succeeded', 'Failed', 'Without an apply'],
            perDay.toReversed().map(
              (day) =>
                html`<tr>
                  <th scope="row">${day.day}</th>
                  <td>${day.succeeded}</td>
                  <td>${day.failed}</td>
                  <td>${day.other}</td>
                </tr>`,
            ),
          )}
        </details>
      </section>
      <section class="card" aria-labelledby="busiest">
        <h2 id="busiest">Busiest roots</h2>
        ${busiest.length === 0 ? html`<p>Nothing was deployed in these days.</p>` : busiestTable(busiest)}
      </section>`,
  );
}

function choice({ days, repository }: Insights, repositories: readonly string[]): Html {
  return html`<form class="filters" method="get" action="insights">
    <label>
      Period
      <select name="days">
        ${PERIODS.map((period) => html`<option value="${period}" ${period === days && html` selected`}>${period} days</option>`)}
      </select>
    </label>
    <label>
      Repository
      <select name="repository">
        <option value="">All</option>
        ${repositories.map((name) => html`<option value="${name}" ${name === repository && html` selected`}>${name}</option>`)}
      </select>
    </label>
    <button type="submit">Show</button>
  </form>`;
}

function spread(title: string, measured: Insights['inReview']): Html {
  if (measured === undefined) return figure(title, '–', 'nothing was measured');
  const { median, p90, count } = measured;
  return figure(title, tookText(median), `median of ${count}; nine of ten within ${tookText(p90)}`);
}

function figure(title: string, value: string, note: string): Html {
  return html`<div>
    <dt>${title}</dt>
    <dd>${value} <span class="quiet">${note}</span></dd>
  </div>`;
}

function busiestTable(busiest: Insights['busiest']): Html {
  const most = Math.max(...busiest.map(({ deployments }) => deployments));
  return table(
    'Busiest roots, as a table',
    ['Root', 'Deployments', 'Failed'],
    busiest.map(
      ({ repository, rootName, deployments, failed }) =>
        html`<tr>
          <th scope="row">
            <a href="activity?repository=${repository}&root=${rootName}">${rootName}</a>
            <span class="quiet">${repository}</span>
          </th>
          <td><meter min="0" max="${most}" value="${deployments}" aria-hidden="true"></meter> ${deployments}</td>
          <td>${failed}</td>
        </tr>`,
    ),
  );
}
