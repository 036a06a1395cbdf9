import { z } from 'zod';
import { millisecondsOf } from '@nereid/domain/duration';
import { advised } from '../yaml/schema.ts';

/** A duration as the files write it, with the limits in the same words. */
export function durationBetween(min: string, max: string, example: string): z.ZodString {
  const expected = advised(`a duration from ${min} to ${max}`, `write it like ${example}`);
  const [least, most] = [millisecondsOf(min) ?? Infinity, millisecondsOf(max) ?? 0];
  return z.string(expected).refine((text) => {
    const ms = millisecondsOf(text);
    return ms !== undefined && ms >= least && ms <= most;
  }, expected);
}
