/** The leases of a budget: `budgets/<name>.json` for applies, `budgets/plans/<name>.json` for plans. Only control writes them. */
import { setTimeout as pause } from 'node:timers/promises';
import { NO_LEASES, type BudgetDoor, type Leases } from '@nereid/domain/gates';
import { leasesRecord, type LeasesRecord } from '@nereid/domain/gates/record';
import { changeObject } from '../objects/change-object.ts';
import type { ObjectStore } from '../objects/object-store.ts';
import { recordFormat } from '../record-format.ts';
import { budgetKey } from '../records/record-keys.ts';

/** The plans, or the applies, of a budget. */
export interface Leased {
  /** Of the budget. */
  readonly name: string;
  readonly door: BudgetDoor;
}

export interface BudgetLeases {
  /**
   * Replaces the leases of a budget by what `change` returns, which sees the newest ones and may be asked several times; undefined to
   * leave them. Returns what `change` did at last. Throws `BrokenRecordError`, `UnknownRecordVersionError`, `VersionConflictError`.
   */
  change<Answer extends { readonly leases?: Leases }>(
    budget: Leased,
    change: (found: Leases) => Promise<Answer> | Answer,
  ): Promise<Answer>;
}

/** Of several control workers, which meet at the end of a large merge; each has one writer at a time. */
const ATTEMPTS = 20;

/** Times the number of the attempt, by chance, so that those who met do not meet again. */
const PAUSE_MS = 50;

const format = recordFormat<LeasesRecord>(leasesRecord, 1);

export function createBudgetLeases(store: ObjectStore): BudgetLeases {
  /** Of each record, the last change that was begun in this process. */
  const queues = new Map<string, Promise<unknown>>();

  async function inTurn<Answer>(key: string, change: () => Promise<Answer>): Promise<Answer> {
    const own = (queues.get(key) ?? Promise.resolve()).then(change, change);
    queues.set(key, own);
    try {
      return await own;
    } finally {
      if (queues.get(key) === own) queues.delete(key);
    }
  }

  return {
    change({ name, door }, change) {
      const key = budgetKey(name, door);
      return inTurn(key, async () => {
        const pauseAfter = (attempt: number) => pause(Math.random() * PAUSE_MS * attempt);
        return changeObject(store, key, { attempts: ATTEMPTS, pause: pauseAfter }, async (found) => {
          const result = await change(found === undefined ? NO_LEASES : format.decode(key, found.body));
          const { leases } = result;
          return { body: leases && format.encode(key, { version: 1, ...leases }), result };
        });
      });
    },
  };
}
