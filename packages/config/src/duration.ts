/** Lengths of time as people write them, in files and in the environment. */
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

/** The same length with the largest unit that it has in full, in days from two days on: `7d`, `24h`, `90m`, `90s`. */
export function durationText(milliseconds: number): string {
  const units = [...MILLISECONDS].toReversed().filter(([unit, size]) => unit !== 'd' || milliseconds >= 2 * size);
  const [unit, size] = units.find(([, each]) => milliseconds % each === 0) ?? ['ms', 1];
  return `${milliseconds / size}${unit}`;
}
