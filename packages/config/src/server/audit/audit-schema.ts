/** Where the audit trail goes, as the server's file writes it. */
import { WRITTEN_ADDRESS } from '@nereid/domain/trail/address';
import { z } from 'zod';
import { SECRET_FILE } from '../../settings/path-schema.ts';
import { HTTP_URL, safeUrl } from '../../settings/settings-schema.ts';
import { advised, described, flag, list, object, text } from '../../yaml/schema.ts';

const ADDRESS = text(
  '"sns:<topic arn>", "pubsub:projects/<project>/topics/<topic>" or "file:/absolute/path"',
  WRITTEN_ADDRESS,
);

const URL_OF_EVENTS = safeUrl('serve it with TLS');

const SECRETS = described(
  SECRET_FILE,
  'of a webhook, the secrets that sign; of Event Grid, the key of the topic; read again for each event',
  'absolute path',
);

const Sink = z.union(
  [
    ADDRESS,
    object({
      webhook: described(
        URL_OF_EVENTS,
        'receives each event, [signed](reference/audit-events.md#webhook)',
        'https URL',
      ),
      secret_file: SECRETS,
    }),
    object({
      event_grid: described(URL_OF_EVENTS, 'the endpoint of a topic of Azure Event Grid', 'https URL'),
      secret_file: SECRETS,
    }),
  ],
  advised(
    'an address, { webhook: url, secret_file: path } or { event_grid: url, secret_file: path }',
    'give each place an entry of its own in the list',
  ),
);
export type Sink = z.infer<typeof Sink>;

/** Every event waits for the slowest of them. */
const SINK_LIMIT = 10;

const PLACES =
  '"sns:<topic arn>", "pubsub:projects/<project>/topics/<topic>", "file:/absolute/path", or a list of places';

const IN_A_LIST =
  'a webhook or an Event Grid stands in a list, like to: [{ webhook: "https://…", secret_file: /path }]';

export const Audit = object({
  to: described(
    z.union([ADDRESS, list(Sink, SINK_LIMIT).min(1, 'at least one place')], {
      error: ({ input }) => (typeof input === 'object' ? advised(PLACES, IN_A_LIST) : PLACES),
    }),
    "where the [events](reference/audit-events.md) of applies and of people's actions go",
    '`sns:<topic arn>`, `pubsub:projects/<project>/topics/<topic>`, `file:/path`, or [a list](reference/server-file.md#storage-and-audit) (no audit trail)',
  ),
  required: described(flag().optional(), 'nothing is applied before its event `RUNNING` is stored', 'flag (`true`)'),
  sns: described(
    object({
      endpoint: described(HTTP_URL.optional(), '', "URL (AWS SDK's own)"),
      region: described(text('a region').optional(), '', "text (AWS SDK's own)"),
    }).optional(),
    'the topic of Amazon SNS',
  ),
  pubsub: described(
    object({
      endpoint: described(
        safeUrl('serve it with TLS').optional(),
        'for a private address, or the endpoint of a region',
        "https URL (Google's own)",
      ),
    }).optional(),
    'the topic of Google Pub/Sub',
  ),
});
export type Audit = z.infer<typeof Audit>;
