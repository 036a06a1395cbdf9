import { describe, expect, test } from '@jest/globals';
import {
  ApplicationFailure,
  CancelledFailure,
  DefaultFailureConverter,
  defaultPayloadConverter,
} from '@temporalio/common';
import { toFailure, withFailures } from './failures.ts';

describe('what an activity throws', () => {
  test('becomes a failure whose type is the code of the error', async () => {
    const error = withCode('the storage is away', 'STORAGE_UNAVAILABLE');

    const failure = await failureOf(error);

    expect(failure).toMatchObject({ message: error.message, type: 'STORAGE_UNAVAILABLE', nonRetryable: false });
    expect(failure).toHaveProperty('stack', error.stack?.slice(0, 500));
  });

  test('is small enough for Temporal, however long its messages and however many its causes', async () => {
    let error = new Error('x'.repeat(10_000));
    for (let causes = 0; causes < 20; causes += 1) error = new Error('x'.repeat(10_000), { cause: error });

    const failure = await failureOf(error);

    const sent = new DefaultFailureConverter().errorToFailure(failure, defaultPayloadConverter);
    expect(JSON.stringify(sent).length).toBeLessThan(4_000);
  });

  test('tells the messages of its causes, however long their stacks are', async () => {
    const withLongStack = (message: string, cause?: Error) =>
      Object.assign(new Error(message, { cause }), { stack: `Error: ${message}\n${'    at call\n'.repeat(500)}` });
    const refused = withLongStack('14 UNAVAILABLE: connection refused');

    const failure = await failureOf(withLongStack('Failed to signal', withLongStack('no answer', refused)));

    const sent = JSON.stringify(new DefaultFailureConverter().errorToFailure(failure, defaultPayloadConverter));
    for (const message of ['Failed to signal', 'no answer', refused.message]) expect(sent).toContain(message);
    expect(sent.length).toBeLessThan(2_000);
  });

  test.each(['REVISION_GONE', 'BINARY_MISSING', 'RECORD_CONFLICT', 'APPLY_ALREADY_STARTED'])(
    'is not tried again where that changes nothing: %s',
    async (code) => {
      expect(await failureOf(withCode('no', code))).toMatchObject({ type: code, nonRetryable: true });
    },
  );

  test('is tried again when nobody gave it a code', async () => {
    expect(await failureOf(new Error('odd'))).toMatchObject({ message: 'odd', nonRetryable: false });
  });

  test('need not be an error', async () => {
    expect(await failureOf('odd')).toMatchObject({ message: 'odd', nonRetryable: false });
  });

  test.each([ApplicationFailure.retryable('full', 'HOST_DECLINED'), new CancelledFailure('asked to')])(
    'stays what it is when Temporal knows it: %s',
    async (known) => {
      expect(await failureOf(known)).toBe(known);
    },
  );
});

test.each([
  ['REVISION_GONE', true],
  ['STORAGE_UNAVAILABLE', false],
])('a failure takes details with it, whether it may pass or not: %s', (code, nonRetryable) => {
  expect(toFailure(withCode('no', code), 'a detail')).toMatchObject({
    type: code,
    nonRetryable,
    details: ['a detail'],
  });
});

test('an activity that answers is left alone', async () => {
  const { double } = withFailures({ double: (value: number) => Promise.resolve(2 * value) });

  expect(await double(2)).toBe(4);
});

async function failureOf(thrown: unknown): Promise<unknown> {
  const { activity } = withFailures({ activity: throwing(thrown) });
  try {
    return await activity();
  } catch (error) {
    return error;
  }
}

/** Also what is no error: a library may throw anything. */
function throwing(thrown: unknown): () => Promise<never> {
  return () => {
    throw thrown;
  };
}

function withCode(message: string, code: string): Error {
  return Object.assign(new Error(message), { code });
}
