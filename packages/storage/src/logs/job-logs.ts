import type { ObjectStore } from '../objects/object-store.ts';
import { createLogReader, type LogReader } from './log-reader.ts';
import { createLogWriter, LOG_PACE, type LogPace, type LogWriter, type LogWriterOptions } from './log-writer.ts';

/** The logs of jobs, in chunks that are stored while the job runs: `logs/<job id>/…`. */
export interface JobLogs {
  /** One writer at a time for a job; a job that is tried again goes on where its log ends. */
  writer(jobId: string, options: LogWriterOptions): LogWriter;
  reader(jobId: string): LogReader;
}

/** `pace` is for tests; jobs are written at `LOG_PACE`. */
export function createJobLogs(store: ObjectStore, pace: LogPace = LOG_PACE): JobLogs {
  return {
    writer: (jobId, options) => createLogWriter(store, jobId, { ...pace, ...options }),
    reader: (jobId) => createLogReader(store, jobId),
  };
}
