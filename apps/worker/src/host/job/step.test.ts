import { describe, expect, test } from '@jest/globals';
import { StopRequest } from '@nereid/subprocess';
import { ActivityCancellationDetails } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { isAnswerAwaited, withSteps, type StoppedBy, type Steps } from './step.ts';

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

  test('is stopped by the shutdown of its host also after a cancellation that did not stop it', async () => {
    const hostShutdown = new AbortController();
    const environment = new MockActivityEnvironment();
    const causes: unknown[] = [];

    await environment.run(() =>
      withSteps('asked', hostShutdown.signal, async ({ signal }) => {
        signal.addEventListener('abort', () => causes.push(causeOf(signal)));
        environment.cancel('NOT_FOUND', lapsed);
        causes.push('goes on');
        hostShutdown.abort(new StopRequest('host-shutting-down'));
      }),
    );

    expect(causes).toEqual(['goes on', 'host-shutting-down']);
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

test('each step that is over is told with its time, also the last one', async () => {
  const told: string[] = [];
  const onStep = (step: string, durationMs: number) => told.push(`${step} ${durationMs >= 0}`);
  const work = async (steps: Steps) => {
    steps.at('init');
    steps.at('plan');
  };

  await new MockActivityEnvironment().run(() => withSteps('everything', never, work, { onStep }));

  expect(told).toEqual(['starting true', 'init true', 'plan true']);
});

test('a heartbeat names the step, at once', async () => {
  const environment = new MockActivityEnvironment();
  const heartbeats: unknown[] = [];
  environment.on('heartbeat', (details) => heartbeats.push(details));

  await environment.run(() =>
    withSteps('asked', never, async (steps) => {
      steps.at('init');
    }),
  );

  expect(heartbeats).toEqual([{ step: 'init' }]);
});

describe('the answer of an activity', () => {
  test('is awaited', async () => {
    expect(await new MockActivityEnvironment().run(async () => isAnswerAwaited())).toBe(true);
  });

  test.each([
    ['a person cancelled it', asked, true],
    ['its host shuts down', shutdown, true],
    ['its heartbeat lapsed', lapsed, false],
    ['it took too long', new ActivityCancellationDetails({ notFound: true, timedOut: true }), false],
  ])('is awaited, or not, after %s', async (_, details, isAwaited) => {
    const environment = new MockActivityEnvironment();
    environment.cancel('CANCELLED', details);

    expect(await environment.run(async () => isAnswerAwaited())).toBe(isAwaited);
  });
});

const never = new AbortController().signal;

/** Why the work of an activity is stopped that is cancelled so; undefined when it goes on. */
async function stopCause(stoppedBy: StoppedBy, details: ActivityCancellationDetails): Promise<string | undefined> {
  const environment = new MockActivityEnvironment();
  return environment.run(() =>
    withSteps(stoppedBy, never, async ({ signal }) => {
      environment.cancel('CANCELLED', details);
      return causeOf(signal);
    }),
  );
}

function causeOf({ reason }: AbortSignal): string | undefined {
  return reason instanceof StopRequest ? reason.stopCause : undefined;
}
