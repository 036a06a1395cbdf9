/** A time in which roots are deployed, or are not: as the server's file has it. */
import { defined } from '@nereid/domain/defined';
import { millisecondsOf } from '@nereid/domain/duration';
import type { z } from 'zod';
import { durationBetween } from '../../settings/duration-between.ts';
import { scopeOf } from '../../settings/globs-schema.ts';
import { described, list, object, oneOf, text } from '../../yaml/schema.ts';
import type { Scope } from '../scope/scope.ts';
import { TIME_ZONE } from './time-zone-schema.ts';

/** More than anybody keeps in mind who plans a change. */
export const WINDOW_LIMIT = 100;

/** Shorter is no window; a longer one never opens within a year. */
const WINDOW_DURATION = durationBetween('5m', '366d', '12h');

export const WindowEntry = object({
  name: described(
    text('a name of at most 60 characters on one line', /^[^\p{Cc}\p{Cf}]{1,60}$/u),
    'shown to people who wait; unique',
    'up to 60 characters',
  ),
  kind: described(
    oneOf(['allow', 'deny']),
    'whether its roots are deployed in this time, or are not',
    '`allow`, `deny`',
  ),
  rrule: described(
    text('a rule of RFC 5545, like "FREQ=WEEKLY;BYDAY=MO,TU"').optional(),
    'how the window recurs, by the day or less often, like `FREQ=MONTHLY;BYDAY=-1FR`; its end, `UNTIL`, is in UTC',
    'rule of [RFC 5545](https://www.rfc-editor.org/rfc/rfc5545#section-3.3.10) (once)',
  ),
  dtstart: described(
    text('the day and time of its first beginning, like 2026-12-19T18:00', /^\d{4}-\d\d-\d\dT\d\d:\d\d$/),
    'when it first begins, on the clocks of its time zone',
    'day and time, like `2026-12-19T18:00`',
  ),
  duration: described(WINDOW_DURATION, 'how long it lasts each time; at most until it begins again', '`5m` to `366d`'),
  timezone: described(
    TIME_ZONE,
    'the clocks by which it begins. A time that summer time skips means the end of the gap; one that comes twice, the first',
    'name of the IANA database',
  ),
  ...scopeOf(
    'the repositories that it covers',
    'the roots that it covers, matched by each of their directories, as for rules',
  ),
  doors: described(
    list(oneOf(['plan', 'apply']), 2)
      .min(1, 'at least one door')
      .optional(),
    'what waits while the root is closed: the plans of deployments, or their applies',
    'list of `plan`, `apply` (`[apply]`)',
  ),
});
type WindowEntry = z.infer<typeof WindowEntry>;

export interface ChangeWindow extends Scope {
  /** Said on check runs. */
  readonly name: string;
  readonly kind: 'allow' | 'deny';
  /** A recurrence rule of RFC 5545, without DTSTART. Absent: it begins once. */
  readonly rrule?: string;
  /** `2026-12-19T18:00`, on the clocks of its time zone. */
  readonly dtstart: string;
  /** Elapsed time; `occurrencesBetween` says where clocks count instead. */
  readonly durationMs: number;
  /** A name of the IANA database. */
  readonly timezone: string;
  readonly doors: readonly WindowDoor[];
}

/** The work that a closed window holds back. */
export type WindowDoor = 'plan' | 'apply';

/** A plan changes nothing, and people can read it before the window opens. */
const WINDOW_DOORS: ChangeWindow['doors'] = ['apply'];

export function normaliseWindow(entry: WindowEntry): ChangeWindow {
  const { name, kind, rrule, dtstart, duration, timezone, repositories = [], roots = [], doors = WINDOW_DOORS } = entry;
  const durationMs = millisecondsOf(duration) ?? 0;
  return { name, kind, ...defined({ rrule }), dtstart, durationMs, timezone, repositories, roots, doors };
}
