/** How long the jobs of a root may run. */
import { defined } from '@nereid/domain/defined';
import type { z } from 'zod';
import { millisecondsOf } from '@nereid/domain/duration';
import { described, object } from '../yaml/schema.ts';
import { durationBetween } from './duration-between.ts';

/** In milliseconds; an absent value comes from another setting or the default. */
export interface TimeoutMs {
  readonly plan?: number;
  readonly apply?: number;
}

/** Twice as long as the longest plans and applies that people have shown us. */
export const DEFAULT_TIMEOUT_MS = { plan: 3_600_000, apply: 3_600_000 };

/** A database upgrade takes hours; a job that takes longer than a day hangs, and holds up its lane. */
export const LONGEST_TIMEOUT_MS = 24 * 3_600_000;

/** Terraform needs most of a minute before its providers answer anything. The longest is `LONGEST_TIMEOUT_MS`. */
const Duration = described(
  durationBetween('1m', '24h', '90m or 2h'),
  'the time after which Terraform is interrupted, not counting the wait for a host, fetching, and storing the plan. The longest apply decides [how long a worker may take to stop](operate/stop.md)',
  '1m to 24h, like `90m` or `2h` (`1h`)',
);

export const TIMEOUT = object({ plan: Duration.optional(), apply: Duration.optional() });

/** Shorter than people take to read a plan; longer than any review is open. */
export const PLAN_AGE = durationBetween('10m', '30d', '24h');

export function normaliseTimeout({ plan, apply }: z.infer<typeof TIMEOUT>): TimeoutMs {
  const planMs = plan === undefined ? undefined : millisecondsOf(plan);
  const applyMs = apply === undefined ? undefined : millisecondsOf(apply);
  return defined({ plan: planMs, apply: applyMs });
}
