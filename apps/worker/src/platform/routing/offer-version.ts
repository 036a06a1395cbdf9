/** Gives the workers that run workflows the version of their code, where the server can route by it. */
import type { Client } from '@temporalio/client';
import type { WorkerOptions } from '@temporalio/worker';
import type { Logger } from 'pino';
import { readRelease } from '../release.ts';
import { hasVersions } from './read-routes.ts';
import { workflowVersion } from './workflow-version.ts';

interface Context {
  readonly temporal: Pick<Client, 'workflow'>;
  readonly logger: Pick<Logger, 'warn'>;
}

export interface Offered<Options> {
  /** Undefined where no queue has workflows, or the server has no versions. */
  readonly buildId: string | undefined;
  readonly queues: readonly Options[];
}

/** Queues with activities alone stay as they are: any worker may answer them. */
export async function offerVersion<Options extends Pick<WorkerOptions, 'workflowBundle' | 'workerDeploymentOptions'>>(
  { temporal, logger }: Context,
  queues: readonly Options[],
): Promise<Offered<Options>> {
  const bundle = queues.find(({ workflowBundle }) => workflowBundle)?.workflowBundle;
  if (bundle === undefined) return { buildId: undefined, queues };
  if (!(await hasVersions(temporal))) {
    logger.warn(
      'the Temporal server routes by no versions: never run control workers of two releases at the same time',
    );
    return { buildId: undefined, queues };
  }
  const version = await workflowVersion(bundle, readRelease());
  const workerDeploymentOptions = {
    version,
    useWorkerVersioning: true,
    // A lane is open for months and a review for a week: they go on in the current version, whichever began them.
    defaultVersioningBehavior: 'AUTO_UPGRADE',
  } as const;
  const versioned = queues.map((queue) => (queue.workflowBundle ? { ...queue, workerDeploymentOptions } : queue));
  return { buildId: version.buildId, queues: versioned };
}
