/**
 * Removes what is older than operators have it kept. Every kind of key is either named here, or kept: lanes, turns, places and marks
 * of branches for ever; what has a cleaner of its own, such as previews and taken deliveries, by that.
 *
 * - A call may be killed, repeated, or run beside another one: what is gone is no failure, and what is left is found again.
 * - What was written lately stays, whatever its key says, by the clock of the store.
 */
import type { ObjectStore } from '../objects/object-store.ts';
import { findInUse } from './in-use.ts';
import { sweepBegun } from './sweep-begun.ts';
import { sweepDays } from './sweep-days.ts';
import { sweepLogs } from './sweep-logs.ts';
import { sweepRecords } from './sweep-records.ts';
import { sweepRollouts } from './sweep-rollouts.ts';
import type { Sweep, Swept } from './sweep.ts';

export { RECORD_REMOVED } from './sweep-records.ts';

export interface Sweeper {
  /** Logs of jobs, each with the text of the plan beside it. */
  readonly logs: (sweep: Sweep) => Promise<Swept>;
  /** Records of ended deployments. */
  readonly deployments: (sweep: Sweep) => Promise<Swept>;
  readonly rollouts: (sweep: Sweep) => Promise<Swept>;
  /** Days of the lists of ended deployments and of events of the audit trail. */
  readonly days: (sweep: Sweep) => Promise<Swept>;
  /** Markers of applies, but those of deployments that a turn names. */
  readonly begun: (sweep: Sweep) => Promise<Swept>;
  /** What time it is by the clock of the store of records, in milliseconds. */
  now(): Promise<number>;
}

interface Stores {
  readonly records: ObjectStore;
  readonly logs: ObjectStore;
}

const CLOCK_PREFIX = 'retention/';

export function createSweeper({ records, logs }: Stores): Sweeper {
  return {
    logs: async (sweep) => sweepLogs(logs, await findInUse(records), sweep),
    deployments: (sweep) => sweepRecords(records, sweep),
    rollouts: async (sweep) => sweepRollouts(records, await findInUse(records), sweep),
    days: (sweep) => sweepDays(records, sweep),
    begun: (sweep) => sweepBegun(records, sweep),

    async now() {
      await records.put(`${CLOCK_PREFIX}clock`, Buffer.from(`${new Date().toISOString()}\n`), { synced: false });
      for await (const { writtenMs } of records.listStamped(CLOCK_PREFIX, { limit: 1 })) return writtenMs;
      return NaN;
    },
  };
}
