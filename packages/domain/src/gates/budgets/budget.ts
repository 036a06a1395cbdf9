/** Only so many of the roots that a budget is about are planned, or applied, at once. Control takes the leases when it asks. */
import { defined } from '../../defined.ts';
import { NAMED_LIMIT, type NamedDeployment } from '../../deployment/wait-reason.ts';
import { PASSES, type Door, type Gate } from '../gate.ts';
import { waitsForFacts, type Unreadable } from '../waits/unreadable.ts';

/** A budget has leases of their own for plans and for applies. */
export type BudgetDoor = Extract<Door, 'plan' | 'apply'>;

export interface BudgetFacts {
  /** The budget that has no lease for the deployment; absent while it has one of each. */
  readonly full?: FullBudget;
  /** Why nobody can read its leases. */
  readonly unreadable?: Unreadable;
}

export interface FullBudget {
  readonly name: string;
  /** Of its plans, or of its applies. */
  readonly door: BudgetDoor;
  readonly limit: number;
  /** Those of the same repository that have a lease. */
  readonly holders: readonly NamedDeployment[];
  /** The number of leases of other repositories, whose names not everybody may read. */
  readonly others: number;
  /** How many deployments come before it. */
  readonly ahead: number;
  /** When it may get a lease although nobody tells it, in epoch milliseconds; absent where nobody knows. */
  readonly freeAt?: number;
}

const CANNOT_READ = 'Nereid cannot read the leases of a budget of this root';

export const gateOfBudget = {
  doors: ['plan', 'apply'],
  waitAtApply: 'keeps waiting',
  decide({ full, unreadable }) {
    if (unreadable !== undefined) return waitsForFacts(CANNOT_READ, 'storage', unreadable);
    if (full === undefined) return PASSES;
    const named = full.holders.length === 0 ? undefined : full.holders.slice(0, NAMED_LIMIT);
    const { freeAt: askAgain } = full;
    return { kind: 'waits', sentence: describeFull(full), who: ['other lanes'], ...defined({ named, askAgain }) };
  },
} as const satisfies Gate<BudgetFacts>;

/**
 * "5 of 5 applies on aws-prod: network, dns and 3 of other repositories. 2 deployments come first (when last asked)": it is shown until
 * the budget is asked again, while others take and give back its leases.
 */
function describeFull(full: FullBudget): string {
  return `${describeHeld(full)} (when last asked)`;
}

function describeHeld({ name, door, limit, holders, others, ahead }: FullBudget): string {
  const named = holders.slice(0, NAMED_LIMIT).map(({ rootName }) => rootName);
  const unnamed = holders.length - named.length;
  const parts = [
    ...named,
    ...(unnamed > 0 ? [`${unnamed} more of this repository`] : []),
    ...(others > 0 ? [`${others} of other repositories`] : []),
  ];
  const count = describeCount(holders.length + others, limit, { name, door });
  const held = parts.length === 0 ? count : `${count}: ${listed(parts)}`;
  if (ahead === 0) return held;
  return `${held}. ${ahead === 1 ? 'One deployment comes' : `${ahead} deployments come`} first`;
}

/** The server's file may allow fewer by now than have leases. */
function describeCount(held: number, limit: number, { name, door }: Pick<FullBudget, 'name' | 'door'>): string {
  if (held > limit) return `${held} ${nounOf(door, held)} on ${name}, whose limit is ${limit} by now`;
  return `${held} of ${limit} ${nounOf(door, limit)} on ${name}`;
}

function nounOf(door: BudgetDoor, count: number): string {
  if (count === 1) return door;
  return door === 'plan' ? 'plans' : 'applies';
}

function listed(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}
