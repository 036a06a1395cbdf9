/** How long the jobs of a root may run. */
import { defined } from '@nereid/domain/defined';
import { z } from 'zod';
import { millisecondsOf } from '../duration.ts';
import { advised, object } from '../yaml/schema.ts';

/** In milliseconds; an absent value comes from another setting or the default. */
export interface TimeoutMs {
  readonly plan?: number;
  readonly apply?: number;
}

/** Twice as long as the longest plans and applies that people have shown us. */
export const DEFAULT_TIMEOUT_MS = { plan: 3_600_000, apply: 3_600_000 };

/** Terraform needs most of a minute before its providers answer anything. */
const SHORTEST_MS = 60_000;

/** A database upgrade takes hours; a job that takes longer than a day hangs, and holds up its lane. */
export const LONGEST_TIMEOUT_MS = 24 * 3_600_000;

const EXPECTED = advised('a duration from 1m to 24h', 'write it like 90m or 2h');

const Duration = z.string(EXPECTED).refine((text) => {
  const ms = millisecondsOf(text);
  return ms !== undefined && ms >= SHORTEST_MS && ms <= LONGEST_TIMEOUT_MS;
}, EXPECTED);

export const TIMEOUT = object({ plan: Duration.optional(), apply: Duration.optional() });

/** Shorter than people take to read a plan; longer than any review is open. */
const [YOUNGEST_MS, OLDEST_MS] = [10 * 60_000, 30 * 24 * 3_600_000];

const AGE = advised('a duration from 10m to 30d', 'write it like 24h');

export const PLAN_AGE = z.string(AGE).refine((text) => {
  const ms = millisecondsOf(text);
  return ms !== undefined && ms >= YOUNGEST_MS && ms <= OLDEST_MS;
}, AGE);

export function normaliseTimeout({ plan, apply }: z.infer<typeof TIMEOUT>): TimeoutMs {
  const planMs = plan === undefined ? undefined : millisecondsOf(plan);
  const applyMs = apply === undefined ? undefined : millisecondsOf(apply);
  return defined({ plan: planMs, apply: applyMs });
}
