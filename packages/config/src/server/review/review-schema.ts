/** Who has to confirm a plan, and for how long it waits for them, as the server's file writes it. */
import { z } from 'zod';
import { durationBetween } from '../../settings/duration-between.ts';
import { advised, list, object, oneOf, text } from '../../yaml/schema.ts';
import { TIME_OF_DAY } from '../windows/time-of-day.ts';
import { TIME_ZONE } from '../windows/time-zone-schema.ts';
import { WEEKDAYS } from '../windows/working-hours.ts';

/** A list of people longer than this is a team. */
export const MEMBER_LIMIT = 100;

export const TEAM = text('a team as "organisation/slug"', /^[\w.-]+\/[\w.-]+$/);

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
  days: list(oneOf(WEEKDAYS), WEEKDAYS.length).min(1, 'at least one day').optional(),
  from: Clock,
  to: Clock,
  timezone: TIME_ZONE,
});

export const Review = object({
  count: z
    .int('a whole number')
    .min(1, advised('at least 1', 'use plan_review: auto where nobody has to confirm'))
    .max(PEOPLE_LIMIT, `at most ${PEOPLE_LIMIT}`)
    .optional(),
  each_of: list(TEAM, PEOPLE_LIMIT).min(1, 'at least one team').optional(),
  expires: Expiry.optional(),
  remind: list(Delay, REMINDERS_LIMIT).min(1, 'at least one time').optional(),
  escalate: object({ after: Delay, to: TEAM }).optional(),
  hours: Hours.optional(),
});
export type Review = z.infer<typeof Review>;
