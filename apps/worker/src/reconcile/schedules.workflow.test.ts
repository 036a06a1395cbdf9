import { expect, test } from '@jest/globals';
import { RECONCILE_SCHEDULE, RETENTION_SCHEDULE, WATCH_SCHEDULE } from '@nereid/domain/temporal-names';
import { environmentOfThisFile } from '@nereid/test-kit/environment-of-this-file';
import { ScheduleOverlapPolicy } from '@temporalio/client';
import { ensureSchedules } from './schedules.ts';

const MARKS = { own: 'ours', known: ['ours'] };

const environment = environmentOfThisFile();

const describeSchedule = (id: string) => environment.client.schedule.getHandle(id).describe();

test('the reconciler comes every ten minutes, the watch every minute, retention every day, each once at a time', async () => {
  await ensureSchedules(environment.client, MARKS);

  const everyMs = (id: string) => describeSchedule(id).then(({ spec }) => spec.intervals?.[0]?.every);
  expect(await everyMs(RECONCILE_SCHEDULE)).toBe(600_000);
  expect(await everyMs(WATCH_SCHEDULE)).toBe(60_000);
  expect(await everyMs(RETENTION_SCHEDULE)).toBe(86_400_000);
  for (const id of [RECONCILE_SCHEDULE, WATCH_SCHEDULE, RETENTION_SCHEDULE]) {
    expect((await describeSchedule(id)).policies.overlap).toBe(ScheduleOverlapPolicy.SKIP);
  }
});

test('a schedule that an operator paused stays paused, and the other one is created again', async () => {
  await ensureSchedules(environment.client, MARKS);
  await environment.client.schedule.getHandle(RECONCILE_SCHEDULE).pause('maintenance');
  await environment.client.schedule.getHandle(WATCH_SCHEDULE).delete();

  await ensureSchedules(environment.client, MARKS);

  expect((await describeSchedule(RECONCILE_SCHEDULE)).state.paused).toBe(true);
  expect((await describeSchedule(WATCH_SCHEDULE)).state.paused).toBe(false);
});
