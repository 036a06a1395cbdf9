/** Where the audit trail goes, as the server's file writes it. */
import { WRITTEN_ADDRESS } from '@nereid/domain/trail/address';
import { z } from 'zod';
import { SECRET_FILE } from '../../settings/path-schema.ts';
import { HTTP_URL, safeUrl } from '../../settings/settings-schema.ts';
import { advised, flag, list, object, text } from '../../yaml/schema.ts';

const ADDRESS = text(
  '"sns:<topic arn>", "pubsub:projects/<project>/topics/<topic>" or "file:/absolute/path"',
  WRITTEN_ADDRESS,
);

const URL_OF_EVENTS = safeUrl('serve it with TLS');

const Sink = z.union(
  [
    ADDRESS,
    object({ webhook: URL_OF_EVENTS, secret_file: SECRET_FILE }),
    object({ event_grid: URL_OF_EVENTS, secret_file: SECRET_FILE }),
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
  to: z.union([ADDRESS, list(Sink, SINK_LIMIT).min(1, 'at least one place')], {
    error: ({ input }) => (typeof input === 'object' ? advised(PLACES, IN_A_LIST) : PLACES),
  }),
  required: flag().optional(),
  sns: object({ endpoint: HTTP_URL.optional(), region: text('a region').optional() }).optional(),
  pubsub: object({ endpoint: safeUrl('serve it with TLS').optional() }).optional(),
});
export type Audit = z.infer<typeof Audit>;
