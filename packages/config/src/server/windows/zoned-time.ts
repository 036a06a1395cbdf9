/** Times on the clocks of a zone. A wall time is what its clocks show, read as if it were UTC, in epoch milliseconds. */

const DAY_MS = 86_400_000;

/** A format takes a millisecond to make, and a file names few zones. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** Offsets at the beginnings of days in UTC, by zone and day. A rule that begins each hour asks for each of them often. */
const offsets = new Map<string, number>();

/** More than two years in each of ten zones. */
const OFFSETS_LIMIT = 10_000;

/** Whether it is a name of the IANA database; an offset like `+01:00` is none. */
export function isTimeZone(name: string): boolean {
  try {
    return /^[A-Za-z]/.test(name) && formatOf(name).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** The wall time in the zone at this time. */
export function wallAt(zone: string, at: number): number {
  const parts = new Map(
    formatOf(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const of = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  return Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
}

/**
 * When the clocks of the zone show this. A time that comes twice is the first of both. A time that summer time skips is the end of
 * the gap.
 */
export function instantOf(zone: string, wall: number): number {
  const day = Math.floor(wall / DAY_MS);
  const offset = offsetOn(zone, day - 1);
  // No zone changes its offset twice within three days.
  if (offset === offsetOn(zone, day + 2)) return wall - offset;
  const [before, after] = [offsetAt(zone, wall - DAY_MS), offsetAt(zone, wall + DAY_MS)];
  const first = [wall - before, wall - after]
    .toSorted((one, other) => one - other)
    .find((at) => wallAt(zone, at) === wall);
  return first ?? endOfGap(zone, wall - after, wall - before);
}

/** The zone's offset changes once between the two times, by bisection. */
function endOfGap(zone: string, from: number, to: number): number {
  const before = offsetAt(zone, from);
  let [last, first] = [from, to];
  while (first - last > 1_000) {
    const middle = last + Math.floor((first - last) / 2_000) * 1_000;
    if (offsetAt(zone, middle) === before) last = middle;
    else first = middle;
  }
  return first;
}

function offsetOn(zone: string, day: number): number {
  const key = `${zone} ${day}`;
  const known = offsets.get(key);
  if (known !== undefined) return known;
  if (offsets.size >= OFFSETS_LIMIT) offsets.clear();
  const found = offsetAt(zone, day * DAY_MS);
  offsets.set(key, found);
  return found;
}

function offsetAt(zone: string, at: number): number {
  return wallAt(zone, at) - at;
}

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hourCycle: 'h23',
    ...{ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' },
  });
  formats.set(zone, made);
  return made;
}
