import type { HostJob } from '@nereid/contracts';
import type { LogWriter } from '@nereid/storage';
import type { WorkerConfig } from '../config.ts';
import type { HostTools } from './tools.ts';

/** The log of a job. What cannot be stored of it is reported here and never holds up the job. */
export function openLog({ context }: HostTools, job: HostJob, secrets: readonly string[]): LogWriter {
  return context.jobLogs.writer(job.jobId, {
    mask: [...secretsOf(context.config), ...secrets],
    onError: (error) => {
      context.logger.error(
        { err: error, deployment: job.deploymentId, job: job.jobId },
        'a job log could not be stored',
      );
    },
  });
}

/** What this worker knows and nobody who reads a log may. */
function secretsOf({ github, links, planKeys = [] }: WorkerConfig): readonly string[] {
  return [github.privateKey, ...(links.key ? [links.key] : []), ...planKeys].map((secret) => secret.reveal());
}
