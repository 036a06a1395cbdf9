/** Who is notified of what, as the server's file writes it. */
import { NOTIFICATION_TOPICS } from '@nereid/domain/notification';
import { z } from 'zod';
import { REPOSITORY_GLOB, ROOT_RULE } from '../../settings/globs-schema.ts';
import { safeUrl } from '../../settings/settings-schema.ts';
import { list, object, oneOf, text } from '../../yaml/schema.ts';

const SECRET_FILE = text('the absolute path of a file, without ".."', /^(?!.*\/\.\.(\/|$))\/[^/\0][^\0]*$/);

const MATCH_LIMIT = 100;

const common = {
  // A part of keys in storage.
  name: text('a name of letters, digits and "-"', /^[A-Za-z0-9][A-Za-z0-9-]{0,49}$/),
  when: list(oneOf(NOTIFICATION_TOPICS), NOTIFICATION_TOPICS.length).min(1, 'at least one topic').optional(),
  match: object({
    repositories: list(REPOSITORY_GLOB, MATCH_LIMIT).optional(),
    directories: list(text(ROOT_RULE.expected, ROOT_RULE.pattern), MATCH_LIMIT).optional(),
  }).optional(),
};

const secret = { secret_file: SECRET_FILE };

const URL_OF_SERVICE = safeUrl('serve it with TLS');

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
  object({ ...common, kind: z.literal('pagerduty'), url: URL_OF_SERVICE.optional(), ...secret }),
  object({ ...common, kind: z.literal('alertmanager'), url: URL_OF_SERVICE, secret_file: SECRET_FILE.optional() }),
] as const;

const Destination = z.discriminatedUnion('kind', DESTINATIONS, {
  error: 'one of "webhook", "slack", "teams", "pagerduty", "alertmanager"',
});
export type Destination = z.infer<typeof Destination>;

/** Each costs a request to storage for each notification. */
const DESTINATION_LIMIT = 20;

export const Notifications = list(Destination, DESTINATION_LIMIT);
