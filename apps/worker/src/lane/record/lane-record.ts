/** Reads and writes a lane's record for its workflow. */
import { setTimeout } from 'node:timers/promises';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import {
  isHint,
  type LaneActivities,
  type LaneHint,
  type LaneRead,
  type LaneRecord,
  type LaneStored,
} from '@nereid/domain/lane';
import type { Repository } from '@nereid/domain/root';
import { isUnreadableRecord, RecordConflictError, type LaneRecords } from '@nereid/storage';
import type { Logger } from 'pino';

/** Long enough for a path and its problem. */
const WHY_LIMIT = 1_000;

/** Check runs show it to everybody with read permission, but errors of storage are for its operator. */
const AWAY = 'storage does not give it; the log of the worker says why';

/** The activity `readLane`. */
export async function readLane(
  { laneRecords, logger }: { readonly laneRecords: Pick<LaneRecords, 'read'>; readonly logger: Pick<Logger, 'warn'> },
  ...[repository, rootName, shown, awaited]: Parameters<LaneActivities['readLane']>
): Promise<LaneRead> {
  try {
    return { kind: 'read', stored: (await laneRecords.read(repository, rootName)) ?? null };
  } catch (error) {
    logger.warn({ err: error, repository, root: rootName }, 'the record of a lane cannot be read');
    const why = isUnreadableRecord(error) ? error.message.slice(0, WHY_LIMIT) : AWAY;
    if (why !== shown && awaited === 'news') return { kind: 'unreadable', why };
    const category = ApplicationFailureCategory.BENIGN;
    throw ApplicationFailure.create({
      message: why,
      type: 'UNCHANGED',
      category,
      ...(error instanceof Error && { cause: error }),
    });
  }
}

/** A store that takes longer is asked by the lane, which says so on its check runs. */
const HINT_MS = 500;

/** The record of a lane at rest, for the message that may start it. Undefined when the lane has to read its record itself. */
export async function findHint(
  { laneRecords }: { readonly laneRecords: Pick<LaneRecords, 'read'> },
  repository: Repository,
  rootName: string,
): Promise<LaneHint | undefined> {
  const at = Date.now();
  const late = setTimeout(HINT_MS, 'late' as const, { ref: false });
  const read = laneRecords.read(repository, rootName).then(
    (stored) => stored ?? null,
    () => 'failed' as const, // The lane finds out, and says it.
  );
  const found = await Promise.race([read, late]);
  return found !== 'late' && found !== 'failed' && isHint(found) ? { stored: found, at } : undefined;
}

/**
 * Writes the record, unless another writer was there: then returns that writer's record. An earlier write of the same run,
 * whose answer was lost, does not count as another writer's.
 */
export async function storeLane(
  records: Pick<LaneRecords, 'write'>,
  record: LaneRecord,
  ifVersion: string | null,
): Promise<LaneStored> {
  try {
    return { kind: 'stored', version: await records.write(record, ifVersion) };
  } catch (error) {
    if (isUnreadableRecord(error)) return { kind: 'unreadable', why: error.message.slice(0, WHY_LIMIT) };
    if (!(error instanceof RecordConflictError)) throw error;
    const { stored } = error;
    // If there is no record, somebody removed it.
    if (stored !== undefined && !isEarlier(stored.record, record)) return { kind: 'other', stored };
    return { kind: 'stored', version: await records.write(record, stored?.version ?? null) };
  }
}

/** Whether the first record is an older one of the same run of the lane: the second goes beyond it. */
function isEarlier({ writer }: LaneRecord, { writer: own }: LaneRecord): boolean {
  return writer.runId === own.runId && writer.sequence < own.sequence;
}
