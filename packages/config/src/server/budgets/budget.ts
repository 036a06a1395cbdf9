/** How many of some roots are planned, and applied, at once. */
import { defined } from '@nereid/domain/defined';
import { z } from 'zod';
import { scopeOf } from '../../settings/globs-schema.ts';
import { advised, described, mapping, object, text } from '../../yaml/schema.ts';
import type { Placed } from '../../yaml/sound.ts';
import type { RootPlace } from '../glob.ts';
import { warnOfNames } from '../scope/scope-rules.ts';
import { isInScope, type Scope } from '../scope/scope.ts';
import { reportRepeatedNames } from '../../yaml/names-once.ts';
import type { Report } from '../../yaml/report.ts';

/** As many as there are accounts, providers and teams. */
export const BUDGET_LIMIT = 100;

const LEASE_COUNT = z
  .int('a whole number')
  .min(1, advised('at least 1', 'to let nothing begin, use a window'))
  .max(100, 'at most 100');

/** Storage remembers so many of the last leases of a repository. */
const WEIGHT = z.int('a whole number').min(1, 'at least 1').max(20, 'at most 20');

export const BudgetEntry = object({
  name: described(
    text('a name of at most 60 letters, digits, ".", "_" and "-"', /^[A-Za-z0-9][\w.-]{0,59}$/),
    'shown to people who wait; unique. A new name has no leases',
    'up to 60 letters, digits, `.`, `_` and `-`',
  ),
  applies: described(
    LEASE_COUNT.optional(),
    'at most so many of its roots are applied at once, in all repositories together',
    '1 to 100 (any number)',
  ),
  plans: described(
    LEASE_COUNT.optional(),
    'at most so many deployments of its roots are planned at once, likewise',
    '1 to 100 (any number)',
  ),
  weights: described(
    mapping('a repository as "owner/name"', /^[\w.-]+\/[\w.-]+$/, WEIGHT).optional(),
    'a repository of weight 3 gets three leases for one of any other',
    'mapping of `owner/name` to 1 to 20 (1)',
  ),
  ...scopeOf(
    'the repositories that it covers',
    'the roots that it covers, matched by any of their directories, as for rules',
  ),
});
type BudgetEntry = z.infer<typeof BudgetEntry>;

export interface Budget extends Scope {
  /** Said on check runs. */
  readonly name: string;
  /** At most so many at once, in all repositories together; absent for any number. */
  readonly applies?: number;
  readonly plans?: number;
  /** By `owner/name` in lower case. */
  readonly weights: Readonly<Record<string, number>>;
}

export function normaliseBudget(entry: BudgetEntry): Budget {
  const { name, applies, plans, weights = {}, repositories = [], roots = [] } = entry;
  const byName = Object.entries(weights).map(([repository, weight]) => [repository.toLowerCase(), weight] as const);
  return { name, ...defined({ applies, plans }), weights: Object.fromEntries(byName), repositories, roots };
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
  readonly budgets: readonly Placed<Budget>[];
}

/** Storage keeps the leases by name. */
export function budgetsHaveNamesOfTheirOwn({ budgets }: BudgetSubject, report: Report): void {
  reportRepeatedNames('budgets', budgets, report);
}

export function budgetsLimitSomething({ budgets }: BudgetSubject, report: Report): void {
  for (const { index, value: budget } of budgets)
    if (budget.applies === undefined && budget.plans === undefined)
      report.error(['budgets', index], 'expected applies, plans or both, found neither; add a limit like applies: 5');
}

export function budgetsGoByDirectory({ budgets }: BudgetSubject, report: Report): void {
  warnOfNames('budgets', 'budget', budgets, report);
}
