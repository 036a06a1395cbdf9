/**
 * An installation is known by the keys of its orders, and a namespace in Temporal belongs to one installation: lanes have the same
 * workflow ids everywhere, so two would deploy into each other. The schedule of the watch carries the mark of its installation.
 */
import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import { ConfigurationError } from '@nereid/config';
import { WATCH_SCHEDULE } from '@nereid/domain/temporal-names';
import { isGrpcServiceError, ScheduleNotFoundError, ServiceError, type Client } from '@temporalio/client';
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

/** Throws a ConfigurationError where the namespace belongs to another installation. One without a mark belongs to nobody yet. */
export async function requireOwnNamespace(
  { schedule, options }: Pick<Client, 'schedule' | 'options'>,
  { known }: InstallationMarks,
): Promise<void> {
  const found = await readMark(schedule);
  if (found === undefined || known.includes(found)) return;
  const message = `expected the namespace ${options.namespace} to be of this installation, found one of another, whose control has another ORDERS_KEY; give each installation a namespace of its own. If this one has lost its earlier ORDERS_KEY, delete the schedule ${WATCH_SCHEDULE}, and start again`;
  throw new ConfigurationError([{ path: 'TEMPORAL_NAMESPACE', message }]);
}

async function readMark(schedule: Client['schedule']): Promise<string | undefined> {
  try {
    const { action } = await schedule.getHandle(WATCH_SCHEDULE).describe();
    const mark = action.memo?.[MARK];
    return typeof mark === 'string' ? mark : undefined;
  } catch (error) {
    // A worker that may not see schedules works without them.
    if (error instanceof ScheduleNotFoundError || isForbidden(error)) return undefined;
    throw error;
  }
}

/** Sets the mark of a schedule that has none, or that of an earlier key. */
export async function markNamespace(schedule: Client['schedule'], { own }: InstallationMarks): Promise<void> {
  if ((await readMark(schedule)) === own) return;
  await schedule.getHandle(WATCH_SCHEDULE).update(({ action, ...described }) => ({
    ...described,
    action: { ...action, memo: { ...action.memo, [MARK]: own } },
  }));
}

/** `Code.PERMISSION_DENIED` of gRPC. */
const PERMISSION_DENIED = 7;

function isForbidden(error: unknown): boolean {
  const cause = error instanceof ServiceError ? error.cause : error;
  const code: number | undefined = isGrpcServiceError(cause) ? cause.code : undefined;
  return code === PERMISSION_DENIED;
}
