/** Who is notified of what, as the server's file writes it. */
import { NOTIFICATION_TOPICS } from '@nereid/domain/notification';
import { z } from 'zod';
import { SCOPE } from '../../settings/globs-schema.ts';
import { safeUrl } from '../../settings/settings-schema.ts';
import { advised, flag, list, object, oneOf, text } from '../../yaml/schema.ts';
import { SECRET_FILE } from '../../settings/path-schema.ts';
import { TIME_OF_DAY, timeOfDay } from '../windows/time-of-day.ts';
import { TIME_ZONE } from '../windows/time-zone-schema.ts';
import { isTimeZone } from '../windows/zoned-time.ts';

const secret = { secret_file: SECRET_FILE };

const DAY_MS = 24 * 3_600_000;

/** What is held back has to be delivered within its day or two. */
const LONGEST_QUIET_MS = 20 * 3_600_000;

const HOURS = advised('two times, at most 20 hours apart', 'write them like "18:00-08:00"');

const quiet = {
  hours: text('two times like "18:00-08:00"', new RegExp(`^${TIME_OF_DAY}-${TIME_OF_DAY}$`)).refine((hours) => {
    const [from = 0, to = 0] = hours.split('-').map(timeOfDay);
    return from !== to && (to - from + DAY_MS) % DAY_MS <= LONGEST_QUIET_MS;
  }, HOURS),
  timezone: TIME_ZONE,
};

const DIGEST = text(
  'a time and a time zone like "daily 09:00 Europe/Berlin"',
  new RegExp(`^daily ${TIME_OF_DAY} \\S+$`),
).refine(
  (digest) => isTimeZone(digest.split(' ')[2] ?? ''),
  advised('a time zone of the IANA database', 'write it like "daily 09:00 Europe/Berlin"'),
);

/** A message is for people, an alarm is for who is on call: each alert of a root has a state, so none is repeated. */
const message = { quiet: object(quiet).optional(), once_per: oneOf(['deployment', 'rollout', 'day']).optional() };
const alarm = { quiet: object({ ...quiet, hold_failures: flag().optional() }).optional() };

const common = {
  // A part of keys in storage.
  name: text('a name of letters, digits and "-"', /^[A-Za-z0-9][A-Za-z0-9-]{0,49}$/),
  when: list(oneOf(NOTIFICATION_TOPICS), NOTIFICATION_TOPICS.length).min(1, 'at least one topic').optional(),
  ...SCOPE,
};

const URL_OF_SERVICE = safeUrl('serve it with TLS');

/** A password in it would stand in logs of the file. */
const SMTP_URL = text(
  'an address of a mail server as "smtps://user@host:port", or "smtp://" where TLS begins later',
  /^smtps?:\/\/(?:[\w.%+-]+@)?[\w.-]+(?::\d{1,5})?$/,
);

const ADDRESS = text('an address of e-mail', /^[^\s@<>,;:"]+@[\w.-]+$/);

/** More people are a list of their mail server. */
const ADDRESS_LIMIT = 20;

/** One kind is one file of packages/notifications. */
const DESTINATIONS = [
  object({ ...common, ...message, kind: z.literal('webhook'), url: URL_OF_SERVICE, ...secret }),
  object({
    ...common,
    ...message,
    kind: z.literal('slack'),
    channel: text('the id of a channel, like C0123ABCD', /^[CGD][A-Z0-9]{5,30}$/),
    url: URL_OF_SERVICE.optional(),
    ...secret,
  }),
  object({ ...common, ...message, kind: z.literal('teams'), ...secret }),
  object({
    ...common,
    ...message,
    kind: z.literal('email'),
    url: SMTP_URL,
    from: ADDRESS,
    to: list(ADDRESS, ADDRESS_LIMIT).min(1, 'at least one address'),
    secret_file: SECRET_FILE.optional(),
    digest: DIGEST.optional(),
  })
    .refine(({ url, secret_file: secretFile }) => secretFile === undefined || url.includes('@'), {
      error: advised('the person whose password is in secret_file', 'write it as smtps://user@host'),
      path: ['url'],
    })
    .refine(({ digest, quiet, once_per: oncePer }) => digest === undefined || (quiet ?? oncePer) === undefined, {
      error: advised('no quiet and no once_per beside it: a digest is one message a day', 'remove one of them'),
      path: ['digest'],
    }),
  object({ ...common, ...alarm, kind: z.literal('pagerduty'), url: URL_OF_SERVICE.optional(), ...secret }),
  object({
    ...common,
    ...alarm,
    kind: z.literal('alertmanager'),
    url: URL_OF_SERVICE,
    secret_file: SECRET_FILE.optional(),
  }),
] as const;

const Destination = z.discriminatedUnion('kind', DESTINATIONS, {
  error: 'one of "webhook", "slack", "teams", "email", "pagerduty", "alertmanager"',
});
export type Destination = z.infer<typeof Destination>;

/** Each costs a request to storage for each notification. */
const DESTINATION_LIMIT = 20;

export const Notifications = list(Destination, DESTINATION_LIMIT);
