/** The budgets of the server's file that a root has at a door. */
import { budgetsFor, placeOf, type ServerConfig } from '@nereid/config';
import type { Deployment } from '@nereid/domain/deployment';
import type { BudgetDoor, Quota } from '@nereid/domain/gates';
import { fullName, type Repository } from '@nereid/domain/root';

export interface Subject {
  readonly repository: Repository;
  readonly deployment: Deployment;
}

/** One half of a budget of the server's file. */
export interface DoorBudget extends Quota {
  readonly name: string;
  readonly door: BudgetDoor;
}

export const LEASE_MS: Readonly<Record<BudgetDoor, number>> = {
  /** Long enough to get a host. While one plans, its heartbeat prolongs it. */
  plan: 60 * 60_000,
  /** Longer than permission to apply lives, with time for the turn and the audit trail. */
  apply: 15 * 60_000,
};

/** In the order of their names. */
export function budgetsOf(
  server: ServerConfig,
  { repository, deployment: { root } }: Subject,
  door: BudgetDoor,
): readonly DoorBudget[] {
  return budgetsFor(server, fullName(repository), placeOf(root)).flatMap(({ name, weights, ...limits }) => {
    const limit = door === 'plan' ? limits.plans : limits.applies;
    return limit === undefined ? [] : [{ name, door, limit, weights }];
  });
}
