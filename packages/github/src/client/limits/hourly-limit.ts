/** So many in any hour. */
import { HeldBackError } from '../../errors.ts';

export interface HourlyLimit {
  /** Throws a `HeldBackError` where the last hour had them all: it waits until there is room. */
  requireRoom(): void;
  count(): void;
}

const HOUR_MS = 3_600_000;

/** `now`: any clock that never goes back, in milliseconds. */
export function createHourlyLimit(limit: number, now = () => performance.now()): HourlyLimit {
  let countedAt: readonly number[] = [];
  return {
    requireRoom() {
      const at = now();
      countedAt = countedAt.filter((before) => before > at - HOUR_MS);
      const [first] = countedAt;
      if (first !== undefined && countedAt.length >= limit) throw new HeldBackError(Math.ceil(first + HOUR_MS - at));
    },
    count() {
      countedAt = [...countedAt, now()];
    },
  };
}
