import { nearestOf } from '../../yaml/nearest.ts';
import { quote } from '../../yaml/problem.ts';
import { advised, text } from '../../yaml/schema.ts';
import { isTimeZone } from './zoned-time.ts';

export const TIME_ZONE = text('a time zone like Europe/Berlin').refine(isTimeZone, {
  error: ({ input }) => advised('a time zone of the IANA database', remedyFor(String(input))),
});

function remedyFor(name: string): string {
  const nearest = nearestOf(name, Intl.supportedValuesOf('timeZone'));
  return nearest === undefined ? 'write it like Europe/Berlin' : `did you mean ${quote(nearest)}?`;
}
