import { expect, test } from '@jest/globals';
import { ActivityFailure, ApplicationFailure, TimeoutFailure } from '@temporalio/common';
import { messageOf } from './restore.ts';

const asActivity = (cause: Error) =>
  new ActivityFailure('Activity task failed', 'restoreLane', '1', 'TIMEOUT', 'worker', cause);

const broken = ApplicationFailure.create({ message: 'the record lane.json is broken', cause: new Error('no JSON') });

test.each<[string, Error]>([
  ['that ran out of time between two looks', broken],
  [
    'that ran out of time in the middle of a look',
    new TimeoutFailure('ScheduleToClose', undefined, 'SCHEDULE_TO_CLOSE'),
  ],
])('of an activity %s, what is said is what names the record', (_when, cause) => {
  if (cause instanceof TimeoutFailure) Object.assign(cause, { cause: broken });

  expect(messageOf(asActivity(cause))).toBe('the record lane.json is broken');
});

test('of an activity that nobody took, what is said is that', () => {
  expect(messageOf(asActivity(new TimeoutFailure('activity timeout', undefined, 'SCHEDULE_TO_CLOSE')))).toBe(
    'activity timeout',
  );
});

test('what is said has an end', () => {
  expect(messageOf(asActivity(ApplicationFailure.create({ message: 'x'.repeat(9_000) })))).toHaveLength(1_000);
});
