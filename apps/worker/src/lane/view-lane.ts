/** The state of a lane, from its workflow if that runs, else from its record. */
import type { Deployment, Progress } from '@nereid/domain/deployment';
import { laneWorkflowId, type LaneView, viewOfRecord } from '@nereid/domain/lane';
import type { Repository } from '@nereid/domain/root';
import { MESSAGE } from '@nereid/domain/temporal-names';
import { createTemporalClient } from '@nereid/process';
import { QueryRejectedError, WorkflowNotFoundError, type Client, type WorkflowClient } from '@temporalio/client';
import type { WorkerContext } from '../platform/context.ts';
import { MESSAGE_MS } from './start-lane.ts';

/**
 * The lane as it is at this moment, or as it will start again; undefined when this root was never deployed. If a lane runs but
 * does not answer, because it is stuck or its workers are busy, its record is used. Throws the errors of reading the record.
 */
export async function viewLane(
  context: Pick<WorkerContext, 'temporal' | 'laneRecords' | 'logger'>,
  repository: Pick<Repository, 'owner' | 'name'>,
  rootName: string,
): Promise<LaneView | undefined> {
  return (await queryLane(context, repository, rootName)) ?? (await readView(context, repository, rootName));
}

/** The deployment with the progress that its own workflow reports, or unchanged if that does not answer. */
export async function withProgress(
  context: Pick<WorkerContext, 'temporal' | 'logger'>,
  deployment: Deployment,
): Promise<Deployment> {
  const asked = await askProgress(context, deployment);
  return asked.kind === 'answered' ? asked.deployment : deployment;
}

/** `gone`: it has no workflow, or none any more. `silent`: nobody answers for it. */
export type AskedProgress =
  { readonly kind: 'answered'; readonly deployment: Deployment } | { readonly kind: 'gone' | 'silent' };

export async function askProgress(
  { temporal, logger }: Pick<WorkerContext, 'temporal' | 'logger'>,
  deployment: Deployment,
): Promise<AskedProgress> {
  const handle = temporal.workflow.getHandle(deployment.id);
  try {
    const progress = await temporal.withDeadline(Date.now() + MESSAGE_MS, () =>
      handle.query<Progress>(MESSAGE.progress),
    );
    const times = { ...deployment.progress.times, ...progress.times };
    return { kind: 'answered', deployment: { ...deployment, progress: { ...progress, times } } };
  } catch (error) {
    if (isOver(error)) return { kind: 'gone' };
    logger.warn({ err: error, deployment: deployment.id }, 'a deployment does not report its progress');
    return { kind: 'silent' };
  }
}

/** Undefined when the lane does not run: its record is true then, and the answer of its last run might be older. */
async function queryLane(
  { temporal, logger }: Pick<WorkerContext, 'temporal' | 'logger'>,
  repository: Pick<Repository, 'owner' | 'name'>,
  rootName: string,
): Promise<LaneView | undefined> {
  const lane = onlyOpen(temporal).getHandle(laneWorkflowId(repository, rootName));
  try {
    const view = await temporal.withDeadline(Date.now() + MESSAGE_MS, () => lane.query<LaneView>(MESSAGE.lane));
    return view.isRestored ? view : undefined;
  } catch (error) {
    if (!isOver(error)) logger.warn({ err: error, repository, root: rootName }, 'a lane does not report its state');
    return undefined;
  }
}

/** A client that does not query workflows that have ended. */
function onlyOpen({ connection, options }: Client): WorkflowClient {
  const { namespace, dataConverter } = options;
  const rejecting = { connection, workflow: { queryRejectCondition: 'NOT_OPEN' } } as const;
  return createTemporalClient({ namespace, dataConverter }, rejecting).workflow;
}

function isOver(error: unknown): boolean {
  return error instanceof WorkflowNotFoundError || error instanceof QueryRejectedError;
}

async function readView(
  { laneRecords }: Pick<WorkerContext, 'laneRecords'>,
  repository: Pick<Repository, 'owner' | 'name'>,
  rootName: string,
): Promise<LaneView | undefined> {
  const record = (await laneRecords.read(repository, rootName))?.record;
  return record && viewOfRecord(record);
}
