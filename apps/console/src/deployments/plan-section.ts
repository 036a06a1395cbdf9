/** What the policies say of a plan, and its changes: counts, then addresses by action, destroys first. A pure function. */
import {
  CHANGE_ROWS,
  changeTitle,
  type MadePlan,
  type PlanSummary,
  type PlanWarnings,
  type PolicyOverride,
  type PolicyResult,
} from '@nereid/domain/plan';
import type { Signed } from '@nereid/domain/signed';
import { planCounts } from '@nereid/domain/deployment';
import type { PlanParts } from '@nereid/texts';
import { html, type Content, type Html } from '../platform/html/html.ts';
import { planTextBlock } from './plan-text.ts';

export interface PlanOptions {
  readonly overrides?: readonly Signed<PolicyOverride>[] | undefined;
  /** Terraform's own text of it. */
  readonly text?: PlanParts | undefined;
  /** Unique on the page. */
  readonly id?: string;
}

export function planSection(plan: MadePlan, { overrides = [], text, id = 'plan' }: PlanOptions = {}): Html {
  const { policies = [], warnings } = plan;
  const parts = [
    ...(warnings ? [warningSection(warnings, `${id}-warnings`)] : []),
    ...(policies.length > 0 ? [policySection(policies, overrides, `${id}-policies`)] : []),
    changeSection(plan, text, id),
  ];
  return html`${parts}`;
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

function changeSection({ hasChanges, summary }: MadePlan, text: PlanParts | undefined, id: string): Html {
  if (!hasChanges) {
    return html`<section class="card" aria-labelledby="${id}">
      <h2 id="${id}">Plan</h2>
      <p>No changes: the infrastructure already matches this revision.</p>
    </section>`;
  }
  return html`<section class="card" aria-labelledby="${id}">
    <h2 id="${id}">Plan: ${planCounts(summary)}</h2>
    ${changeGroups(summary, { text, resourceIds: id })}${text && text.rest.length > 0 && restOf(text, id)}${summary.omitted > 0 && html`<p>… and ${summary.omitted} more: see the log.</p>`}
  </section>`;
}

export interface GroupsOptions {
  /** How many addresses are listed; the first groups go first. Default: all. */
  readonly limit?: number;
  /** Of the ids by which the page's script finds what a person has folded, where there are several plans. */
  readonly idPrefix?: string;
  /** Terraform's own text: each resource has its own. */
  readonly text?: PlanParts | undefined;
  /** What the ids of resources begin with, by which a link leads to one. */
  readonly resourceIds?: string;
}

/** So many resources are seen without a click, those first that are destroyed or replaced. */
const OPEN_RESOURCES = 10;

function restOf({ rest }: PlanParts, id: string): Html {
  return html`<details class="changes" id="${id}-rest">
    <summary>Outputs and notes</summary>
    ${planTextBlock(rest)}
  </details>`;
}

export function changeGroups(summary: PlanSummary, { limit = Infinity, ...options }: GroupsOptions = {}): Content {
  const { idPrefix } = options;
  let room = limit;
  let open = OPEN_RESOURCES;
  return CHANGE_ROWS.map(([action, row]) => {
    const count = summary[action] ?? 0;
    if (count === 0) return undefined;
    const resources = summary.resources.filter((resource) => resource.action === action).slice(0, room);
    room -= resources.length;
    const id = idPrefix !== undefined && html` id="${idPrefix}-${action}"`;
    return html`<details open class="changes ${row.look}" ${id}>
      <summary>${changeTitle(row)} <span class="count">${count}</span></summary>
      <ul>
        ${resources.map((resource) => html`<li>${resourceItem(resource, options, (open -= 1) >= 0)}</li>`)}
      </ul>
    </details>`;
  });
}

function resourceItem(
  { address, words }: PlanSummary['resources'][number],
  { text, resourceIds = 'plan' }: GroupsOptions,
  isOpen: boolean,
): Html {
  const name = html`<code>${address}</code>${words !== undefined && html` (${words})`}`;
  const lines = text?.resources.get(address);
  if (lines === undefined) return name;
  return html`<details class="resource" id="${resourceIds}-${encodeURIComponent(address)}" ${isOpen && html` open`}>
    <summary>${name}</summary>
    ${planTextBlock(lines)}
  </details>`;
}
