/**
 * When the check run of a rollout is written, and when its roots are looked at again. A write costs as much of the forge's budget as
 * one about a single root, so a rollout has a number of them, however many roots it has and however long it takes.
 */

/** The writes of one rollout, its end included. Fast ones at first, and enough of the others for days. */
export const WRITES_LIMIT = 60;

/** While people have just merged, they look. */
const FIRST_MS = 2_000;
const FIRST_WRITES = 10;

/** Each pause is longer by a tenth, until nobody would notice a longer one. */
const GROWTH = 1.1;
const CALM_MS = 30_000;

/** The last ones are for what takes hours: each pause is twice as long. By then, a quarter of an hour is over. */
const RARE_WRITES = 46;

/** How long the write after so many waits, in milliseconds. The end waits for nothing. */
export function pauseAfterWrites(writes: number): number {
  if (writes >= WRITES_LIMIT - 1) return Number.POSITIVE_INFINITY;
  if (writes >= RARE_WRITES) return CALM_MS * 2 ** (writes - RARE_WRITES);
  return Math.min(CALM_MS, Math.round(FIRST_MS * GROWTH ** Math.max(0, writes - FIRST_WRITES)));
}

/** While all wait for people: an answer is seen on its own check run at once. */
const QUIET_MS = 300_000;

const SHARE_OF_QUIET = 0.1;

/** How long until the roots are looked at again, in milliseconds. `quietMs`: for how long nothing has changed. */
export function pauseUntilLook({
  quietMs,
  isAtWork,
}: {
  readonly quietMs: number;
  readonly isAtWork: boolean;
}): number {
  return Math.min(Math.max(FIRST_MS, quietMs * SHARE_OF_QUIET), isAtWork ? CALM_MS : QUIET_MS);
}
