/** Where the audit trail goes, as the server's file writes it. */
import { WRITTEN_ADDRESS } from '@nereid/domain/trail/address';
import { z } from 'zod';
import { HTTP_URL, safeUrl } from '../../settings/settings-schema.ts';
import { flag, list, object, text } from '../../yaml/schema.ts';

const ADDRESS = text(
  '"sns:<topic arn>", "pubsub:projects/<project>/topics/<topic>" or "file:/absolute/path"',
  WRITTEN_ADDRESS,
);

const SECRET_FILE = text('the absolute path of a file, without ".."', /^(?!.*\/\.\.(\/|$))\/[^/\0][^\0]*$/);

const URL_OF_EVENTS = safeUrl('serve it with TLS');

const Sink = z.union(
  [
    ADDRESS,
    object({ webhook: URL_OF_EVENTS, secret_file: SECRET_FILE }),
    object({ event_grid: URL_OF_EVENTS, secret_file: SECRET_FILE }),
  ],
  'an address, { webhook: url, secret_file: path } or { event_grid: url, secret_file: path }',
);
export type Sink = z.infer<typeof Sink>;

/** Every event waits for the slowest of them. */
const SINK_LIMIT = 10;

export const Audit = object({
  to: z.union(
    [ADDRESS, list(Sink, SINK_LIMIT).min(1, 'at least one place')],
    '"sns:<topic arn>", "pubsub:projects/<project>/topics/<topic>", "file:/absolute/path", or a list of places',
  ),
  required: flag().optional(),
  sns: object({ endpoint: HTTP_URL.optional(), region: text('a region').optional() }).optional(),
  pubsub: object({ endpoint: safeUrl('serve it with TLS').optional() }).optional(),
});
export type Audit = z.infer<typeof Audit>;
