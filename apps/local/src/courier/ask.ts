/** A workflow of somebody else's: it has any activity run, on any queue, with any arguments. */
import { ActivityFailure, ApplicationFailure, proxyActivities } from '@temporalio/workflow';

type Activities = Readonly<Record<string, (...args: readonly unknown[]) => Promise<unknown>>>;

/** Returns what the activity returned, or the type and the message of its failure. */
export async function ask(taskQueue: string, activity: string, args: readonly unknown[]): Promise<unknown> {
  const activities = proxyActivities<Activities>({
    taskQueue,
    startToCloseTimeout: '1m',
    retry: { maximumAttempts: 1 },
  });
  try {
    return await activities[activity]?.(...args);
  } catch (error) {
    if (!(error instanceof ActivityFailure && error.cause instanceof ApplicationFailure)) throw error;
    return { type: error.cause.type, message: error.cause.message };
  }
}
