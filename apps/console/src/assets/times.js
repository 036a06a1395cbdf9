/** Writes times the way people say them. The exact ones, in the zone of the reader, are shown on hover. */
const { Intl } = globalThis;

/** `2026-11-22 13:00:00 CET`: the same form as without a script. */
const EXACT = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'long' });

const UNITS = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
];

export function writeTimes(parent) {
  for (const time of parent.querySelectorAll('time[datetime]')) {
    const at = Date.parse(time.dateTime);
    if (Number.isNaN(at)) continue;
    time.textContent = relative((at - Date.now()) / 1_000);
    time.title = EXACT.format(at);
  }
}

function relative(seconds) {
  const [size, unit] = UNITS.find(([unitSize]) => Math.abs(seconds) >= unitSize) ?? [1, 'second'];
  return new Intl.RelativeTimeFormat('en', { numeric: 'auto' }).format(Math.round(seconds / size), unit);
}
