/** The changes of a plan: in one line, as a table of counts, and as addresses by action, destroys first; and what Terraform warns of. */
import {
  CHANGE_ROWS,
  COUNT_ROWS,
  changeTitle,
  type ChangeAction,
  type ChangeLook,
  type MadePlan,
  type PlanSummary,
} from '@nereid/domain/plan';
import { capitalised } from '@nereid/domain/words';
import { fenced, folded } from '@nereid/forge';

/** GitHub colours a `diff` fence by the first character of a line. */
const SIGN = { destroy: '-', change: '!', create: '+', move: '#' } as const satisfies Record<ChangeLook, string>;

/** So many addresses are named, for each kind of loss. */
const NAMES_SHOWN = 3;

/** Markdown for an address. */
export type NameOf = (address: string) => string;

/**
 * "Replaces 1: aws_db_instance.main · changes 3": what a person must not miss, with the resources that lose something. Empty where
 * no resource changes.
 */
export function planHeadline(summary: PlanSummary, nameOf: NameOf): string[] {
  const line = clausesOf(summary, CHANGE_ROWS, nameOf);
  return line === '' ? [] : [`**${capitalised(line)}**`];
}

const LOSSES = CHANGE_ROWS.filter(([, { loses }]) => loses);

/** The part of the headline about what is lost; empty where nothing is. */
export function planLosses(summary: PlanSummary, nameOf: NameOf): string {
  return clausesOf(summary, LOSSES, nameOf);
}

function clausesOf(summary: PlanSummary, rows: typeof CHANGE_ROWS, nameOf: NameOf): string {
  const clauses = rows.flatMap(([action, { does, loses }]) => {
    const count = summary[action] ?? 0;
    if (count === 0) return [];
    return [loses ? `${does(count)}${namesOf(summary, action, nameOf)}` : does(count)];
  });
  return clauses.join(' · ');
}

function namesOf(summary: PlanSummary, action: ChangeAction, nameOf: NameOf): string {
  const listed = summary.resources.filter((one) => one.action === action);
  const names = listed.slice(0, NAMES_SHOWN).map(({ address }) => nameOf(address));
  if (names.length === 0) return '';
  const more = (summary[action] ?? 0) - names.length;
  return `: ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

export function planTable(summary: PlanSummary): string {
  const columns = COUNT_ROWS.map(([name, { heading, isUsual }]) => ({
    heading,
    count: summary[name] ?? 0,
    isUsual,
  })).filter(({ count, isUsual }) => count > 0 || isUsual === true);
  return [
    row(columns.map(({ heading }) => heading)),
    row(columns.map(() => '---:')),
    row(columns.map(({ count }) => (count > 0 ? `**${count}**` : '0'))),
  ].join('\n');
}

/** Terraform's warnings, whether or not the plan has changes: people read it before they confirm. */
export function planWarningBlocks(plan: Pick<MadePlan, 'warnings'> | undefined): string[] {
  if (plan?.warnings === undefined) return [];
  const { texts, omitted } = plan.warnings;
  return [
    '**Terraform warns**',
    fenced(
      texts.map((text) => `! ${text}`),
      'diff',
    ),
    ...(omitted === undefined ? [] : [`… and ${omitted} more: see the log.`]),
  ];
}

/** More resources are folded, so that a check run stays a page. */
export const RESOURCES_UNFOLDED = 10;

/** Groups that lose something are never folded. */
export function resourceGroups(summary: PlanSummary): string[] {
  const isLong = summary.resources.length > RESOURCES_UNFOLDED;
  const groups = CHANGE_ROWS.flatMap(([action, row]) => {
    const listed = summary.resources.filter((resource) => resource.action === action);
    if (listed.length === 0) return [];
    const lines = listed.map(
      ({ address, words }) => `${SIGN[row.look]} ${address}${words === undefined ? '' : ` (${words})`}`,
    );
    const block = fenced(lines, 'diff');
    if (isLong && !row.loses) return [folded(`${changeTitle(row)}: ${listed.length}`, block)];
    return [`**${changeTitle(row)}**`, block];
  });
  return summary.omitted > 0 ? [...groups, `… and ${summary.omitted} more`] : groups;
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
