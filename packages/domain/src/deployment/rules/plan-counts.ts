/** What a plan would do, and what its apply did, in one line: wherever people read it. */
import type { PlanWarnings } from '../../plan/model.ts';
import { doubtsOf, type Doubted } from '../../plan/doubts.ts';
import { CHANGE_ROWS, COUNT_ROWS, type PlanSummary, type SummaryCount } from '../../plan/summary.ts';
import type { AppliedCounts } from '../job/apply-outcome.ts';

/** Both as processes have them or as the console's API gives them. */
type Warned = Pick<PlanWarnings, 'texts'> & { readonly omitted?: number | undefined };
type Counted = Omit<PlanSummary, 'resources' | 'omitted' | 'unknown'> & { readonly unknown?: number | undefined };

/**
 * "2 to add, 1 to change, 0 to destroy", as Terraform counts: a replacement is one to add and one to destroy. Several plans are counted
 * together. Plans that only move, import or forget resources, or change outputs, are told by that alone.
 */
export function planCounts(...summaries: readonly Counted[]): string {
  const of = sumsOf(summaries);
  const [add, change, destroy] = [of('create') + of('replace'), of('update'), of('delete') + of('replace')];
  const extras = COUNT_ROWS.flatMap(([name, { toDo }]) => (toDo && of(name) > 0 ? [toDo(of(name))] : []));
  const resources = `${add} to add, ${change} to change, ${destroy} to destroy`;
  return [...(add + change + destroy > 0 || extras.length === 0 ? [resources] : []), ...extras].join(', ');
}

/**
 * "2 added, 1 changed, 0 destroyed", as Terraform counted; the rest is what was planned. Without a plan, nobody knows more than
 * Terraform counted.
 */
export function appliedCounts(
  { added, changed, destroyed, imported }: AppliedCounts,
  plan?: { readonly summary: Counted },
): string {
  const planned = sumsOf(plan === undefined ? [] : [plan.summary]);
  const of = (name: SummaryCount) => (name === 'import' ? imported : planned(name));
  const extras = COUNT_ROWS.flatMap(([name, { done }]) => (done && of(name) > 0 ? [done(of(name))] : []));
  const resources = `${added} added, ${changed} changed, ${destroyed} destroyed`;
  return [...(added + changed + destroyed > 0 || extras.length === 0 ? [resources] : []), ...extras].join(', ');
}

type WithWarnings = Doubted & { readonly made: { readonly body: { readonly warnings?: Warned | undefined } } };

/** "; 2 warnings", to go behind the counts of a plan or behind "No changes"; empty when there is nothing to warn of. */
export function warningCount(plan: WithWarnings): string {
  const { texts = [], omitted = 0 } = plan.made.body.warnings ?? {};
  const count = texts.length + omitted + doubtsOf(plan).length;
  if (count === 0) return '';
  return count === 1 ? '; 1 warning' : `; ${count} warnings`;
}

/** Whether somebody has to read the plan more closely: it destroys, replaces or forgets something, or does what nobody knows. */
export function losesSomething(summary: Counted): boolean {
  return CHANGE_ROWS.some(([action, { loses }]) => loses && (summary[action] ?? 0) > 0);
}

function sumsOf(summaries: readonly Counted[]): (name: SummaryCount) => number {
  return (name) => summaries.reduce((sum, one) => sum + (isWorthSaying(name, one) ? (one[name] ?? 0) : 0), 0);
}

/** Nearly every plan changes outputs as well, which then says nothing. */
function isWorthSaying(name: SummaryCount, one: Counted): boolean {
  return name !== 'outputs' || one.create + one.update + one.replace + one.delete === 0;
}
