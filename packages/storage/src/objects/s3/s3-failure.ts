import type { Cloud, Fault } from '../cloud-failure.ts';

/** The errors of S3 and of the AWS SDK by name. */
const FAULTS: ReadonlyMap<string, Fault> = new Map<string, Fault>([
  ['NoSuchBucket', 'missing'],
  ['AccessDenied', 'denied'],
  ['AllAccessDisabled', 'denied'],
  ['PermanentRedirect', 'elsewhere'],
  ['TemporaryRedirect', 'elsewhere'],
  ['AuthorizationHeaderMalformed', 'elsewhere'],
  ['IllegalLocationConstraintException', 'elsewhere'],
  ['ExpiredToken', 'rejected'],
  ['ExpiredTokenException', 'rejected'],
  ['TokenRefreshRequired', 'rejected'],
  ['InvalidToken', 'rejected'],
  ['InvalidIdentityToken', 'rejected'],
  ['InvalidAccessKeyId', 'rejected'],
  ['SignatureDoesNotMatch', 'rejected'],
  ['CredentialsProviderError', 'no-credentials'],
  ['TokenProviderError', 'no-credentials'],
  ['RequestTimeTooSkewed', 'clock'],
  ['RequestExpired', 'clock'],
  ['RequestTimeout', 'slow'],
  ['AbortError', 'slow'],
  ['SlowDown', 'busy'],
  ['ServiceUnavailable', 'busy'],
  ['InternalError', 'busy'],
]);

export function s3Cloud(bucket: string): Cloud {
  return {
    place: `the bucket ${bucket}`,
    credentials: "a role of the machine or the pod, or AWS_ACCESS_KEY_ID and the SDK's other variables",
    address: 'storage.s3.region and storage.s3.endpoint',
    faults: FAULTS,
    statusOf,
    regionOf: (error) => textAt(error, '$response', 'headers', 'x-amz-bucket-region') ?? textAt(error, 'Region'),
  };
}

/** The HTTP status of the response that the SDK turned into an error; 0 when there was none. */
export function statusOf(error: unknown): number {
  const status = valueAt(error, '$metadata', 'httpStatusCode');
  return typeof status === 'number' ? status : 0;
}

function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = valueAt(value, ...path);
  return typeof found === 'string' ? found : undefined;
}

function valueAt(value: unknown, ...path: readonly string[]): unknown {
  let found = value;
  for (const name of path) {
    if (typeof found !== 'object' || found === null) return undefined;
    found = Reflect.get(found, name);
  }
  return found;
}
