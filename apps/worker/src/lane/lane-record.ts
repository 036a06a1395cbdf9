/** A lane's record, read and written for its workflow. */
import { ApplicationFailure } from '@temporalio/common';
import type { LaneActivities, RestoredLane } from '@nereid/contracts';
import { BrokenRecordError, UnknownRecordVersionError, type LaneRecords } from '@nereid/storage';

/** Long enough for a path and what is wrong with it. */
const WHY_LIMIT = 1_000;

/** The activity `restoreLane`. */
export async function restoreLane(
  records: Pick<LaneRecords, 'read'>,
  ...[repository, rootName, shown, awaited]: Parameters<LaneActivities['restoreLane']>
): Promise<RestoredLane> {
  try {
    return { kind: 'restored', stored: (await records.read(repository, rootName)) ?? null };
  } catch (error) {
    const why = (error instanceof Error ? error.message : String(error)).slice(0, WHY_LIMIT);
    if (why === shown || awaited === 'record') throw error;
    return { kind: 'unreadable', why };
  }
}

/** The activity `storeLane`. What cannot be read is another writer's, too, and stays as it is. */
export async function storeLane(
  records: Pick<LaneRecords, 'write'>,
  ...[record, ifVersion]: Parameters<LaneActivities['storeLane']>
): Promise<string> {
  try {
    return await records.write(record, ifVersion);
  } catch (error) {
    if (!(error instanceof BrokenRecordError || error instanceof UnknownRecordVersionError)) throw error;
    throw ApplicationFailure.create({
      message: error.message,
      type: 'RECORD_CONFLICT',
      nonRetryable: true,
      cause: error,
    });
  }
}
