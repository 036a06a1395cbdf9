/** Asks Temporal what a workflow waits for: its activities that run, or that failed and are tried again. */
import { failureMessage } from '@nereid/process';
import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import type { Logger } from 'pino';
import { DEADLINE_MS } from './asked.ts';

export interface PendingActivity {
  /** Like `plan`. */
  readonly activity: string;
  /** The first is 1. */
  readonly attempt: number;
  /** False while it waits for its next attempt, or for a worker. */
  readonly isRunning: boolean;
  /** While it waits for that. ISO 8601. */
  readonly nextAttemptAt?: string;
  /** What the last attempt ended with, up to `FAILURE_LIMIT` characters. */
  readonly lastFailure?: string;
}

/** Of a deployment. None when its workflow does not run, or when Temporal does not answer; nothing is thrown. */
export type AskPending = (deploymentId: string) => Promise<readonly PendingActivity[]>;

export const FAILURE_LIMIT = 1_000;

/** A deployment has one or two. */
const LIMIT = 10;

type Description = Awaited<ReturnType<ReturnType<Client['workflow']['getHandle']>['describe']>>;
type Raw = NonNullable<Description['raw']['pendingActivities']>[number];

export function createAskPending(client: Client, logger: Pick<Logger, 'warn'>): AskPending {
  const { options, workflow } = client;

  async function pendingOf({
    activityType,
    attempt,
    state,
    scheduledTime,
    lastFailure,
  }: Raw): Promise<PendingActivity> {
    const isRunning = Number(state) !== SCHEDULED;
    const waitsAgain = !isRunning && (attempt ?? 1) > 1 && scheduledTime?.seconds;
    const failure = lastFailure && (await failureMessage(options, lastFailure));
    return {
      activity: activityType?.name ?? '',
      attempt: attempt ?? 1,
      isRunning,
      ...(waitsAgain && { nextAttemptAt: new Date(Number(waitsAgain) * 1_000).toISOString() }),
      ...(failure && { lastFailure: failure.slice(0, FAILURE_LIMIT) }),
    };
  }

  return async (deploymentId) => {
    try {
      const describe = () => workflow.getHandle(deploymentId).describe();
      const { raw } = await client.withDeadline(Date.now() + DEADLINE_MS, describe);
      return await Promise.all((raw.pendingActivities ?? []).slice(0, LIMIT).map(pendingOf));
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError))
        logger.warn({ err: error, workflow: deploymentId }, 'Temporal does not describe a workflow');
      return [];
    }
  };
}

/** `PENDING_ACTIVITY_STATE_SCHEDULED`. */
const SCHEDULED = 1;
