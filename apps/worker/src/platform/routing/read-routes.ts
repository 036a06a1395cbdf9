/** What Temporal knows of the versions of control workers. */
import { CONTROL_QUEUE } from '@nereid/domain/temporal-names';
import { isGrpcServiceError, type Client } from '@temporalio/client';
import { tsToMs } from '@temporalio/common/lib/time.js';
import { WORKER_DEPLOYMENT } from './workflow-version.ts';
import type { Routes } from './choose-route.ts';

/** Of gRPC. */
const CODE = {
  invalidArgument: 3,
  notFound: 5,
  permissionDenied: 7,
  failedPrecondition: 9,
  unimplemented: 12,
} as const;

/** A server that is too old, or told not to have it, answers so. */
const NONE: readonly number[] = [
  CODE.invalidArgument,
  CODE.permissionDenied,
  CODE.failedPrecondition,
  CODE.unimplemented,
];

type Temporal = Pick<Client, 'workflow'>;

export interface KnownRoutes extends Routes {
  /** Proof that nobody has changed anything since. */
  readonly conflictToken: Uint8Array;
  /** The build ids of all versions; one is among them soon after its first worker has asked for work. */
  readonly known: readonly string[];
}

/** Whether the server has Worker Deployment Versioning. Throws when it does not answer. */
export async function hasVersions(temporal: Temporal): Promise<boolean> {
  try {
    await describe(temporal);
    return true;
  } catch (error) {
    const code = codeOf(error);
    if (code === CODE.notFound) return true;
    if (code !== undefined && NONE.includes(code)) return false;
    throw error;
  }
}

/** Undefined while no worker with a version has asked for work. */
export async function readRoutes(temporal: Temporal): Promise<KnownRoutes | undefined> {
  try {
    const { workerDeploymentInfo: info, conflictToken } = await describe(temporal);
    const current = info?.routingConfig?.currentDeploymentVersion?.buildId ?? undefined;
    const everCurrent = (info?.versionSummaries ?? []).flatMap(
      ({ deploymentVersion, lastCurrentTime, currentSinceTime }) =>
        (lastCurrentTime ?? currentSinceTime) && deploymentVersion?.buildId ? [deploymentVersion.buildId] : [],
    );
    const known = (info?.versionSummaries ?? []).map(({ deploymentVersion }) => deploymentVersion?.buildId ?? '');
    const currentSeenAt = current === undefined ? undefined : await lastSeen(temporal, current);
    return { current, everCurrent, currentSeenAt, conflictToken, known };
  } catch (error) {
    if (codeOf(error) === CODE.notFound) return undefined;
    throw error;
  }
}

/** Throws when somebody was faster. */
export async function routeTo(
  { workflow }: Temporal,
  buildId: string,
  { conflictToken }: Pick<KnownRoutes, 'conflictToken'>,
): Promise<void> {
  const { namespace, identity } = workflow.options;
  await workflow.workflowService.setWorkerDeploymentCurrentVersion({
    ...{ namespace, identity, deploymentName: WORKER_DEPLOYMENT, buildId, conflictToken },
    // One queue has versions, and every version asks for its tasks. Anybody who reaches Temporal can add queues to the current
    // version, and fill them: later versions do not have to ask for those.
    ignoreMissingTaskQueues: true,
  });
}

function describe({ workflow }: Temporal) {
  const { namespace } = workflow.options;
  return workflow.workflowService.describeWorkerDeployment({ namespace, deploymentName: WORKER_DEPLOYMENT });
}

/** Of workers that ask for workflows, as without a type. */
async function lastSeen({ workflow }: Temporal, buildId: string): Promise<number | undefined> {
  const { namespace } = workflow.options;
  const { pollers } = await workflow.workflowService.describeTaskQueue({
    ...{ namespace, taskQueue: { name: CONTROL_QUEUE } },
  });
  const times = pollers.flatMap(({ deploymentOptions, lastAccessTime }) =>
    deploymentOptions?.buildId === buildId && lastAccessTime ? [tsToMs(lastAccessTime)] : [],
  );
  return times.length === 0 ? undefined : Math.max(...times);
}

function codeOf(error: unknown): number | undefined {
  return isGrpcServiceError(error) ? error.code : undefined;
}
