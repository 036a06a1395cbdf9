import type { ObjectStore } from '../objects/object-store.ts';
import { logPrefix, planTextKey, wholePlanTextKey } from './log-keys.ts';
import { createLogReader, type LogReader } from './log-reader.ts';
import { createLogWriter, LOG_PACE, type LogPace, type LogWriter, type LogWriterOptions } from './log-writer.ts';
import { createPlanTexts, type PlanTexts } from './plan-texts.ts';

/** The logs of jobs, stored in chunks while each job runs: `logs/<pool>/<job id>/…`. */
export interface JobLogsOfPools {
  of(pool: string): JobLogs;
}

/** Those of one pool. */
export interface JobLogs {
  /** A job has one writer at a time. When a job is tried again, its writer continues the log. */
  writer(jobId: string, options: LogWriterOptions): LogWriter;
  reader(jobId: string): LogReader;
  readonly planTexts: PlanTexts;
  /** With more room, of plans whose text lacks something. */
  readonly wholePlanTexts: PlanTexts;
  /** Removes the log, and the texts of the plan beside it. */
  remove(jobId: string): Promise<void>;
}

/** Only tests pass a `pace`. */
export function createJobLogs(store: ObjectStore, pace: LogPace = LOG_PACE): JobLogsOfPools {
  return {
    of: (pool) => ({
      writer: (jobId, options) => createLogWriter(store, { pool, jobId }, { ...pace, ...options }),
      reader: (jobId) => createLogReader(store, { pool, jobId }),
      planTexts: createPlanTexts(store, pool, planTextKey),
      wholePlanTexts: createPlanTexts(store, pool, wholePlanTextKey),
      async remove(jobId) {
        for await (const key of store.list(logPrefix({ pool, jobId }))) await store.delete(key);
      },
    }),
  };
}
