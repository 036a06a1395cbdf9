/**
 * The page of one plan: everything in it, filtered and in pages. It does not update itself, so that nothing changes under the reader:
 * an answer names what was shown, and is refused when the plan is another one by then. A pure function.
 */
import { planCounts } from '@nereid/domain/deployment';
import type { MadePlan } from '@nereid/domain/plan';
import { STATUS_LOOK } from '@nereid/domain/looks';
import type { Actor } from '../../login/visitor/actor-of.ts';
import { html, type Content, type Html } from '../../platform/html/html.ts';
import { iconOf } from '../../platform/html/icons.ts';
import type { DeploymentView, ShownPlanText } from '../deployment-view.ts';
import { offersSection, warningNotes } from '../offers.ts';
import { otherPlansSection, type OtherPlan } from './compare/other-plans.ts';
import { filterForm } from './filter-form.ts';
import { itemGroups, permalinksTo } from './item-groups.ts';
import { queryText, type Access } from './page-query.ts';
import { filterItems, indexOfItem, isFiltered, type PlanQuery } from './plan-filter.ts';
import { ITEM_ROWS, planItems, type PlanItem } from './plan-items.ts';
import { countIn, noteSections, otherSections } from './plan-section.ts';
import { removalSection } from './removal-section.ts';
import { createEffort, type Effort } from './rows/text-rows.ts';
import { viewSwitch } from './view-switch.ts';

export interface PlanPage {
  readonly view: DeploymentView;
  readonly made: MadePlan;
  readonly query: PlanQuery;
  readonly access: Access;
  /** Of the same root. */
  readonly others: readonly OtherPlan[];
}

/** From the page `/deployments/<id>/plan`. */
export const PLAN_TO_TOP = '../../';

/** Folded but for the first ones, so that a page of the longest plan has some hundred kilobytes. */
const PAGE_SIZE = 100;

export function planBody(shownPlan: PlanPage, actor: Actor | undefined): Html {
  return removalSection(shownPlan.view) ?? wholePlan(shownPlan, actor);
}

function wholePlan(shownPlan: PlanPage, actor: Actor | undefined): Html {
  const { view, made, query, access, others } = shownPlan;
  const { planText, progress } = view;
  const items = planItems(made.summary, planText);
  const index = query.at === undefined ? -1 : indexOfItem(items, query.at);
  const named = items[index];
  // A permalink was taken on a page that may have been filtered in another way.
  const asked = named === undefined ? query : { page: Math.floor(index / PAGE_SIZE) + 1, view: query.view };
  const found = filterItems(items, asked);
  const pages = Math.max(1, Math.ceil(found.length / PAGE_SIZE));
  const page = Math.min(asked.page, pages);
  const shown = found.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);
  const linkTo = (fields: Readonly<Record<string, string | number | undefined>>) =>
    `plan${queryText({ ...access, view: query.view, ...fields })}`;
  const effort = createEffort();
  const counted = isFiltered(asked) || pages > 1 ? {} : { countOf: countIn(made.summary) };
  const look = { view: query.view, opened: named?.name, permalink: permalinksTo(linkTo({ view: undefined })) };
  return html`${summaryBar(view, made, items, linkTo)}
    ${noteSections(made, progress.overrides)}${warningNotes(view.warnings)}${offersSection(view, actor, { toTop: PLAN_TO_TOP })}
    ${items.length > 0 && filterForm(items, asked, access)}
    <section class="card" aria-labelledby="resources">
      <h2 id="resources">${headingOf(items, found, page, pages)}</h2>
      ${query.at !== undefined && named === undefined && html`<p class="note" role="alert">No resource of this plan is called <code>${query.at}</code>.</p>`}
      ${viewSwitch(query.view, (to) => linkTo({ ...asked, at: named?.name, view: to }))}
      ${itemGroups(shown, { ...counted, ...look, effort })}
      ${pagesNav(page, pages, (to) => linkTo({ ...asked, page: to }))} ${missing(shownPlan, items.length)}
    </section>
    ${planText && page === 1 && !isFiltered(asked) && besidesResources(planText, effort)}
    ${otherPlansSection(others, access)}`;
}

function besidesResources(text: ShownPlanText, effort: Effort): Html | undefined {
  if (text.outputs.length + text.drift.size + text.notes.length === 0) return undefined;
  return html`<section class="card" aria-labelledby="besides">
    <h2 id="besides">Besides resources</h2>
    ${otherSections(text, 'plan', effort)}
  </section>`;
}

type LinkTo = (fields: Readonly<Record<string, string | number | undefined>>) => string;

/** Stays in sight, with a way to each kind of change. */
function summaryBar(
  { progress }: DeploymentView,
  { summary, hasChanges }: MadePlan,
  items: readonly PlanItem[],
  linkTo: LinkTo,
): Html {
  const { icon, mood, word } = STATUS_LOOK[progress.status];
  const groups = Map.groupBy(items, ({ action }) => action);
  const counts = ITEM_ROWS.flatMap(([action, { heading, sign, look }]) => {
    const count = Math.max(groups.get(action)?.length ?? 0, countIn(summary)(action));
    if (count === 0) return [];
    return [html`<li><a class="${look}" href="${linkTo({ action })}">${sign} ${heading} ${count}</a></li>`];
  });
  return html`<div class="plan-bar">
    <span class="mood ${mood}">${iconOf(icon)} ${word}</span>
    <strong>${hasChanges ? planCounts(summary) : 'No changes'}</strong>
    ${
      counts.length > 0 &&
      html`<nav aria-label="Kinds of change">
        <ul>
          ${counts}
        </ul>
      </nav>`
    }
  </div>`;
}

function headingOf(all: readonly PlanItem[], found: readonly PlanItem[], page: number, pages: number): string {
  if (all.length === 0) return 'No resource changes';
  const resources = (count: number) => (count === 1 ? '1 resource' : `${count} resources`);
  const of = found.length === all.length ? resources(all.length) : `${found.length} of ${resources(all.length)}`;
  if (found.length === 0) return `No resource matches (${all.length} in all)`;
  return pages === 1 ? of : `${of}, page ${page} of ${pages}`;
}

function pagesNav(page: number, pages: number, linkTo: (page: number) => string): Html | undefined {
  if (pages === 1) return undefined;
  return html`<nav class="pages" aria-label="Pages of the plan">
    ${page > 1 && html`<a rel="prev" href="${linkTo(page - 1)}">Previous ${PAGE_SIZE}</a>`}
    ${page < pages && html`<a rel="next" href="${linkTo(page + 1)}">Next ${PAGE_SIZE}</a>`}
  </nav>`;
}

/** What a reader has to look for in the log. */
function missing({ view, made, access }: PlanPage, listed: number): Content {
  const { planText } = view;
  const log = html`<a href="../${view.id}${queryText(access)}#log-plan">the log</a>`;
  const unlisted = made.summary.resources.length + made.summary.omitted - listed;
  return [
    made.textDigest !== undefined &&
      planText === undefined &&
      html`<p class="note">
        Terraform's own text of this plan cannot be read now: load the page again, or see ${log}.
      </p>`,
    unlisted > 0 && html`<p>… and ${unlisted} more resources: see ${log}.</p>`,
    planText !== undefined &&
      planText.leftOut > 0 &&
      html`<p>The text of ${planText.leftOut} resources did not fit: see ${log}.</p>`,
    planText?.isShortened && html`<p>Long values are shortened: see ${log}.</p>`,
  ];
}
