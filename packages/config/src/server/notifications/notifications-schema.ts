/** Who is notified of what, as the server's file writes it. */
import { NOTIFICATION_TOPICS } from '@nereid/domain/notification';
import { z } from 'zod';
import { scopeOf } from '../../settings/globs-schema.ts';
import { safeUrl } from '../../settings/settings-schema.ts';
import { advised, described, flag, list, object, ofKinds, oneOf, text } from '../../yaml/schema.ts';
import { SECRET_FILE } from '../../settings/path-schema.ts';
import { TIME_OF_DAY, timeOfDay } from '../windows/time-of-day.ts';
import { TIME_ZONE } from '../windows/time-zone-schema.ts';
import { isTimeZone } from '../windows/zoned-time.ts';

const SECRETS = described(
  SECRET_FILE,
  'the secrets that sign a webhook, the token of Slack, the address of a workflow of Teams, the password of the mail server, or the key of PagerDuty; read again for each message',
  'absolute path',
);

const secret = { secret_file: SECRETS };

const DAY_MS = 24 * 3_600_000;

/** What is held back has to be delivered within its day or two. */
const LONGEST_QUIET_MS = 20 * 3_600_000;

const HOURS = advised('two times, at most 20 hours apart', 'write them like "18:00-08:00"');

const quiet = {
  hours: described(
    text('two times like "18:00-08:00"', new RegExp(`^${TIME_OF_DAY}-${TIME_OF_DAY}$`)).refine((hours) => {
      const [from = 0, to = 0] = hours.split('-').map(timeOfDay);
      return from !== to && (to - from + DAY_MS) % DAY_MS <= LONGEST_QUIET_MS;
    }, HOURS),
    'two times of the day, at most 20 hours apart: [what comes between them](guides/notifications.md#hours) is held back, and delivered at the end',
    'two times like `18:00-08:00` (none)',
  ),
  timezone: described(
    TIME_ZONE,
    'the time zone of these times, and of the days of `once_per`',
    'name of the IANA database, like `Europe/Berlin`',
  ),
};

const DIGEST = text(
  'a time and a time zone like "daily 09:00 Europe/Berlin"',
  new RegExp(`^daily ${TIME_OF_DAY} \\S+$`),
).refine(
  (digest) => isTimeZone(digest.split(' ')[2] ?? ''),
  advised('a time zone of the IANA database', 'write it like "daily 09:00 Europe/Berlin"'),
);

const QUIET = 'the hours in which the destination is left alone';

/** A message is for people, an alarm is for who is on call: each alert of a root has a state, so none is repeated. */
const message = {
  quiet: described(object(quiet).optional(), QUIET),
  once_per: described(
    oneOf(['deployment', 'rollout', 'day']).optional(),
    'the destination is told of each topic once in each deployment, in each rollout of a revision, or once a day for each root; not for PagerDuty and Alertmanager, which tell one alert from another',
    '`deployment`, `rollout`, `day` (none)',
  ),
};
const alarm = {
  quiet: described(
    object({
      ...quiet,
      hold_failures: described(
        flag().optional(),
        'of PagerDuty and Alertmanager, whether alerts for failures and stuck workflows wait, too, and the end of alerts',
        'flag (`false`)',
      ),
    }).optional(),
    QUIET,
  ),
};

const kind = <Name extends string>(name: Name) =>
  described(
    z.literal(name),
    'what the destination is',
    '`webhook`, `slack`, `teams`, `email`, `pagerduty`, `alertmanager`',
  );

const common = {
  // A part of keys in storage.
  name: described(
    text('a name of letters, digits and "-"', /^[A-Za-z0-9][A-Za-z0-9-]{0,49}$/),
    'names the [destination](guides/notifications.md) in commands, metrics and the log',
    'letters, digits, `-`',
  ),
  when: described(
    list(oneOf(NOTIFICATION_TOPICS), NOTIFICATION_TOPICS.length).min(1, 'at least one topic').optional(),
    'the [topics](guides/notifications.md#topics) that the destination is told of; by default, those that a person has to do something about',
    `list: any of ${NOTIFICATION_TOPICS.map((topic) => `\`${topic}\``).join(', ')}`,
  ),
  ...scopeOf(
    'the repositories that it is told of',
    'the roots that it is told of, matched by any of their directories, as for rules',
  ),
};

const URL_TEXTS = [
  'the address of a webhook, a mail server or an Alertmanager; Slack and PagerDuty have one already',
  'https URL; of e-mail, `smtps://user@host:port` or `smtp://…`',
] as const;

const URL_OF_SERVICE = described(safeUrl('serve it with TLS'), ...URL_TEXTS);

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
  object({ ...common, ...message, kind: kind('webhook'), url: URL_OF_SERVICE, ...secret }),
  object({
    ...common,
    ...message,
    kind: kind('slack'),
    channel: described(
      text('the id of a channel, like C0123ABCD', /^[CGD][A-Z0-9]{5,30}$/),
      'the channel of Slack',
      'id, like `C0123ABCD`',
    ),
    url: URL_OF_SERVICE.optional(),
    ...secret,
  }),
  object({ ...common, ...message, kind: kind('teams'), ...secret }),
  object({
    ...common,
    ...message,
    kind: kind('email'),
    url: described(SMTP_URL, ...URL_TEXTS),
    from: described(ADDRESS, 'the sender of e-mail', 'address of e-mail'),
    to: described(
      list(ADDRESS, ADDRESS_LIMIT).min(1, 'at least one address'),
      'the people who get e-mail',
      'list of up to 20 addresses',
    ),
    secret_file: SECRETS.optional(),
    digest: described(
      DIGEST.optional(),
      'of e-mail, one message a day in place of one for each notification: what waits, and what failed, since the last one',
      'text like `daily 09:00 Europe/Berlin` (none)',
    ),
  })
    .refine(({ url, secret_file: secretFile }) => secretFile === undefined || url.includes('@'), {
      error: advised('the person whose password is in secret_file', 'write it as smtps://user@host'),
      path: ['url'],
    })
    .refine(({ digest, quiet, once_per: oncePer }) => digest === undefined || (quiet ?? oncePer) === undefined, {
      error: advised('no quiet and no once_per beside it: a digest is one message a day', 'remove one of them'),
      path: ['digest'],
    }),
  object({ ...common, ...alarm, kind: kind('pagerduty'), url: URL_OF_SERVICE.optional(), ...secret }),
  object({
    ...common,
    ...alarm,
    kind: kind('alertmanager'),
    url: URL_OF_SERVICE,
    secret_file: SECRETS.optional(),
  }),
] as const;

const Destination = ofKinds(DESTINATIONS);
export type Destination = z.infer<typeof Destination>;

/** Each costs a request to storage for each notification. */
const DESTINATION_LIMIT = 20;

export const Notifications = list(Destination, DESTINATION_LIMIT);
