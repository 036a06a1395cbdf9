/** The resources of a plan by what happens to them, each with Terraform's own text of it. Pure. */
import { changeTitle } from '@nereid/domain/plan';
import { html, type Content, type Html } from '../../platform/html/html.ts';
import { ITEM_ROWS, type ItemAction, type PlanItem } from './plan-items.ts';
import type { PlanLook } from './plan-filter.ts';
import { planTextBlock } from './plan-text.ts';
import { createEffort, type Effort } from './rows/text-rows.ts';

export interface GroupsOptions extends PlanLook {
  /** Of all resources with this action, also of those that are not among the items. */
  readonly countOf?: (action: ItemAction) => number;
  /** How many are listed; the first groups go first. Default: all. */
  readonly limit?: number;
  /** Of the ids by which the page's script finds what a person has folded, where there are several plans. */
  readonly idPrefix?: string;
  /** What the ids of resources begin with, by which a link leads to one. */
  readonly resourceIds?: string;
  /** Shared with the rest of the page. */
  readonly effort?: Effort;
  /** Of the one that a link leads to. */
  readonly opened?: string | undefined;
  /** The address at which a resource is found again. */
  readonly permalink?: ((name: string) => string) | undefined;
}

/** `planPage` is the address of the page with all resources of the plan. */
export function permalinksTo(planPage: string): (name: string) => string {
  const separator = planPage.includes('?') ? '&' : '?';
  return (name) => `${planPage}${separator}at=${encodeURIComponent(name)}#${idOf('plan', name)}`;
}

function idOf(prefix: string, name: string): string {
  return `${prefix}-${encodeURIComponent(name)}`;
}

/** So many resources are seen without a click, those first that are destroyed or replaced. */
const OPEN_RESOURCES = 10;

export function itemGroups(items: readonly PlanItem[], options: GroupsOptions = {}): Content {
  const { countOf, limit = Infinity, idPrefix, effort = createEffort() } = options;
  const groups = Map.groupBy(items, ({ action }) => action);
  let room = limit;
  let open = OPEN_RESOURCES;
  return ITEM_ROWS.map(([action, row]) => {
    const all = groups.get(action) ?? [];
    const count = Math.max(all.length, countOf?.(action) ?? 0);
    if (count === 0) return undefined;
    const shown = all.slice(0, room);
    room -= shown.length;
    const id = idPrefix !== undefined && html` id="${idPrefix}-${action}"`;
    return html`<details open class="changes ${row.look}" ${id}>
      <summary>${changeTitle(row)} <span class="count">${count}</span></summary>
      <ul>
        ${shown.map((item) => html`<li>${itemDetails(item, { ...options, effort, isOpen: (open -= 1) >= 0 })}</li>`)}
      </ul>
    </details>`;
  });
}

interface DetailsOptions extends GroupsOptions {
  readonly effort: Effort;
  readonly isOpen: boolean;
}

function itemDetails({ name, words, action, lines }: PlanItem, options: DetailsOptions): Html {
  const { resourceIds = 'plan', effort, opened, permalink, view } = options;
  const id = idOf(resourceIds, name);
  const named = html`<code>${name}</code>${words !== undefined && html` (${words})`}`;
  // The page behind the link may have its text.
  if (lines === undefined) return permalink ? html`<a href="${permalink(name)}">${named}</a>` : named;
  const remark = remarkOn(action, lines);
  const isOpen = options.isOpen || name === opened;
  return html`<details class="resource" id="${id}" ${isOpen && html` open`}>
      <summary>${named}${remark !== undefined && html` <span class="remark">${remark}</span>`}</summary>
      ${planTextBlock(lines, effort, { view })}
    </details>
    ${permalink && html`<a class="permalink" href="${permalink(name)}" aria-label="Link to ${name}">#</a>`}`;
}

/** Attributes and blocks of the resource itself. */
const ATTRIBUTE = /^ {6}[-+~] (?<name>"(?:[^"\\]|\\.)*"|[^\s"]+)(?: +=| \{)/;
const FORCING = /^ *[-+~] (?<name>"(?:[^"\\]|\\.)*"|[^\s"]+) [^]*# forces replacement$/;
const NAMES_LIMIT = 4;

/** What a reader wants to know before opening it: which attributes force its replacement, or change. */
function remarkOn(action: ItemAction, lines: readonly string[]): string | undefined {
  const [from] = lines.flatMap(
    (line) => /^ {1,2}# \((?<how>(?:moved|imported) from .*)\)$/.exec(line)?.groups?.['how'] ?? [],
  );
  const names = action === 'replace' ? namesIn(lines, FORCING) : action === 'update' ? namesIn(lines, ATTRIBUTE) : [];
  const lead = action === 'replace' ? 'because of ' : '';
  const listed = names.slice(0, NAMES_LIMIT).join(', ') + (names.length > NAMES_LIMIT ? ', …' : '');
  const said = [...(names.length > 0 ? [lead + listed] : []), ...(from === undefined ? [] : [from])];
  return said.length === 0 ? undefined : said.join('; ');
}

function namesIn(lines: readonly string[], pattern: RegExp): readonly string[] {
  return [...new Set(lines.flatMap((line) => pattern.exec(line)?.groups?.['name'] ?? []))];
}
