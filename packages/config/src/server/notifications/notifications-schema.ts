/** Who is notified of what, as the server's file writes it. */
import { NOTIFICATION_TOPICS } from '@nereid/domain/notification';
import { z } from 'zod';
import { SCOPE } from '../../settings/globs-schema.ts';
import { safeUrl } from '../../settings/settings-schema.ts';
import { advised, list, object, oneOf, text } from '../../yaml/schema.ts';
import { SECRET_FILE } from '../../settings/path-schema.ts';

const secret = { secret_file: SECRET_FILE };

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
  object({ ...common, kind: z.literal('webhook'), url: URL_OF_SERVICE, ...secret }),
  object({
    ...common,
    kind: z.literal('slack'),
    channel: text('the id of a channel, like C0123ABCD', /^[CGD][A-Z0-9]{5,30}$/),
    url: URL_OF_SERVICE.optional(),
    ...secret,
  }),
  object({ ...common, kind: z.literal('teams'), ...secret }),
  object({
    ...common,
    kind: z.literal('email'),
    url: SMTP_URL,
    from: ADDRESS,
    to: list(ADDRESS, ADDRESS_LIMIT).min(1, 'at least one address'),
    secret_file: SECRET_FILE.optional(),
  }).refine(({ url, secret_file: secretFile }) => secretFile === undefined || url.includes('@'), {
    error: advised('the person whose password is in secret_file', 'write it as smtps://user@host'),
    path: ['url'],
  }),
  object({ ...common, kind: z.literal('pagerduty'), url: URL_OF_SERVICE.optional(), ...secret }),
  object({ ...common, kind: z.literal('alertmanager'), url: URL_OF_SERVICE, secret_file: SECRET_FILE.optional() }),
] as const;

const Destination = z.discriminatedUnion('kind', DESTINATIONS, {
  error: 'one of "webhook", "slack", "teams", "email", "pagerduty", "alertmanager"',
});
export type Destination = z.infer<typeof Destination>;

/** Each costs a request to storage for each notification. */
const DESTINATION_LIMIT = 20;

export const Notifications = list(Destination, DESTINATION_LIMIT);
