/** What running workflows answer. Temporal or the workers being away is an answer, not a failure. */
import { laneWorkflowId, MESSAGE, type LaneView, type Progress } from '@nereid/contracts';
import type { LaneName } from '@nereid/github';
import {
  Client,
  QueryNotRegisteredError,
  QueryRejectedError,
  WorkflowNotFoundError,
  type ClientOptions,
} from '@temporalio/client';
import type { Logger } from 'pino';
import { DEADLINE_MS, type Asked } from './asked.ts';

/** `absent`: the lane does not run, or has not read its record yet; then the record says how it stands. */
export type AskLane = (lane: LaneName) => Promise<Asked<LaneView>>;

/** How far a deployment has come, also after it ended; `absent`: its workflow has not begun, or Temporal has forgotten it. */
export type AskProgress = (deploymentId: string) => Promise<Asked<Progress>>;

export interface AskWorkflows {
  readonly askLane: AskLane;
  readonly askProgress: AskProgress;
}

/** `deadlineMs` is for tests. */
export function createAskWorkflows(
  options: Pick<ClientOptions, 'connection' | 'namespace'>,
  logger: Pick<Logger, 'warn'>,
  deadlineMs = DEADLINE_MS,
): AskWorkflows {
  const anyRun = new Client(options);
  // What a lane that ended would answer may be older than its record.
  const openRun = new Client({ ...options, workflow: { queryRejectCondition: 'NOT_OPEN' } });

  async function ask<T>(client: Client, workflowId: string, query: string): Promise<Asked<T>> {
    const question = () => client.workflow.getHandle(workflowId).query<T>(query);
    try {
      return { kind: 'found', value: await client.withDeadline(Date.now() + deadlineMs, question) };
    } catch (error) {
      if (isNobodyThere(error)) return { kind: 'absent' };
      // Every open page asks every two seconds: a sentence, not a stack.
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
  return (
    error instanceof WorkflowNotFoundError ||
    error instanceof QueryRejectedError ||
    error instanceof QueryNotRegisteredError
  );
}

/** The client says what it did, and Temporal why it failed. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return cause instanceof Error ? cause.message : String(cause);
}
