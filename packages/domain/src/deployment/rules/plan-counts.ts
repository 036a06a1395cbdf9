/** What a plan would do, and what its apply did, in one line: wherever people read it. */
import type { PlanWarnings } from '../../plan/model.ts';
import type { PlanSummary } from '../../plan/summary.ts';
import type { AppliedCounts } from '../apply-outcome.ts';

/** Both as processes have them or as the console's API gives them. */
type Warned = Pick<PlanWarnings, 'texts'> & { readonly omitted?: number | undefined };
type Counted = Omit<PlanSummary, 'resources' | 'omitted' | 'unknown'> & { readonly unknown?: number | undefined };

/**
 * "2 to add, 1 to change, 0 to destroy", as Terraform counts: a replacement is one to add and one to destroy. Several plans are counted
 * together. Plans that only move, import or forget resources, or change outputs, are told by that alone.
 */
export function planCounts(...summaries: readonly Counted[]): string {
  const { add, change, destroy, move, forget, unknown, outputs, ...sum } = summed(summaries);
  const isOfResources = add + change + destroy > 0;
  const extras = [
    ...(sum.import > 0 ? [`${sum.import} to import`] : []),
    ...(move > 0 ? [`${move} to move`] : []),
    ...(forget > 0 ? [`${forget} to forget`] : []),
    ...(unknown > 0 ? [`${unknown} unknown ${unknown === 1 ? 'change' : 'changes'}`] : []),
    ...(outputs > 0 ? [outputs === 1 ? '1 output changes' : `${outputs} outputs change`] : []),
  ];
  const resources = `${add} to add, ${change} to change, ${destroy} to destroy`;
  return [...(isOfResources || extras.length === 0 ? [resources] : []), ...extras].join(', ');
}

/**
 * "2 added, 1 changed, 0 destroyed", as Terraform counted; the rest is what was planned. Without a plan, nobody knows more than
 * Terraform counted.
 */
export function appliedCounts(
  { added, changed, destroyed, imported }: AppliedCounts,
  plan?: { readonly summary: Counted },
): string {
  const { move, forget, outputs } = summed(plan === undefined ? [] : [plan.summary]);
  const extras = [
    ...(imported > 0 ? [`${imported} imported`] : []),
    ...(move > 0 ? [`${move} moved`] : []),
    ...(forget > 0 ? [`${forget} forgotten`] : []),
    ...(outputs > 0 ? [`${outputs} ${outputs === 1 ? 'output' : 'outputs'} changed`] : []),
  ];
  const resources = `${added} added, ${changed} changed, ${destroyed} destroyed`;
  return [...(added + changed + destroyed > 0 || extras.length === 0 ? [resources] : []), ...extras].join(', ');
}

/** "; 2 warnings", to go behind the counts of a plan or behind "No changes"; empty when Terraform warned of nothing. */
export function warningCount({ warnings }: { readonly warnings?: Warned | undefined }): string {
  const count = warnings === undefined ? 0 : warnings.texts.length + (warnings.omitted ?? 0);
  if (count === 0) return '';
  return count === 1 ? '; 1 warning' : `; ${count} warnings`;
}

/** Whether somebody has to read the plan more closely: it destroys, replaces or forgets something, or does what nobody knows. */
export function losesSomething(summary: Counted): boolean {
  return summary.delete + summary.replace + summary.forget + (summary.unknown ?? 0) > 0;
}

function summed(summaries: readonly Counted[]) {
  const sum = (of: (summary: Counted) => number) => summaries.reduce((total, summary) => total + of(summary), 0);
  return {
    add: sum((one) => one.create + one.replace),
    change: sum((one) => one.update),
    destroy: sum((one) => one.delete + one.replace),
    import: sum((one) => one.import),
    move: sum((one) => one.move),
    forget: sum((one) => one.forget),
    unknown: sum((one) => one.unknown ?? 0),
    outputs: sum((one) => (isOfOutputsAlone(one) ? one.outputs : 0)),
  };
}

/** Nearly every plan changes outputs as well, which then says nothing. */
function isOfOutputsAlone(one: Counted): boolean {
  return one.create + one.update + one.replace + one.delete === 0;
}
