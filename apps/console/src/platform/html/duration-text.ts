/** A duration for people: the two largest units that matter, like `2 h 5 min`. */
export function durationText(seconds: number): string {
  if (seconds < 1) return 'under 1 s';
  const whole = Math.round(seconds);
  const parts = UNITS.map(([size, unit], index) => {
    const left = index === 0 ? whole : whole % (UNITS[index - 1]?.[0] ?? Infinity);
    return { count: Math.floor(left / size), unit };
  });
  const first = parts.findIndex(({ count }) => count > 0);
  return parts
    .slice(first, first + 2)
    .filter(({ count }) => count > 0)
    .map(({ count, unit }) => `${count} ${unit}`)
    .join(' ');
}

const UNITS = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
  [1, 's'],
] as const;
