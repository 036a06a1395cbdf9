/**
 * An installation is known by the keys of its orders, and a namespace in Temporal belongs to one installation: lanes have the same
 * workflow ids everywhere, so two would deploy into each other. The schedule of the watch carries the mark of its installation.
 * Anybody who reaches Temporal can write there, so storage remembers the namespaces that this installation has marked: there, it
 * sets a mark that somebody else replaced again.
 */
import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import { ConfigurationError } from '@nereid/config';
import { WATCH_SCHEDULE } from '@nereid/domain/temporal-names';
import {
  isGrpcServiceError,
  ScheduleNotFoundError,
  ServiceError,
  type Client,
  type ScheduleDescription,
} from '@temporalio/client';
import type { KeyHalves } from '../platform/keys/worker-keys.ts';

export interface InstallationMarks {
  /** The mark that this installation sets. */
  readonly own: string;
  /** Its own of earlier keys too, while keys rotate. */
  readonly known: readonly string[];
}

/** The name of the mark among the memos of what the schedule starts. */
export const MARK = 'nereidInstallation';

/** Nobody makes another key with the same ones. */
const DIGITS = 32;

/** Throws where there is no private key, without which nobody is control. */
export function marksOf({ privateKey, publicKeys }: KeyHalves): InstallationMarks {
  if (privateKey === undefined) throw new Error('expected control to have the key of its orders');
  const own = markOf(createPublicKey(privateKey));
  return { own, known: [own, ...publicKeys.map(markOf)] };
}

function markOf(publicKey: KeyObject): string {
  const bytes = publicKey.export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(bytes).digest('hex').slice(0, DIGITS);
}

type Temporal = Pick<Client, 'schedule' | 'options'>;

/**
 * Why a namespace does not look like this installation's: a sentence without its end. Undefined: it does, or it has no mark yet.
 */
export async function whyNotOwn(
  { schedule, options }: Temporal,
  marks: InstallationMarks,
): Promise<string | undefined> {
  const found = await readMark(schedule);
  switch (found.kind) {
    case 'none':
      return undefined;
    case 'mark':
      return isForeign(found.mark, marks) ? foreign(options) : undefined;
    case 'unreadable':
      return `expected to read the schedule ${WATCH_SCHEDULE} in the namespace ${options.namespace}, found one that cannot be read (${found.reason}); if another PAYLOAD_KEY sealed it, give that to this process too. Otherwise delete the schedule ${WATCH_SCHEDULE}, and start again`;
  }
}

export function refuseNamespace(message: string): never {
  throw new ConfigurationError([{ path: 'TEMPORAL_NAMESPACE', message }]);
}

/**
 * Sets the mark of a schedule that has none, or has the mark of an earlier key. Throws a ConfigurationError at the mark of
 * another installation.
 */
export async function markNamespace({ schedule, options }: Temporal, marks: InstallationMarks): Promise<void> {
  const found = await readMark(schedule);
  if (found.kind === 'mark' && found.mark === marks.own) return;
  await schedule.getHandle(WATCH_SCHEDULE).update(({ action, ...described }) => {
    // Another installation may have been faster in a namespace that was nobody's.
    if (isForeign(markIn({ action }), marks)) refuseNamespace(foreign(options));
    return { ...described, action: { ...action, memo: { ...action.memo, [MARK]: marks.own } } };
  });
}

function isForeign(mark: string | undefined, { known }: InstallationMarks): boolean {
  return mark !== undefined && !known.includes(mark);
}

function foreign({ namespace }: Temporal['options']): string {
  return `expected the namespace ${namespace} to be of this installation, found one of another, whose control has another ORDERS_KEY; give each installation a namespace of its own. If this one has lost its earlier ORDERS_KEY, delete the schedule ${WATCH_SCHEDULE}, and start again`;
}

type Found =
  | { readonly kind: 'none' }
  | { readonly kind: 'mark'; readonly mark: string }
  /** Also where another part of the schedule than the mark is unreadable: it has to be read to be changed. */
  | { readonly kind: 'unreadable'; readonly reason: string };

/** Throws when Temporal does not answer. */
async function readMark(schedule: Client['schedule']): Promise<Found> {
  try {
    const mark = markIn(await schedule.getHandle(WATCH_SCHEDULE).describe());
    return mark === undefined ? { kind: 'none' } : { kind: 'mark', mark };
  } catch (error) {
    // A worker that may not see schedules works without them.
    if (error instanceof ScheduleNotFoundError || isForbidden(error)) return { kind: 'none' };
    if (isOfService(error)) throw error;
    return { kind: 'unreadable', reason: reasonOf(error) };
  }
}

function markIn({ action }: Pick<ScheduleDescription, 'action'>): string | undefined {
  const mark = action.memo?.[MARK];
  return typeof mark === 'string' ? mark : undefined;
}

/** Of a call, not of what came with its answer: the client wraps its own failures at that in a `ServiceError` too. */
function isOfService(error: unknown): boolean {
  if (!(error instanceof ServiceError)) return isGrpcServiceError(error);
  const { cause } = error;
  return cause === undefined || isGrpcServiceError(cause) || cause instanceof ServiceError;
}

function reasonOf(error: unknown): string {
  const inner = error instanceof ServiceError ? error.cause : error;
  return inner instanceof Error ? inner.message : String(inner);
}

/** `Code.PERMISSION_DENIED` of gRPC. */
const PERMISSION_DENIED = 7;

function isForbidden(error: unknown): boolean {
  const cause = error instanceof ServiceError ? error.cause : error;
  const code: number | undefined = isGrpcServiceError(cause) ? cause.code : undefined;
  return code === PERMISSION_DENIED;
}
