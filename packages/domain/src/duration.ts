/** Lengths of time as people write and read them, in files, in the environment, in terminals and in sentences. */
const MILLISECONDS: ReadonlyMap<string, number> = new Map([
  ['ms', 1],
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
]);

/** The milliseconds of `500ms`, `30s`, `10m`, `12h` or `7d`; undefined for any other text. */
export function millisecondsOf(duration: string): number | undefined {
  const [, amount, unit = ''] = /^(\d{1,9})(ms|s|m|h|d)$/.exec(duration) ?? [];
  const milliseconds = MILLISECONDS.get(unit);
  return milliseconds === undefined ? undefined : Number(amount) * milliseconds;
}

/** The same with the largest unit that it has in full, in days from two days on: `7d`, `24h`, `90m`, `90s`. */
export function durationText(milliseconds: number): string {
  const units = [...MILLISECONDS].toReversed().filter(([unit, size]) => unit !== 'd' || milliseconds >= 2 * size);
  const [unit, size] = units.find(([, each]) => milliseconds % each === 0) ?? ['ms', 1];
  return `${milliseconds / size}${unit}`;
}

/** For people who compare how long things took, with the two largest units that matter: `2 h 5 min`. */
export function tookText(seconds: number): string {
  if (seconds < 1) return 'under 1 s';
  const whole = Math.round(seconds);
  const parts = TOOK_UNITS.map(([size, unit], index) => {
    const left = index === 0 ? whole : whole % (TOOK_UNITS[index - 1]?.[0] ?? Infinity);
    return { count: Math.floor(left / size), unit };
  });
  const first = parts.findIndex(({ count }) => count > 0);
  return parts
    .slice(first, first + 2)
    .filter(({ count }) => count > 0)
    .map(({ count, unit }) => `${count} ${unit}`)
    .join(' ');
}

/** In seconds. */
const TOOK_UNITS = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
  [1, 's'],
] as const;
