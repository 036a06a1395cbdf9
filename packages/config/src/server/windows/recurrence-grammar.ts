/** The grammar of recurrence rules, as far as windows have them. */

/** The first part of a rule that is not as RFC 5545 has it; undefined when there is none. */
export function findUnknownPart(rrule: string): { readonly part: string; readonly expected: string } | undefined {
  const known = `parts of a rule of RFC 5545, like "FREQ=WEEKLY;BYDAY=MO,TU", with ${[...PARTS.keys()].join(', ')}`;
  const parts = rrule.split(';');
  const wrong = parts.find((part) => {
    const [name = '', value = '', ...more] = part.split('=');
    return more.length > 0 || PARTS.get(name)?.(value) !== true;
  });
  if (wrong !== undefined) return { part: wrong, expected: known };
  const names = parts.map((part) => part.split('=')[0]);
  if (new Set(names).size < names.length) return { part: rrule, expected: 'each part of a rule once' };
  return names.includes('FREQ') ? undefined : { part: rrule, expected: known };
}

const WEEKDAY = '(?:MO|TU|WE|TH|FR|SA|SU)';

/**
 * The parts of a rule. A window that begins more often than by the hour of a day is none, so the frequencies below a day are left out,
 * and every rule is computed in bounded time.
 */
const PARTS: ReadonlyMap<string, (value: string) => boolean> = new Map([
  ['FREQ', matching(/^(?:DAILY|WEEKLY|MONTHLY|YEARLY)$/)],
  ['INTERVAL', matching(/^[1-9]\d{0,2}$/)],
  ['COUNT', matching(/^[1-9]\d{0,2}$/)],
  ['UNTIL', matching(/^\d{8}(?:T\d{6}Z)?$/)],
  ['BYMONTH', numbers(1, 12)],
  ['BYWEEKNO', numbers(1, 53, 'from both ends')],
  ['BYYEARDAY', numbers(1, 366, 'from both ends')],
  ['BYMONTHDAY', numbers(1, 31, 'from both ends')],
  ['BYDAY', matching(new RegExp(`^(?:[+-]?[1-9]\\d?)?${WEEKDAY}(?:,(?:[+-]?[1-9]\\d?)?${WEEKDAY}){0,20}$`))],
  ['BYHOUR', numbers(0, 23)],
  ['BYMINUTE', numbers(0, 59)],
  ['BYSETPOS', numbers(1, 366, 'from both ends')],
  ['WKST', matching(new RegExp(`^${WEEKDAY}$`))],
]);

function matching(pattern: RegExp): (value: string) => boolean {
  return (value) => pattern.test(value);
}

function numbers(least: number, most: number, ends?: 'from both ends'): (value: string) => boolean {
  return (value) =>
    value.split(',').every((one) => {
      const number = Number(one);
      const counted = ends === undefined ? number : Math.abs(number);
      return /^[+-]?\d{1,3}$/.test(one) && counted >= least && counted <= most;
    });
}
