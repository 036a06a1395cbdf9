import { wrongUsage } from '../exit-code.ts';

const UNITS_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Timers of Node take no longer one: 24.8 days, in milliseconds. */
const LONGEST_MS = 2_147_483_647;

/** `90s`, `10m`, `2h` or `7d`, in milliseconds. */
export function parseDuration(text: string, option: string): number {
  const { count, unit } = /^(?<count>\d{1,6})(?<unit>[smhd])$/.exec(text)?.groups ?? {};
  const ms = Number(count) * UNITS_MS[unit as keyof typeof UNITS_MS]; // The pattern has no others.
  if (!(ms > 0 && ms <= LONGEST_MS))
    throw wrongUsage(`expected a time like 90s, 10m or 2h, at most 24d, as --${option}, found ${text}`);
  return ms;
}
