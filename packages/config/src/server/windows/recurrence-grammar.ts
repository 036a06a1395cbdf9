/** The grammar of recurrence rules, as far as windows have them. */

/** The first part of a rule that is not as RFC 5545 has it; undefined when there is none. */
export function findUnknownPart(rrule: string): { readonly part: string; readonly expected: string } | undefined {
  const parts = rrule.split(';');
  for (const part of parts) {
    const expected = expectedInstead(part);
    if (expected !== undefined) return { part, expected };
  }
  const names = parts.map((part) => part.split('=')[0]);
  if (new Set(names).size < names.length) return { part: rrule, expected: 'each part of a rule once' };
  return names.includes('FREQ') ? undefined : { part: rrule, expected: knownParts() };
}

/** Undefined if the part is right. */
function expectedInstead(part: string): string | undefined {
  const [name = '', value = '', ...more] = part.split('=');
  const known = PARTS.get(name);
  if (known === undefined || more.length > 0) return knownParts();
  return known.accepts(value) ? undefined : `${known.values} in ${name}`;
}

function knownParts(): string {
  return `parts of a rule of RFC 5545, like "FREQ=WEEKLY;BYDAY=MO,TU", with ${[...PARTS.keys()].join(', ')}`;
}

interface Part {
  accepts(value: string): boolean;
  /** What it accepts, for people. */
  readonly values: string;
}

const WEEKDAY = '(?:MO|TU|WE|TH|FR|SA|SU)';

/**
 * The parts of a rule. A window that begins more often than by the hour of a day is none, so the frequencies below a day are left out,
 * and every rule is computed in bounded time.
 */
const PARTS: ReadonlyMap<string, Part> = new Map([
  ['FREQ', matching('DAILY, WEEKLY, MONTHLY or YEARLY', /^(?:DAILY|WEEKLY|MONTHLY|YEARLY)$/)],
  ['INTERVAL', matching('a number from 1 to 999', /^[1-9]\d{0,2}$/)],
  ['COUNT', matching('a number from 1 to 999', /^[1-9]\d{0,2}$/)],
  ['UNTIL', matching('a day, or a time in UTC like 20270101T000000Z,', /^\d{8}(?:T\d{6}Z)?$/)],
  ['BYMONTH', numbers(1, 12)],
  ['BYWEEKNO', numbers(1, 53, 'from both ends')],
  ['BYYEARDAY', numbers(1, 366, 'from both ends')],
  ['BYMONTHDAY', numbers(1, 31, 'from both ends')],
  [
    'BYDAY',
    matching(
      'days like MO,-1FR',
      new RegExp(`^(?:[+-]?[1-9]\\d?)?${WEEKDAY}(?:,(?:[+-]?[1-9]\\d?)?${WEEKDAY}){0,20}$`),
    ),
  ],
  ['BYHOUR', numbers(0, 23)],
  ['BYMINUTE', numbers(0, 59)],
  ['BYSETPOS', numbers(1, 366, 'from both ends')],
  ['WKST', matching('a day like MO', new RegExp(`^${WEEKDAY}$`))],
]);

function matching(values: string, pattern: RegExp): Part {
  return { values, accepts: (value) => pattern.test(value) };
}

function numbers(least: number, most: number, ends?: 'from both ends'): Part {
  const range = `numbers from ${least} to ${most}`;
  return {
    values: ends === undefined ? range : `${range}, or from -${least} to -${most},`,
    accepts: (value) =>
      value.split(',').every((one) => {
        const number = Number(one);
        const counted = ends === undefined ? number : Math.abs(number);
        return /^[+-]?\d{1,3}$/.test(one) && counted >= least && counted <= most;
      }),
  };
}
