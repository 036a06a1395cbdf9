/** What requests of each priority may have of GitHub's points. */
import type { Priority } from './background.ts';

/**
 * Of GitHub's 900 points a minute a hundred are left for people: their questions are reads. Of the others a fifth is kept for
 * what is more important than progress, half of that for ends and buttons alone: 16 a minute.
 */
export const LIMITS: Readonly<Record<Priority, number>> = { final: 800, first: 720, progress: 640 };

/**
 * Of a minute's points, for reserved turns, and for all after GitHub limited us: sixteen writes, which is what six places pass
 * when GitHub takes 400 ms for each.
 */
const SHARE_OF_A_SECOND = 0.1;

/** The lowest begins first. */
export const RANK: Readonly<Record<Priority, number>> = { final: 0, first: 1, progress: 2 };

/** Points a second. */
export function paceOf(priority: Priority): number {
  return LIMITS[priority] * SHARE_OF_A_SECOND;
}
