/** Asks workflows. When Temporal or the workers are away, the answer says so; nothing is thrown. */
import type { LaneName } from '@nereid/domain/console';
import type { Progress } from '@nereid/domain/deployment';
import { laneWorkflowId, type LaneView } from '@nereid/domain/lane';
import { MESSAGE } from '@nereid/domain/temporal-names';
import { QueryRejectedError, WorkflowNotFoundError, type Client, type ClientOptions } from '@temporalio/client';
import type { Logger } from 'pino';
import { DEADLINE_MS, type Asked } from './asked.ts';

/** `absent` when the lane does not run, or has not read its record yet; the record then has the lane's state. */
export type AskLane = (lane: LaneName) => Promise<Asked<LaneView>>;

/** A deployment's progress, even after its end; `absent` when its workflow has not begun or Temporal has forgotten it. */
export type AskProgress = (deploymentId: string) => Promise<Asked<Progress>>;

export interface AskWorkflows {
  readonly askLane: AskLane;
  readonly askProgress: AskProgress;
}

/** Makes a client of the same Temporal. */
export type ClientWith = (options: Pick<ClientOptions, 'workflow'>) => Client;

/** `deadlineMs` is for tests. */
export function createAskWorkflows(
  clientWith: ClientWith,
  logger: Pick<Logger, 'warn'>,
  deadlineMs = DEADLINE_MS,
): AskWorkflows {
  const anyRun = clientWith({});
  // A lane workflow that has ended may answer with something older than the lane's record.
  const openRun = clientWith({ workflow: { queryRejectCondition: 'NOT_OPEN' } });

  async function ask<T>(client: Client, workflowId: string, query: string): Promise<Asked<T>> {
    const question = () => client.workflow.getHandle(workflowId).query<T>(query);
    try {
      return { kind: 'found', value: await client.withDeadline(Date.now() + deadlineMs, question) };
    } catch (error) {
      if (isNobodyThere(error)) return { kind: 'absent' };
      // What is followed is asked for every two seconds, so log a sentence, not a stack trace.
      logger.warn({ reason: reasonOf(error), workflow: workflowId, query }, 'a workflow does not answer');
      return { kind: 'unavailable' };
    }
  }

  return {
    askLane: async (lane) => {
      const asked = await ask<LaneView>(openRun, laneWorkflowId(lane, lane.rootName), MESSAGE.lane);
      return asked.kind === 'found' && !asked.value.isRestored ? { kind: 'absent' } : asked;
    },
    askProgress: (deploymentId) => ask<Progress>(anyRun, deploymentId, MESSAGE.progress),
  };
}

function isNobodyThere(error: unknown): boolean {
  return error instanceof WorkflowNotFoundError || error instanceof QueryRejectedError;
}

/** The client's error says what was tried; its cause, from Temporal, says why that failed. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return cause instanceof Error ? cause.message : String(cause);
}
