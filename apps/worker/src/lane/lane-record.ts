/** A lane's record, read and written for its workflow. */
import { ApplicationFailure } from '@temporalio/common';
import type { LaneActivities, RestoredLane } from '@nereid/contracts';
import { BrokenRecordError, UnknownRecordVersionError, type LaneRecords } from '@nereid/storage';
import type { Logger } from 'pino';

/** Long enough for a path and what is wrong with it. */
const WHY_LIMIT = 1_000;

/** Check runs show it, to whoever may read the repository: what a store says of itself is for who operates it. */
const AWAY = 'storage does not give it; the log of the worker says why';

/** The activity `restoreLane`. */
export async function restoreLane(
  { laneRecords, logger }: { readonly laneRecords: Pick<LaneRecords, 'read'>; readonly logger: Pick<Logger, 'warn'> },
  ...[repository, rootName, shown, awaited]: Parameters<LaneActivities['restoreLane']>
): Promise<RestoredLane> {
  try {
    return { kind: 'restored', stored: (await laneRecords.read(repository, rootName)) ?? null };
  } catch (error) {
    logger.warn({ err: error, repository, root: rootName }, 'the record of a lane cannot be read');
    const why = isOfRecord(error) ? error.message.slice(0, WHY_LIMIT) : AWAY;
    if (why === shown || awaited === 'record') throw new Error(why, { cause: error });
    return { kind: 'unreadable', why };
  }
}

function isOfRecord(error: unknown): error is BrokenRecordError | UnknownRecordVersionError {
  return error instanceof BrokenRecordError || error instanceof UnknownRecordVersionError;
}

/** The activity `storeLane`. What cannot be read is another writer's, too, and stays as it is. */
export async function storeLane(
  records: Pick<LaneRecords, 'write'>,
  ...[record, ifVersion]: Parameters<LaneActivities['storeLane']>
): Promise<string> {
  try {
    return await records.write(record, ifVersion);
  } catch (error) {
    if (!isOfRecord(error)) throw error;
    throw ApplicationFailure.create({
      message: error.message,
      type: 'RECORD_CONFLICT',
      nonRetryable: true,
      cause: error,
    });
  }
}
