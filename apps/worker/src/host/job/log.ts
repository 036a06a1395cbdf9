import type { LogWriter } from '@nereid/storage';
import type { JobOptions } from '@nereid/terraform';
import { secretsOfStep, secretsOfWorker } from './secrets.ts';
import type { HostTools } from './tools.ts';
import type { OpenedJob } from '../../platform/tokens/opened-job.ts';

/** The log of a job. A failure to store it is reported here and never holds up the job. */
export function openLog({ context }: HostTools, job: OpenedJob, secrets: readonly string[]): LogWriter {
  return context.jobLogs.writer(job.jobId, {
    mask: [...secretsOfWorker(context.config), ...secrets],
    onError: (error) => {
      context.logger.error(
        { err: error, deployment: job.deploymentId, job: job.jobId },
        'a job log could not be stored',
      );
    },
  });
}

/** Sends a job's output to its log. Secrets that its steps produce are hidden from the moment they are known. */
export function intoLog(
  log: LogWriter,
  { root }: OpenedJob,
): Pick<JobOptions, 'log' | 'hide' | 'hideInStream' | 'onEnvValue' | 'onSensitiveValues'> {
  return {
    log: (chunk) => log.write(chunk),
    hide: (output) => log.masked(output),
    hideInStream: () => log.maskedStream(),
    onSensitiveValues: (values) => log.learnExactly(values),
    onEnvValue: (name, value) => {
      for (const secret of secretsOfStep(root, name, value)) log.learn(secret);
    },
  };
}
