import type { LaneDurations } from '@nereid/contracts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

export const laneDurations: LaneDurations = {
  /** A lane is cheap to keep and cheap to start again; an hour covers the merges of one working session. */
  idleMs: 60 * MINUTE_MS,
  /** Most plans of small roots are done within a second: their "in progress" would be a request nobody sees. */
  quietMs: SECOND_MS,
  /** A queue of 1,000 that moves would otherwise cost 1,000 requests per deployment. */
  positionsMs: MINUTE_MS,
  /** A record a second old is what a terminated lane loses at most. */
  storeMs: SECOND_MS,
  retryMs: SECOND_MS,
  /** Long enough to spare whoever is down, short enough that a minute after it is back all check runs are true again. */
  retryLimitMs: 20 * SECOND_MS,
};
