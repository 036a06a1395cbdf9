import { describe, expect, test } from '@jest/globals';
import { StopRequest } from '@nereid/subprocess';
import { ActivityCancellationDetails } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { withSteps, type StoppedBy } from './step.ts';

const lapsed = new ActivityCancellationDetails({ notFound: true });
const asked = new ActivityCancellationDetails({ cancelRequested: true });
const shutdown = new ActivityCancellationDetails({ workerShutdown: true });

describe('an apply', () => {
  test.each([
    ['a lapsed heartbeat', lapsed],
    ['a timeout', new ActivityCancellationDetails({ timedOut: true })],
    ['a pause', new ActivityCancellationDetails({ paused: true })],
    ['a reset', new ActivityCancellationDetails({ reset: true })],
  ])('is not stopped by %s', async (_, details) => {
    expect(await stopCause('asked', details)).toBeUndefined();
  });

  test('is stopped by a person who cancels', async () => {
    expect(await stopCause('asked', asked)).toBe('cancelled');
  });

  test('is stopped by the shutdown of its host', async () => {
    expect(await stopCause('asked', shutdown)).toBe('host-shutting-down');
  });
});

describe('a plan', () => {
  test('is stopped by a lapsed heartbeat: nobody will read it', async () => {
    expect(await stopCause('everything', lapsed)).toBe('cancelled');
  });

  test('that is stopped by the shutdown of its host says so', async () => {
    expect(await stopCause('everything', shutdown)).toBe('host-shutting-down');
  });
});

test('a heartbeat names the step, at once', async () => {
  const environment = new MockActivityEnvironment();
  const heartbeats: unknown[] = [];
  environment.on('heartbeat', (details) => heartbeats.push(details));

  await environment.run(() =>
    withSteps('asked', (steps) => {
      steps.at('init');
      return Promise.resolve();
    }),
  );

  expect(heartbeats).toEqual([{ step: 'init' }]);
});

/** Why the work of an activity is stopped that is cancelled so; undefined when it goes on. */
async function stopCause(stoppedBy: StoppedBy, details: ActivityCancellationDetails): Promise<string | undefined> {
  const environment = new MockActivityEnvironment();
  const reason: unknown = await environment.run(() =>
    withSteps(stoppedBy, ({ signal }) => {
      environment.cancel('CANCELLED', details);
      return Promise.resolve(signal.reason as unknown); // The platform's type is any.
    }),
  );
  return reason instanceof StopRequest ? reason.stopCause : undefined;
}
