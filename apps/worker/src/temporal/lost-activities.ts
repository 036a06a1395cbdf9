/**
 * Activities that a worker was running when it died. The next worker on its folder tells Temporal before it takes tasks, so
 * that their workflows go on at once. Otherwise each of them would wait up to a minute for heartbeats that do not come.
 */
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import type { Client } from '@temporalio/client';
import { ActivityNotFoundError } from '@temporalio/client';
import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { WORKER_LOST } from '@nereid/contracts';

export interface LostActivities {
  /** For the options of a worker: remembers its running activities on disk. */
  readonly interceptors: { readonly activity: ActivityInterceptorsFactory[] };
  /** Fails the activities of the previous worker, retryably. If Temporal does not hear of one, its heartbeat times out. */
  tell(): Promise<void>;
}

export interface LostActivitiesOptions {
  /** No other worker may use it. */
  readonly dataDir: string;
  readonly temporal: Pick<Client, 'activity' | 'withDeadline'>;
  readonly logger: Logger;
}

/** For all activities together: a starting worker must not wait for long. */
const TELL_MS = 10_000;

export async function openLostActivities(options: LostActivitiesOptions): Promise<LostActivities> {
  const folder = join(options.dataDir, 'activities');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return {
    interceptors: { activity: [() => ({ inbound: { execute: remembering(folder) } })] },
    tell: () => tellAll(folder, options),
  };
}

type Execute = NonNullable<NonNullable<ReturnType<ActivityInterceptorsFactory>['inbound']>['execute']>;

/** Local activities are left out: Temporal repeats them with their workflow task. */
function remembering(folder: string): Execute {
  return async (input, next) => {
    const { info } = Context.current();
    if (info.isLocal) return await next(input);
    const file = join(folder, randomUUID());
    await writeFile(file, info.taskToken, { mode: 0o600 });
    try {
      return await next(input);
    } finally {
      await rm(file, { force: true });
    }
  };
}

async function tellAll(folder: string, { temporal, logger }: LostActivitiesOptions): Promise<void> {
  const files = (await readdir(folder)).map((name) => join(folder, name));
  if (files.length === 0) return;
  const told = await temporal.withDeadline(Date.now() + TELL_MS, () =>
    Promise.allSettled(files.map((file) => tellOne(file, temporal))),
  );
  const untold = told.filter(({ status }) => status === 'rejected').length;
  logger.warn({ activities: files.length, untold }, 'the previous worker was lost while it ran activities');
}

async function tellOne(file: string, temporal: LostActivitiesOptions['temporal']): Promise<void> {
  const token = await readFile(file);
  try {
    await temporal.activity.fail(token, ApplicationFailure.retryable('the worker was lost', WORKER_LOST));
  } catch (error) {
    // It has timed out already.
    if (!(error instanceof ActivityNotFoundError)) throw error;
  } finally {
    await rm(file, { force: true });
  }
}
