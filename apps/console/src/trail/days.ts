const DAY_MS = 24 * 3_600_000;

/** The days of a period in UTC, oldest first, like `2026-11-22`. */
export function daysOf({ days, nowMs }: { readonly days: number; readonly nowMs: number }): readonly string[] {
  return Array.from({ length: days }, (_, index) =>
    new Date(nowMs - (days - 1 - index) * DAY_MS).toISOString().slice(0, 10),
  );
}
