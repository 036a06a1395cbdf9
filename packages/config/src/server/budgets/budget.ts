/** How many of some roots are planned, and applied, at once. */
import type { RootPlace } from '../glob.ts';
import { warnOfNames } from '../scope/scope-rules.ts';
import { isInScope, type Scope } from '../scope/scope.ts';
import { reportRepeatedNames } from '../../yaml/names-once.ts';
import type { Report } from '../../yaml/report.ts';

export interface Budget extends Scope {
  /** Said on check runs. */
  readonly name: string;
  /** At most so many at once, in all repositories together; absent for any number. */
  readonly applies?: number;
  readonly plans?: number;
  /** By `owner/name` in lower case. */
  readonly weights: Readonly<Record<string, number>>;
}

/** In the order of their names, in which leases are taken. `repository` is `owner/name`. */
export function budgetsFor(
  { budgets }: { readonly budgets: readonly Budget[] },
  repository: string,
  root: RootPlace,
): readonly Budget[] {
  return budgets
    .filter((budget) => isInScope(budget, { repository, root }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** The part of the file that the rules below judge. */
export interface BudgetSubject {
  /** Each with its place in the file's list. */
  readonly budgets: readonly { readonly index: number; readonly budget: Budget }[];
}

/** Storage keeps the leases by name. */
export function budgetsHaveNamesOfTheirOwn({ budgets }: BudgetSubject, report: Report): void {
  reportRepeatedNames(
    'budgets',
    budgets.map(({ index, budget: { name } }) => ({ index, name })),
    report,
  );
}

export function budgetsLimitSomething({ budgets }: BudgetSubject, report: Report): void {
  for (const { index, budget } of budgets)
    if (budget.applies === undefined && budget.plans === undefined)
      report.error(['budgets', index], 'expected applies, plans or both, found neither; add a limit like applies: 5');
}

export function budgetsGoByDirectory({ budgets }: BudgetSubject, report: Report): void {
  const entries = budgets.map(({ index, budget }) => ({ index, scope: budget }));
  warnOfNames('budgets', 'budget', entries, report);
}
