/** Where records, plans and logs are kept, as the server's file writes it. */
import { advised, described, flag, object, text } from '../../yaml/schema.ts';
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
  deployments: described(
    STORAGE_URL,
    'records of lanes and deployments',
    '[URL](reference/server-file.md#storage-and-audit)',
  ),
  plans: described(STORAGE_URL, 'waiting plans, encrypted with `PLAN_KEY`', 'URL'),
  logs: described(STORAGE_URL, 'logs of jobs, and the texts of plans', 'URL'),
  s3: described(
    object({
      endpoint: described(HTTP_URL.optional(), 'for servers other than AWS', "URL (AWS SDK's own)"),
      region: described(text('a region').optional(), '', "text (AWS SDK's own, `AWS_REGION`)"),
      path_style: described(flag().optional(), "the bucket in the path instead of the host's name", 'flag (`false`)'),
    }).optional(),
    'Amazon S3, or a server that speaks its protocol',
  ),
  gs: described(
    object({
      endpoint: described(
        safeUrl('serve it with TLS').optional(),
        'for a private address, or a cloud other than the public one',
        "https URL (Google's own)",
      ),
      emulator: described(HTTP_URL.optional(), 'an emulator in its place, which receives no credentials', 'URL (none)'),
    }).optional(),
    'Google Cloud Storage',
  ),
  az: described(
    object({
      endpoint: described(
        AZ_ENDPOINT.optional(),
        'for a cloud other than the public one (`https://{account}.blob.core.windows.net`), or an emulator; without TLS only with [`AZURE_STORAGE_KEY`](guides/storage-credentials.md#credentials)',
        "URL with `{account}` (Azure's own)",
      ),
      client_id: described(
        text('the client id of an identity').optional(),
        "which of the machine's managed identities to use; pods with a workload identity need none",
        'text (the only one)',
      ),
    }).optional(),
    'Azure Blob Storage',
  ),
});
