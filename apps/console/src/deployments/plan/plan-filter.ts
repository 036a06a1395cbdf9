/** Which resources of a plan a reader wants to see, as the address of the page says. Pure. */
import { z } from 'zod';
import { readAddress } from './address.ts';
import { addressOf, COMPARED_LENGTH, ITEM_ROWS, type ItemAction, type PlanItem } from './plan-items.ts';

export interface PlanFilter {
  readonly action?: ItemAction | undefined;
  readonly type?: string | undefined;
  /** With the modules in it. */
  readonly module?: string | undefined;
  /** In the address or in the changes, in any case. */
  readonly text?: string | undefined;
}

export interface PlanQuery extends PlanFilter, PlanLook {
  /** From 1. */
  readonly page: number;
  /** The resource of a permalink, which opens whatever else is asked for. */
  readonly at?: string | undefined;
}

/** How a page shows changes. */
export interface PlanLook {
  /** What was beside what is to be, instead of below each other. */
  readonly view?: 'split' | undefined;
}

const LENGTH_LIMIT = 500;
/** Addresses have the keys of their instances, which may be anything. */
const ADDRESS_LIMIT = 4_000;
const PAGES_LIMIT = 10_000;

/** Empty fields of a form are none; nor are others than these. */
const field = z.string().trim().min(1).max(LENGTH_LIMIT).optional().catch(undefined);

const Query = z.object({
  action: z
    .enum(ITEM_ROWS.map(([action]) => action))
    .optional()
    .catch(undefined),
  type: field,
  module: field,
  text: field,
  at: z.string().min(1).max(ADDRESS_LIMIT).optional().catch(undefined),
  view: z.literal('split').optional().catch(undefined),
  page: z.coerce.number().int().min(1).max(PAGES_LIMIT).catch(1),
});

export function planQueryOf(query: unknown): PlanQuery {
  return Query.parse(query);
}

export function filterItems(
  items: readonly PlanItem[],
  { action, type, module, text }: PlanFilter,
): readonly PlanItem[] {
  const wanted = text?.toLowerCase();
  return items.filter((item) => {
    if (action !== undefined && item.action !== action) return false;
    if (type !== undefined || module !== undefined) {
      const found = readAddress(addressOf(item.name));
      if (type !== undefined && found.type !== type) return false;
      if (module !== undefined && !isIn(found.module, module)) return false;
    }
    return wanted === undefined || hasText(item, wanted);
  });
}

/** Where a permalink leads: names are longer than the addresses of a summary, and tell several objects of one address apart. */
export function indexOfItem(items: readonly PlanItem[], at: string): number {
  const byName = items.findIndex(({ name }) => name === at);
  if (byName !== -1) return byName;
  const isCut = at.endsWith('…');
  return items.findIndex(({ name }) =>
    isCut ? name.startsWith(at.slice(0, COMPARED_LENGTH)) : addressOf(name) === at,
  );
}

/** The name of the root module in a form, where an empty field is none. */
export const ROOT_MODULE = '(root)';

function isIn(found: string, module: string): boolean {
  if (module === ROOT_MODULE) return found === '';
  return found === module || found.startsWith(`${module}.`);
}

function hasText({ name, lines = [] }: PlanItem, wanted: string): boolean {
  return name.toLowerCase().includes(wanted) || lines.some((line) => line.toLowerCase().includes(wanted));
}

export function isFiltered({ action, type, module, text }: PlanFilter): boolean {
  return [action, type, module, text].some((one) => one !== undefined);
}

/** The choices of a filter, each with how many resources have it, in the order of names. */
export interface Choices {
  readonly types: readonly Choice[];
  readonly modules: readonly Choice[];
}

export interface Choice {
  readonly value: string;
  readonly count: number;
}

/** Of a longer list, nobody chooses. */
const CHOICES_LIMIT = 300;

export function choicesOf(items: readonly PlanItem[]): Choices {
  const addresses = items.map(({ name }) => readAddress(addressOf(name)));
  return {
    types: counted(addresses.map(({ type }) => type)),
    modules: counted(addresses.map(({ module }) => (module === '' ? ROOT_MODULE : module))),
  };
}

function counted(values: readonly string[]): readonly Choice[] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .toSorted((one, other) => (one.value < other.value ? -1 : 1))
    .slice(0, CHOICES_LIMIT);
}
