import type { LaneDurations } from '../../input.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

/** The forge never holds up a deployment: neither one that starts, nor one that waits for the end of another. */
export const FORGE_WITHIN_MS = SECOND_MS;

export const laneDurations: LaneDurations = {
  /** A lane is cheap to keep and cheap to start again; an hour covers the merges of one working session. */
  idleMs: 60 * MINUTE_MS,
  /** Most plans of small roots are done within a second: their "in progress" would be a request that nobody sees. */
  quietMs: SECOND_MS,
  /** Otherwise, a queue of 1,000 would cost 1,000 requests each time it moves. */
  positionsMs: MINUTE_MS,
  /** A terminated lane loses the changes of one second at most. */
  storeMs: SECOND_MS,
  retryMs: SECOND_MS,
  /** Long enough to spare a service that is down; short enough that all check runs are true a minute after it is back. */
  retryLimitMs: 20 * SECOND_MS,
  /** Usually somebody says when to look: this is for what was lost on the way. */
  dependenciesMs: MINUTE_MS,
  dependenciesLimitMs: 10 * MINUTE_MS,
};
