/** What goes wrong with a store that is a service, as sentences for the person who runs Nereid. */
import { causesOf, distrustOf } from '@nereid/domain/distrust';
import { errorCode, errorName } from '../error-code.ts';
import { StorageUnavailableError, VersionConflictError, type StorageAttempt } from '../errors.ts';

export type Fault =
  /** There is no such bucket. */
  | 'missing'
  | 'denied'
  /** The bucket is in another region. */
  | 'elsewhere'
  /** The service knows the credentials no more, or never did. */
  | 'rejected'
  | 'no-credentials'
  | 'clock'
  | 'unknown-host'
  | 'untrusted'
  | 'slow'
  | 'broken-off'
  | 'busy'
  | 'unfit'
  | 'other';

/** The words of one cloud. */
export interface Cloud {
  /** `the bucket acme`. */
  readonly place: string;
  /** Where credentials come from, as the end of a sentence about what to do. */
  readonly credentials: string;
  /** What to correct when the address is wrong: settings of the server's file. */
  readonly address: string;
  /** What the service calls its errors. */
  readonly faults: ReadonlyMap<string, Fault>;
  statusOf(error: unknown): number;
  /** The region in which the service says that the bucket is. */
  regionOf?(error: unknown): string | undefined;
}

/** Calls the service and turns its failures into typed errors. */
export async function orFail<T>(
  cloud: Cloud,
  key: string,
  attempt: StorageAttempt,
  call: () => Promise<T>,
): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    if (cause instanceof VersionConflictError) throw cause;
    const mayPass = MAY_PASS.includes(faultOf(cloud, cause));
    throw new StorageUnavailableError(key, attempt, { cause, why: sentence(cloud, attempt, cause), mayPass });
  }
}

interface ConditionalWrite {
  readonly key: string;
  readonly ifVersion: string | undefined;
  /** Whether the service says so. */
  readonly isConflict: (error: unknown) => boolean;
}

/** Writes, and throws a `VersionConflictError` where another writer was quicker. */
export async function orConflict<T>(
  { key, ifVersion, isConflict }: ConditionalWrite,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write();
  } catch (cause) {
    if (ifVersion !== undefined && isConflict(cause)) throw new VersionConflictError(key, ifVersion, { cause });
    throw cause;
  }
}

/** Nobody has to change anything; what is not known might pass. */
const MAY_PASS: readonly Fault[] = ['slow', 'broken-off', 'busy', 'unknown-host', 'other'];

/** Whether the same call may succeed in a moment. */
export function isPassing(cloud: Cloud, error: unknown): boolean {
  return ['slow', 'broken-off', 'busy'].includes(faultOf(cloud, error));
}

export function faultOf(cloud: Cloud, error: unknown): Fault {
  for (const name of namesOf(error)) {
    const fault = cloud.faults.get(name) ?? COMMON_FAULTS.get(name);
    if (fault !== undefined) return fault;
  }
  return distrustOf(error) === undefined ? faultOfStatus(cloud.statusOf(error)) : 'untrusted';
}

/** Of Node, its fetch, and DNS. */
const COMMON_FAULTS: ReadonlyMap<string, Fault> = new Map<string, Fault>([
  ['TimeoutError', 'slow'],
  ['ETIMEDOUT', 'slow'],
  ['UND_ERR_CONNECT_TIMEOUT', 'slow'],
  ['UND_ERR_HEADERS_TIMEOUT', 'slow'],
  ['UND_ERR_BODY_TIMEOUT', 'slow'],
  ['ECONNREFUSED', 'broken-off'],
  ['ECONNRESET', 'broken-off'],
  ['ECONNABORTED', 'broken-off'],
  ['EPIPE', 'broken-off'],
  ['EHOSTUNREACH', 'broken-off'],
  ['ENETUNREACH', 'broken-off'],
  ['EAI_AGAIN', 'broken-off'],
  ['ERR_STREAM_PREMATURE_CLOSE', 'broken-off'],
  ['UND_ERR_SOCKET', 'broken-off'],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'broken-off'],
  ['ENOTFOUND', 'unknown-host'],
]);

function faultOfStatus(status: number): Fault {
  if (status === 401) return 'rejected';
  if (status === 403) return 'denied';
  if (status === 404) return 'missing';
  return status === 408 || status === 429 || status >= 500 ? 'busy' : 'other';
}

/** The codes and names of an error and of what caused it, the outermost first. */
function namesOf(error: unknown): readonly string[] {
  const names = causesOf(error).flatMap((each) => [errorCode(each), errorName(each)]);
  // Some come from the service.
  return names.filter((name) => /^[\w.-]{1,80}$/.test(name));
}

function sentence(cloud: Cloud, attempt: StorageAttempt, error: unknown): string {
  const fault = faultOf(cloud, error);
  const { place, credentials, address } = cloud;
  const found = `(${nameOf(cloud, error)})`;
  switch (fault) {
    case 'missing':
      return `expected ${place}, found none of this name ${found}; create it, or correct the URL of storage`;
    case 'denied':
      return `expected permission to ${attempt} in ${place}, found a refusal ${found}; give this process the permissions that apps/docs/guides/storage-credentials.md lists`;
    case 'elsewhere':
      return `expected ${place} in the configured region, found it ${inRegion(cloud.regionOf?.(error))} ${found}; correct ${address}`;
    case 'rejected':
      return `expected credentials that are valid for ${place}, found expired or unknown ones ${found}; renew them: ${credentials}`;
    case 'no-credentials':
      return `expected credentials for ${place}, found none that can be used ${found}; provide ${credentials}`;
    case 'clock':
      return `expected the clock of this machine to be right, found it too far from the service's ${found}; set it`;
    case 'unknown-host':
      return `expected a server for ${place}, found no address of its name ${found}; correct the URL of storage, or ${address}`;
    case 'untrusted':
      return `expected a certificate that this machine trusts, found ${distrustOf(error) ?? found}`;
    case 'unfit':
      return `expected ${place} to list its objects in the order of their characters, found folders ${found}; use an account without hierarchical namespace`;
    case 'slow':
      return `expected an answer in time, found none ${found}; it may work when tried again`;
    case 'broken-off':
      return `expected a whole answer, found a connection that was refused or broke off ${found}; it may work when tried again`;
    case 'busy':
      return `expected the service to do its work, found it too busy or broken ${found}; it may work when tried again`;
    case 'other':
      return `expected success, found another answer ${found}; it may work when tried again`;
  }
}

function inRegion(region: string | undefined): string {
  // It comes from the service.
  return region !== undefined && /^[a-z0-9-]{1,40}$/.test(region) ? `in ${region}` : 'in another';
}

/** The word that decided. What the service wrote besides may hold account ids, so it stays in `cause`. */
function nameOf(cloud: Cloud, error: unknown): string {
  const names = namesOf(error);
  const known = names.find((name) => cloud.faults.has(name) || COMMON_FAULTS.has(name));
  const status = cloud.statusOf(error);
  const word = known ?? names.find((name) => name !== 'Error' && name !== 'TypeError');
  return word ?? (status > 0 ? `status ${status}` : 'unknown reason');
}
