/** The changes of a plan: a table of counts, then the addresses by action, destroys first; and what Terraform warns of. */
import {
  CHANGE_ROWS,
  COUNT_ROWS,
  changeTitle,
  type ChangeLook,
  type MadePlan,
  type PlanSummary,
} from '@nereid/domain/plan';
import { fenced } from '@nereid/forge';

/** GitHub colours a `diff` fence by the first character of a line. */
const SIGN = { destroy: '-', change: '!', create: '+', move: '#' } as const satisfies Record<ChangeLook, string>;

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

export function resourceGroups(summary: PlanSummary): string[] {
  const groups = CHANGE_ROWS.flatMap(([action, row]) => {
    const addresses = summary.resources.filter((resource) => resource.action === action);
    if (addresses.length === 0) return [];
    return [
      `**${changeTitle(row)}**`,
      fenced(
        addresses.map(
          ({ address, words }) => `${SIGN[row.look]} ${address}${words === undefined ? '' : ` (${words})`}`,
        ),
        'diff',
      ),
    ];
  });
  return summary.omitted > 0 ? [...groups, `… and ${summary.omitted} more`] : groups;
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
