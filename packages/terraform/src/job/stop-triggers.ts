import type { StopTriggers } from '@nereid/subprocess';
import type { Job } from './job.ts';

/** The triggers that stop a command of a job: the job's own signal, and the end of its time. */
export function stopTriggers({ signal, patience }: StopTriggers, job: Pick<Job, 'remainingMs'>): StopTriggers {
  return { signal, patience, timeoutMs: job.remainingMs() };
}
