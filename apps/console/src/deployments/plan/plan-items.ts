/** The resources of a plan: from Terraform's text, which has nearly all of them, and from the summary, which knows what is missing there. Pure. */
import { CHANGE_ROWS, type ChangeAction, type ChangeLook, type PlanSummary } from '@nereid/domain/plan';
import type { PlanParts } from '@nereid/texts';

/** `other`: it is read during the apply, put off to the next plan, or an action that is invoked by itself. */
export type ItemAction = ChangeAction | 'other';

export interface PlanItem {
  /** The address, and which object of it where it is not the current one. */
  readonly name: string;
  readonly action: ItemAction;
  /** Terraform's words for an action that this release does not know. */
  readonly words?: string;
  /** Absent where its text had no room. */
  readonly lines?: readonly string[];
}

interface ItemRow {
  readonly heading: string;
  readonly note?: string;
  readonly look: ChangeLook;
  readonly sign: string;
}

/** In the order of a page: what is destroyed first. */
export const ITEM_ROWS: readonly (readonly [ItemAction, ItemRow])[] = [
  ...CHANGE_ROWS,
  ['other', { heading: 'Other', note: '(read during the apply, put off, or invoked)', look: 'move', sign: '·' }],
];

export function planItems(summary: PlanSummary, parts: PlanParts | undefined): readonly PlanItem[] {
  const unknown = new Map(
    summary.resources.filter(({ action }) => action === 'unknown').map((one) => [keyOf(one), one.words ?? ''] as const),
  );
  const fromText = [...(parts?.resources ?? [])].map(([name, lines]): PlanItem => {
    const words = unknown.get(keyOf({ address: addressOf(name), action: 'unknown' }));
    return words === undefined ? { name, action: actionIn(lines), lines } : { name, action: 'unknown', words, lines };
  });
  const said = new Set(fromText.map(({ name, action }) => keyOf({ address: addressOf(name), action })));
  const others = summary.resources
    .filter((one) => !said.has(keyOf(one)))
    .map(({ address, action, words }): PlanItem => ({ name: address, action, ...(words !== undefined && { words }) }));
  const items = Map.groupBy([...fromText, ...others], ({ action }) => action);
  return ITEM_ROWS.flatMap(([action]) => items.get(action) ?? []);
}

/** The summary cuts an address at 200 characters. */
export const COMPARED_LENGTH = 190;

function keyOf({ address, action }: { readonly address: string; readonly action: ItemAction }): string {
  return `${action} ${address.slice(0, COMPARED_LENGTH)}`;
}

/** Without the object. */
export function addressOf(name: string): string {
  return name.replace(/ \(deposed object [\da-f]+\)$/, '');
}

const ACTIONS: Readonly<Record<string, ItemAction>> = {
  '-': 'delete',
  '-/+': 'replace',
  '+/-': 'replace',
  '.': 'forget',
  '~': 'update',
  '+': 'create',
};

/** By the sign below the lines that introduce a resource; one without a sign is only imported or moved. */
export function actionIn(lines: readonly string[]): ItemAction {
  const begin = lines.findIndex((line) => !/^ {1,2}# /.test(line));
  const [sign = ''] = (lines[begin] ?? '').trim().split(' ', 1);
  const action = ACTIONS[sign];
  if (action !== undefined) return action;
  const introduction = lines.slice(0, Math.max(0, begin)).join('\n');
  if (/ will be imported$/m.test(introduction)) return 'import';
  return / has moved to |# \(moved from /.test(introduction) ? 'move' : 'other';
}
