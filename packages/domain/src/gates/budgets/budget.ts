/** Only so many of the roots that a budget is about are applied at once. Control takes the leases when it asks. */
import { PASSES, type Gate } from '../gate.ts';

export interface BudgetFacts {
  /** The budget that has no lease for the deployment; absent while it has one of each. */
  readonly full?: FullBudget;
  /** Its leases cannot be read. Absent for false. */
  readonly isUnknown?: boolean;
}

export interface FullBudget {
  readonly name: string;
  readonly applies: number;
  /** The roots of the same repository that have a lease. */
  readonly roots: readonly string[];
  /** The number of leases of other repositories, whose names not everybody may read. */
  readonly others: number;
  /** How many deployments come before it. */
  readonly ahead: number;
}

/** Why it cannot be read is for the operator. */
const UNKNOWN = 'Nereid cannot read the leases of a budget of this root; the log of the worker says why';

/** More would be no sentence. */
const ROOTS_NAMED = 5;

export const gateOfBudget = {
  doors: ['apply'],
  waitAtApply: 'keeps waiting',
  decide({ full, isUnknown }) {
    if (isUnknown) return { kind: 'waits', sentence: UNKNOWN, who: ['operators'] };
    if (full === undefined) return PASSES;
    return { kind: 'waits', sentence: describeFull(full), who: ['other lanes'] };
  },
} as const satisfies Gate<BudgetFacts>;

/** "5 of 5 applies on aws-prod: network, dns and 3 of other repositories. 2 deployments come first". */
function describeFull({ name, applies, roots, others, ahead }: FullBudget): string {
  const named = roots.slice(0, ROOTS_NAMED);
  const unnamed = roots.length - named.length;
  const holders = [
    ...named,
    ...(unnamed > 0 ? [`${unnamed} more of this repository`] : []),
    ...(others > 0 ? [`${others} of other repositories`] : []),
  ];
  const count = `${roots.length + others} of ${applies} ${applies === 1 ? 'apply' : 'applies'} on ${name}`;
  const held = holders.length === 0 ? count : `${count}: ${listed(holders)}`;
  if (ahead === 0) return held;
  return `${held}. ${ahead === 1 ? 'One deployment comes' : `${ahead} deployments come`} first`;
}

function listed(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}
