/** Writes times the way people say them. The exact ones are shown on hover. */
const { Intl } = globalThis;

const UNITS = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
];

export function writeTimes(parent) {
  for (const time of parent.querySelectorAll('time[datetime]')) {
    const seconds = (Date.parse(time.dateTime) - Date.now()) / 1_000;
    if (!Number.isNaN(seconds)) time.textContent = relative(seconds);
  }
}

function relative(seconds) {
  const [size, unit] = UNITS.find(([unitSize]) => Math.abs(seconds) >= unitSize) ?? [1, 'second'];
  return new Intl.RelativeTimeFormat('en', { numeric: 'auto' }).format(Math.round(seconds / size), unit);
}
