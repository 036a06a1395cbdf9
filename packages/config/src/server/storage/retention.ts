/** For how long storage keeps what nobody works with any more. */
import { defined } from '@nereid/domain/defined';
import type { z } from 'zod';
import { millisecondsOf } from '@nereid/domain/duration';
import { durationBetween } from '../../settings/duration-between.ts';
import { advised, described, object } from '../../yaml/schema.ts';

const DAY_MS = 24 * 3_600_000;

/** People who look for an older preview ask for a new plan. */
const DEFAULT_PREVIEWS_MS = 30 * DAY_MS;

/** Ten years are longer than any law asks for that we know. */
const LONGEST = '3650d';

const atLeast = (shortest: string) => durationBetween(shortest, LONGEST, '400d');

/**
 * A week, because plans that were confirmed before their merge are kept for as long. Temporal keeps histories for up to 90 days, and
 * workflows look for the records of deployments that are in them.
 */
export const Retention = object({
  logs: described(
    atLeast('7d').optional(),
    'for how long logs of jobs are [kept](operate/retention.md)',
    '`7d` to `3650d` (as `retention.records`)',
  ),
  records: described(
    atLeast('90d').optional(),
    "for how long records of ended deployments, and the console's history, are kept",
    '`90d` to `3650d` (for ever)',
  ),
  previews: described(
    atLeast('7d').optional(),
    'for how long plans of closed pull requests are kept',
    '`7d` to `3650d` (`30d`)',
  ),
}).refine(({ logs, records }) => (millisecondsOf(logs ?? '') ?? 0) <= (millisecondsOf(records ?? '') ?? Infinity), {
  error: advised(
    'logs to be kept for no longer than records',
    'raise records, because nobody finds a log without its record',
  ),
  path: ['logs'],
});

/** In milliseconds. */
export interface RetentionConfig {
  /** Logs of jobs; absent: for ever. */
  readonly logsMs?: number;
  /** Of ended deployments, with the lists and trails of days; absent: for ever. */
  readonly recordsMs?: number;
  /** Previews of pull requests, and their logs. */
  readonly previewsMs: number;
}

export function normaliseRetention({ logs, records, previews }: z.infer<typeof Retention>): RetentionConfig {
  const recordsMs = records === undefined ? undefined : millisecondsOf(records);
  const logsMs = logs === undefined ? recordsMs : millisecondsOf(logs);
  const previewsMs = previews === undefined ? undefined : millisecondsOf(previews);
  return { ...defined({ logsMs, recordsMs }), previewsMs: previewsMs ?? DEFAULT_PREVIEWS_MS };
}
