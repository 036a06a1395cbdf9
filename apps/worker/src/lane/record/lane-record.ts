/** A lane's record, read and written for its workflow. */
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import type { LaneActivities, LaneRead, LaneRecord, LaneStored } from '@nereid/contracts';
import { BrokenRecordError, RecordConflictError, UnknownRecordVersionError, type LaneRecords } from '@nereid/storage';
import type { Logger } from 'pino';

/** Long enough for a path and what is wrong with it. */
const WHY_LIMIT = 1_000;

/** Check runs show it, to whoever may read the repository: what a store says of itself is for its operator. */
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
    const why = isUnreadable(error) ? error.message.slice(0, WHY_LIMIT) : AWAY;
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

/**
 * Writes the record, unless another writer was there: then answers what that left. An own write of before, whose answer was
 * lost, is none of another writer's.
 */
export async function storeLane(
  records: Pick<LaneRecords, 'write'>,
  record: LaneRecord,
  ifVersion: string | null,
): Promise<LaneStored> {
  try {
    return { kind: 'stored', version: await records.write(record, ifVersion) };
  } catch (error) {
    if (isUnreadable(error)) return { kind: 'unreadable', why: error.message.slice(0, WHY_LIMIT) };
    if (!(error instanceof RecordConflictError)) throw error;
    const { stored } = error;
    // Where there is none, somebody removed it.
    if (stored !== undefined && !isEarlier(stored.record, record)) return { kind: 'other', stored };
    return { kind: 'stored', version: await records.write(record, stored?.version ?? null) };
  }
}

/** Of the same run of the lane, and older: what this one says goes beyond it. */
function isEarlier({ writer }: LaneRecord, { writer: own }: LaneRecord): boolean {
  return writer.runId === own.runId && writer.sequence < own.sequence;
}

function isUnreadable(error: unknown): error is BrokenRecordError | UnknownRecordVersionError {
  return error instanceof BrokenRecordError || error instanceof UnknownRecordVersionError;
}
