import { dayOf } from '../days/day-keys.ts';

/** The places of earlier days (UTC) than that one, of keys in the order of their days. A key that says no place is passed over. */
export async function placesBefore<Place extends { readonly day: string }>(
  keys: AsyncIterable<string>,
  day: Date,
  placeOf: (key: string) => Place | undefined,
): Promise<readonly Place[]> {
  const found: Place[] = [];
  for await (const key of keys) {
    const place = placeOf(key);
    if (place !== undefined && place.day >= dayOf(day)) break;
    if (place !== undefined) found.push(place);
  }
  return found;
}
