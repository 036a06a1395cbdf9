/**
 * Activities that a worker was running when it died. The next worker on its folder tells Temporal before it takes tasks, so
 * that their workflows go on at once. Otherwise each of them would wait up to a minute for heartbeats that do not come.
 */
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import type { Client } from '@temporalio/client';
import { ActivityNotFoundError } from '@temporalio/client';
import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { WORKER_LOST } from '@nereid/domain/temporal-names';
import { openRunningActivities, type RunningActivities } from './running-activities.ts';

export interface LostActivities {
  /** For the options of a worker: remembers its running activities on disk. */
  readonly interceptors: { readonly activity: ActivityInterceptorsFactory[] };
  /**
   * Fails the activities of the previous worker, retryably. If Temporal does not hear of one, its heartbeat times out. Call it
   * before this worker takes tasks.
   */
  report(): Promise<void>;
  close(): void;
}

export interface LostActivitiesOptions {
  /** No other worker may use it. */
  readonly dataDir: string;
  readonly temporal: Pick<Client, 'activity' | 'withDeadline'>;
  readonly logger: Logger;
}

/** For all activities together: a starting worker must not wait for long. */
const REPORT_MS = 10_000;

export function openLostActivities(options: LostActivitiesOptions): LostActivities {
  const running = openRunningActivities(join(options.dataDir, 'running-activities'));
  return {
    interceptors: { activity: [() => ({ inbound: { execute: remembering(running, options.logger) } })] },
    async report() {
      // A worker that is lost before it has reported them all leaves them to the next one.
      await reportAll(running.read(), options);
      running.clear();
    },
    close: () => {
      running.close();
    },
  };
}

type Execute = NonNullable<NonNullable<ReturnType<ActivityInterceptorsFactory>['inbound']>['execute']>;

/** Local activities are left out: Temporal repeats them with their workflow task. */
function remembering(running: RunningActivities, logger: Logger): Execute {
  return async (input, next) => {
    const { info } = Context.current();
    if (info.isLocal) return next(input);
    const slot = unlessDiskFails(logger, () => running.add(info.taskToken));
    try {
      return await next(input);
    } finally {
      if (slot !== undefined) {
        unlessDiskFails(logger, () => {
          running.remove(slot);
        });
      }
    }
  };
}

/**
 * A disk that fails is no failure of the activity, which may be the one that frees it. If the worker dies, Temporal waits for
 * a heartbeat of an activity that is not noted, and does not know one that has ended.
 */
function unlessDiskFails<T>(logger: Logger, note: () => T): T | undefined {
  try {
    return note();
  } catch (error) {
    logger.warn({ err: error }, 'a running activity could not be noted on disk');
    return undefined;
  }
}

async function reportAll(tokens: readonly Uint8Array[], { temporal, logger }: LostActivitiesOptions): Promise<void> {
  if (tokens.length === 0) return;
  const reported = await temporal.withDeadline(Date.now() + REPORT_MS, () =>
    Promise.allSettled(tokens.map((token) => reportOne(token, temporal))),
  );
  const failed = reported.filter(({ status }) => status === 'rejected').length;
  logger.warn({ activities: tokens.length, failed }, 'the previous worker was lost while it ran activities');
}

async function reportOne(token: Uint8Array, temporal: LostActivitiesOptions['temporal']): Promise<void> {
  try {
    await temporal.activity.fail(token, ApplicationFailure.retryable('the worker was lost', WORKER_LOST));
  } catch (error) {
    // It has timed out already.
    if (!(error instanceof ActivityNotFoundError)) throw error;
  }
}
