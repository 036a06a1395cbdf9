/** A plan, as a person has to see it before they confirm it. */
import type { DeploymentDetail, PlanDetail, Progress } from '@nereid/api';
import { planCounts, warningCount } from '@nereid/domain/deployment';
import { CHANGE_ROWS, type ChangeLook } from '@nereid/domain/plan';
import type { Piece, Screen, Style } from '../output/screen.ts';

const STYLE = {
  destroy: 'red',
  change: 'yellow',
  create: 'green',
  move: 'blue',
} as const satisfies Record<ChangeLook, Style>;

/** The longest heading that a plan usually has. */
const LABEL_WIDTH = 7;

export function showPlan(screen: Screen, { progress, warnings, deployment }: DeploymentDetail): void {
  const { plan, overrides = [], glass } = progress;
  for (const warning of warnings) screen.line({ text: warning, style: 'yellow' });
  for (const warning of deployment.configWarnings ?? []) screen.paragraph(`Configuration: ${warning}`, 2);
  if (glass !== undefined)
    screen.line({ text: `@${glass.by} let it pass stops and windows: ${glass.reason}`, style: 'yellow' });
  if (plan === undefined) return;
  screen.line({ text: `Plan: ${planText(plan)}`, style: 'bold' });
  for (const [action, { heading, sign, look }] of CHANGE_ROWS) {
    const label = `${sign} ${heading.toLowerCase().padEnd(LABEL_WIDTH)}`;
    for (const { address, words } of plan.summary.resources.filter((one) => one.action === action))
      screen.line('  ', { text: label, style: STYLE[look] }, ' ', address, words === undefined ? '' : ` (${words})`);
  }
  if (plan.summary.omitted > 0) screen.line(`  … and ${plan.summary.omitted} more: see the log`);
  for (const text of plan.warnings?.texts ?? []) screen.paragraph(`Terraform warns: ${text}`, 2);
  if (plan.warnings?.omitted !== undefined) screen.line(`  … and ${plan.warnings.omitted} more: see the log`);
  for (const policy of plan.policies ?? []) showPolicy(screen, policy, overrides);
}

export function planText(
  plan: Pick<PlanDetail, 'hasChanges' | 'summary' | 'warnings' | 'doubt' | 'otherState'>,
): string {
  const { hasChanges, summary, otherState } = plan;
  return `${hasChanges ? planCounts(summary) : 'no changes'}${warningCount({ made: { body: plan }, otherState })}`;
}

type Policy = NonNullable<PlanDetail['policies']>[number];

const VERDICTS = {
  passed: 'passed',
  denied: 'denies',
  error: 'could not be evaluated, which counts as a denial',
} as const;

function showPolicy(
  screen: Screen,
  { name, enforce, verdict, denials, warnings, omitted, owners }: Policy,
  overrides: NonNullable<Progress['overrides']>,
): void {
  const override = overrides.find(({ policies }) => policies.includes(name));
  const look: Piece = { text: VERDICTS[verdict], style: verdict === 'passed' ? 'green' : 'red' };
  const notes = [
    ...(enforce === 'advisory' ? [' (advice)'] : []),
    ...(override ? [`, overridden by @${override.by}`] : []),
    ...(owners !== undefined && verdict !== 'passed' && !override ? [`; overridden by: ${owners}`] : []),
  ];
  screen.line(`Policy ${name} `, look, notes.join(''));
  for (const line of [...denials, ...warnings]) screen.paragraph(line, 2);
  if (omitted !== undefined) screen.line(`  … and ${omitted} more: see the log`);
}
