/** What the policies say of a plan, and its changes: counts, then addresses by action, destroys first. A pure function. */
import {
  type MadePlan,
  type PlanSummary,
  type PlanWarnings,
  type PolicyOverride,
  type PolicyResult,
} from '@nereid/domain/plan';
import type { Signed } from '@nereid/domain/signed';
import { planCounts } from '@nereid/domain/deployment';
import type { PlanParts } from '@nereid/texts';
import { html, type Content, type Html } from '../../platform/html/html.ts';
import { itemGroups, permalinksTo, type GroupsOptions } from './item-groups.ts';
import { planItems, type ItemAction } from './plan-items.ts';
import { planTextBlock } from './plan-text.ts';
import { createEffort, type Effort } from './rows/text-rows.ts';

export interface PlanOptions {
  readonly overrides?: readonly Signed<PolicyOverride>[] | undefined;
  /** Terraform's own text of it. */
  readonly text?: PlanParts | undefined;
  /** Unique on the page. */
  readonly id?: string;
  /** The address of its own page. */
  readonly path?: string;
}

export function planSection(plan: MadePlan, options: PlanOptions = {}): Html {
  return html`${noteSections(plan, options.overrides, options.id)}${changeSection(plan, options)}`;
}

/** The sentences of Terraform and of the policies. */
export function noteSections(
  { policies = [], warnings }: MadePlan,
  overrides: readonly Signed<PolicyOverride>[] = [],
  id = 'plan',
): Content {
  return [
    warnings && warningSection(warnings, `${id}-warnings`),
    policies.length > 0 && policySection(policies, overrides, `${id}-policies`),
  ];
}

function warningSection(warnings: PlanWarnings, id: string): Html {
  return html`<section class="card" aria-labelledby="${id}">
    <h2 id="${id}">Terraform warns</h2>
    ${planWarningList(warnings)}
  </section>`;
}

export function planWarningList({ texts, omitted }: PlanWarnings): Html {
  return html`<ul>
      ${texts.map((text) => html`<li>${text}</li>`)}
    </ul>
    ${omitted !== undefined && html`<p>… and ${omitted} more: see the log.</p>`}`;
}

function policySection(
  policies: readonly PolicyResult[],
  overrides: readonly Signed<PolicyOverride>[],
  id: string,
): Html {
  return html`<section class="card" aria-labelledby="${id}">
    <h2 id="${id}">Policies</h2>
    ${policies.map((policy) => policyItem(policy, overrides))}
  </section>`;
}

const VERDICT = {
  passed: 'passed',
  denied: 'denies',
  error: 'could not be evaluated, which counts as a denial',
} as const;

function policyItem(
  { name, enforce, verdict, denials, warnings, omitted }: PolicyResult,
  overrides: readonly Signed<PolicyOverride>[],
): Html {
  const override = overrides.find(({ body }) => body.policies.includes(name))?.body;
  const note = `${VERDICT[verdict]}${enforce === 'advisory' ? ' (advice)' : ''}`;
  return html`<p><strong>${name}</strong> ${note}${override && `, overridden by @${override.by}`}</p>
    <ul>
      ${[...denials, ...warnings].map((line) => html`<li>${line}</li>`)}
    </ul>
    ${omitted !== undefined && html`<p>… and ${omitted} more: see the log.</p>`}`;
}

/** A page of several plans, or one that follows a deployment, shows so many resources; the plan's own page has all. */
const RESOURCES_SHOWN = 50;

function changeSection({ hasChanges, summary }: MadePlan, { text, id = 'plan', path }: PlanOptions): Html {
  if (!hasChanges) {
    return html`<section class="card" aria-labelledby="${id}">
      <h2 id="${id}">Plan</h2>
      <p>No changes: the infrastructure already matches this revision.</p>
    </section>`;
  }
  const items = planItems(summary, text);
  const effort = createEffort();
  const missing = Math.max(items.length, summary.resources.length + summary.omitted) - RESOURCES_SHOWN;
  return html`<section class="card" aria-labelledby="${id}">
    <h2 id="${id}">Plan: ${planCounts(summary)}</h2>
    ${path !== undefined && html`<p><a href="${path}">Filter, search and compare this plan</a></p>`}
    ${itemGroups(items, { countOf: countIn(summary), limit: RESOURCES_SHOWN, resourceIds: id, effort, permalink: path === undefined ? undefined : permalinksTo(path) })}
    ${missing > 0 && html`<p>… and ${missing} more: see ${path === undefined ? 'the log' : html`<a href="${path}">the whole plan</a>`}.</p>`}
    ${text && otherSections(text, id, effort)}
  </section>`;
}

export function countIn(summary: PlanSummary): (action: ItemAction) => number {
  return (action) => (action === 'other' ? 0 : (summary[action] ?? 0));
}

/** Everything of a plan that is not a resource which it changes. */
export function otherSections({ outputs, drift, notes }: PlanParts, id: string, effort: Effort): Content {
  return [
    outputs.length > 0 && partOf('Outputs', planTextBlock(outputs, effort), `${id}-outputs`),
    drift.size > 0 && partOf(`Changed outside of Terraform: ${drift.size}`, driftBlocks(drift, effort), `${id}-drift`),
    notes.length > 0 && partOf('Notes', planTextBlock(notes, effort), `${id}-notes`),
  ];
}

function partOf(title: string, body: Content, id: string): Html {
  return html`<details class="changes" id="${id}">
    <summary>${title}</summary>
    ${body}
  </details>`;
}

/** A page stays a page. */
const DRIFT_SHOWN = 50;

function driftBlocks(drift: PlanParts['drift'], effort: Effort): Content {
  const blocks = [...drift.values()].slice(0, DRIFT_SHOWN).map((lines) => planTextBlock(lines, effort));
  return [...blocks, drift.size > DRIFT_SHOWN && html`<p>… and ${drift.size - DRIFT_SHOWN} more: see the log.</p>`];
}

/** The resources of a plan whose text is not shown. */
export function changeGroups(
  summary: PlanSummary,
  options: Pick<GroupsOptions, 'limit' | 'idPrefix' | 'permalink'> = {},
): Content {
  return itemGroups(planItems(summary, undefined), { ...options, countOf: countIn(summary) });
}
