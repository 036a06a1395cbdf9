/** The changes of a plan: a table of counts, then the addresses by action, destroys first; and what Terraform warns of. */
import type { ChangeAction, Plan, PlanSummary } from '@nereid/domain/plan';
import { fenced } from '@nereid/forge';

/** Changes that lose something come first: a reviewer must not overlook them. */
const GROUPS: readonly { action: ChangeAction; heading: string; sign: string }[] = [
  { action: 'unknown', heading: "Unknown to this release of Nereid: read Terraform's plan", sign: '-' },
  { action: 'delete', heading: 'Destroy', sign: '-' },
  { action: 'replace', heading: 'Replace (destroy, then create)', sign: '-' },
  { action: 'forget', heading: 'Forget (stays, but is no longer managed)', sign: '!' },
  { action: 'update', heading: 'Change', sign: '!' },
  { action: 'create', heading: 'Create', sign: '+' },
  { action: 'import', heading: 'Import', sign: '+' },
  { action: 'move', heading: 'Move', sign: '#' },
];

export function planTable(summary: PlanSummary): string {
  const columns = [
    { heading: 'Unknown', count: summary.unknown ?? 0, onlyIfAny: true },
    { heading: 'Destroy', count: summary.delete },
    { heading: 'Replace', count: summary.replace },
    { heading: 'Forget', count: summary.forget, onlyIfAny: true },
    { heading: 'Change', count: summary.update },
    { heading: 'Create', count: summary.create },
    { heading: 'Import', count: summary.import, onlyIfAny: true },
    { heading: 'Move', count: summary.move, onlyIfAny: true },
    { heading: 'Outputs', count: summary.outputs, onlyIfAny: true },
  ].filter(({ count, onlyIfAny }) => count > 0 || !onlyIfAny);
  return [
    row(columns.map(({ heading }) => heading)),
    row(columns.map(() => '---:')),
    row(columns.map(({ count }) => (count > 0 ? `**${count}**` : '0'))),
  ].join('\n');
}

/** What Terraform warned of, whether or not the plan has changes: people read it before they confirm. */
export function planWarningBlocks(plan: Pick<Plan, 'warnings'> | undefined): string[] {
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

/** GitHub colours a `diff` fence by the first character of a line. */
export function resourceGroups(summary: PlanSummary): string[] {
  const groups = GROUPS.flatMap(({ action, heading, sign }) => {
    const addresses = summary.resources.filter((resource) => resource.action === action);
    if (addresses.length === 0) return [];
    return [
      `**${heading}**`,
      fenced(
        addresses.map(({ address, words }) => `${sign} ${address}${words === undefined ? '' : ` (${words})`}`),
        'diff',
      ),
    ];
  });
  return summary.omitted > 0 ? [...groups, `… and ${summary.omitted} more`] : groups;
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
