/** Who has to confirm a plan, and for how long it waits for them, as the server's file writes it. */
import { z } from 'zod';
import { durationBetween } from '../../settings/duration-between.ts';
import { TEAM } from '../../settings/people-schema.ts';
import { advised, described, list, object, oneOf, text } from '../../yaml/schema.ts';
import { TIME_OF_DAY } from '../windows/time-of-day.ts';
import { TIME_ZONE } from '../windows/time-zone-schema.ts';
import { WEEKDAYS } from '../windows/working-hours.ts';

/** More people than a change waits for without being late. */
const PEOPLE_LIMIT = 10;

/** As long as a plan waits without the setting. */
export const LONGEST_REVIEW_MS = 7 * 24 * 3_600_000;

/** A person has to read the plan. */
const Expiry = durationBetween('5m', '7d', '12h or 2d');

/** People need some time before they are reminded. */
const Delay = durationBetween('5m', '7d', '4h or 1d');

/** More are ignored. */
const REMINDERS_LIMIT = 10;

const Clock = text('a time of day like 09:00', new RegExp(`^${TIME_OF_DAY}$|^24:00$`));

const Hours = object({
  days: described(
    list(oneOf(WEEKDAYS), WEEKDAYS.length).min(1, 'at least one day').optional(),
    'the working days: only working hours count for reminders and escalations',
    'list of `mon`, `tue`, `wed`, `thu`, `fri`, `sat`, `sun` (the first five)',
  ),
  from: described(Clock, 'when the working hours begin', 'time of day, like `09:00`'),
  to: described(Clock, 'when they end', 'time of day after that, up to `24:00`'),
  timezone: described(TIME_ZONE, 'the clocks by which they begin and end', 'time zone, like `Europe/Berlin`'),
});

export const Review = object({
  count: described(
    z
      .int('a whole number')
      .min(1, advised('at least 1', 'use plan_review: auto where nobody has to confirm'))
      .max(PEOPLE_LIMIT, `at most ${PEOPLE_LIMIT}`)
      .optional(),
    'how many people confirm a plan that takes a review',
    '1 to 10 (one for each team of `each_of`, at least 1)',
  ),
  each_of: described(
    list(TEAM, PEOPLE_LIMIT).min(1, 'at least one team').optional(),
    'a member of each team confirms it; one person counts for one team',
    'list of up to 10 teams, `organisation/slug` (none)',
  ),
  expires: described(Expiry.optional(), 'how long a plan waits for its review', '`5m` to `7d` (`7d`)'),
  remind: described(
    list(Delay, REMINDERS_LIMIT).min(1, 'at least one time').optional(),
    'for how long a plan has waited when people are [reminded](guides/reviews.md#reminders)',
    'list of up to 10 times, `5m` to `7d` (none)',
  ),
  escalate: described(
    object({
      after: described(Delay, 'for how long a plan has waited when the review goes to a team', '`5m` to `7d` (none)'),
      to: described(
        TEAM,
        'the team; nobody else may confirm the plan because of that',
        'a team, `organisation/slug` (none)',
      ),
    }).optional(),
    'the team that a review goes to when it takes too long',
  ),
  hours: described(Hours.optional(), 'the working hours of the people who review'),
});
export type Review = z.infer<typeof Review>;
