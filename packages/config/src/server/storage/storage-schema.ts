/** Where records, plans and logs are kept, as the server's file writes it. */
import { advised, flag, object, text } from '../../yaml/schema.ts';
import { HTTP_URL, safeUrl } from '../../settings/settings-schema.ts';

/** The names that each cloud accepts; AWS and Google no IPv4 addresses, and no two dots in a row. */
const NAMES = {
  s3: {
    pattern: /^s3:\/\/(?!\d+(\.\d+){3}(\/|$))(?!.*\.\.)[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/|$)/,
    expected:
      'the name of a bucket behind "s3://": 3 to 63 lower-case letters, digits, "." and "-", the first and the last a letter or digit',
  },
  gs: {
    pattern: /^gs:\/\/(?!\d+(\.\d+){3}(\/|$))(?!goog)(?!.*\.\.)[a-z0-9][a-z0-9._-]{1,220}[a-z0-9](\/|$)/,
    expected:
      'the name of a bucket behind "gs://": at least 3 lower-case letters, digits, ".", "_" and "-", the first and the last a letter or digit, and no "goog" at the start',
  },
  az: {
    pattern: /^az:\/\/[a-z0-9]{3,24}\/(?![a-z0-9-]*--)[a-z0-9][a-z0-9-]{1,61}[a-z0-9](\/|$)/,
    expected:
      'an account and a container behind "az://": 3 to 24 lower-case letters and digits, "/", and 3 to 63 lower-case letters, digits and single "-"',
  },
};

const remedy = 'name one that exists';

const STORAGE_URL = text(
  '"s3://bucket/prefix", "gs://bucket/prefix", "az://account/container/prefix" or "file:/absolute/path"',
  /^((s3|gs|az):\/\/[^\s?#]*|file:\/(?!\/)[^?#]*|file:\/\/\/[^?#]*)$/,
)
  .regex(onlyOf('s3', NAMES.s3.pattern), advised(NAMES.s3.expected, remedy))
  .regex(onlyOf('gs', NAMES.gs.pattern), advised(NAMES.gs.expected, remedy))
  .regex(onlyOf('az', NAMES.az.pattern), advised(NAMES.az.expected, remedy));

/** Other URLs are not its business. */
function onlyOf(scheme: string, pattern: RegExp): RegExp {
  return new RegExp(`^(?!${scheme}://)|${pattern.source}`);
}

/** One for all accounts that URLs name. Without TLS it needs the account's key, which signs and is not sent. */
const AZ_ENDPOINT = text(
  'an http or https URL in which {account} stands for the account, without a query',
  /^https?:\/\/(?=[^\s?#@]*\{account\})[^\s/?#@][^\s?#@]*$/,
);

export const Storage = object({
  deployments: STORAGE_URL,
  plans: STORAGE_URL,
  logs: STORAGE_URL,
  s3: object({
    endpoint: HTTP_URL.optional(),
    region: text('a region').optional(),
    path_style: flag().optional(),
  }).optional(),
  gs: object({ endpoint: safeUrl('serve it with TLS').optional(), emulator: HTTP_URL.optional() }).optional(),
  az: object({
    endpoint: AZ_ENDPOINT.optional(),
    client_id: text('the client id of an identity').optional(),
  }).optional(),
});
