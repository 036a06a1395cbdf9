import { z } from 'zod';
import { nearestOf } from '../../yaml/nearest.ts';
import { quote } from '../../yaml/problem.ts';
import { advised } from '../../yaml/schema.ts';
import { isTimeZone } from './zoned-time.ts';

export const TIME_ZONE = z
  .string('a time zone like Europe/Berlin')
  .refine(isTimeZone, { error: ({ input }) => advised('a time zone of the IANA database', remedyFor(String(input))) });

/** Advice about a name that is no time zone. */
export function remedyFor(name: string): string {
  const nearest = nearestOf(name, Intl.supportedValuesOf('timeZone'));
  return nearest === undefined ? 'write it like Europe/Berlin' : `did you mean ${quote(nearest)}?`;
}
