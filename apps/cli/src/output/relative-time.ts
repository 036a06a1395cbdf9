const UNITS = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
] as const;

const FORMAT = new Intl.RelativeTimeFormat('en', { numeric: 'always', style: 'narrow' });

/** `3h ago` or `in 6d`: the past is rounded down, the future to the nearest. A text that is no time stays as it is. */
export function relativeTime(iso: string, nowMs: number): string {
  const seconds = (Date.parse(iso) - nowMs) / 1_000;
  if (Number.isNaN(seconds)) return iso;
  if (Math.abs(seconds) < 1) return 'now';
  const [size, unit] = UNITS.find(([unitSize]) => Math.abs(seconds) >= unitSize) ?? [1, 'second'];
  const count = seconds / size;
  return FORMAT.format(count > 0 ? Math.round(count) : Math.trunc(count), unit);
}
