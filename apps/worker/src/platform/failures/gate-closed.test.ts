import { expect, test } from '@jest/globals';
import { NO_CHANGES } from '@nereid/domain/plan';
import { aLock, deploymentAt } from '@nereid/domain/testing';
import { toFailure } from './failures.ts';
import { requireOpenGate } from './gate-closed.ts';

const plan = { hasChanges: true, digest: 'a1', summary: NO_CHANGES };

test.each([
  [
    'the turn ends the deployment',
    true,
    () => requireOpenGate('turn', { deployment: deploymentAt(1), lock: aLock('failed') }),
  ],
  ['the order is asked again', false, () => requireOpenGate('order', { kind: 'waiting', sentence: 'waits for dns' })],
  [
    'the order of what failed ends it',
    true,
    () => requireOpenGate('order', { kind: 'failed', sentence: 'dns failed' }),
  ],
  [
    'a window keeps it waiting',
    true,
    () => requireOpenGate('window', { closed: { because: 'change freeze “Year end”' } }),
  ],
  ['a policy ends it', true, () => requireOpenGate('policy', { plan, overrides: undefined, unjudged: 'not judged' })],
  [
    'a review ends it',
    true,
    () => requireOpenGate('review', { isRequired: true, answer: undefined, rules: undefined }),
  ],
])('of the gates that are closed when an apply is to begin, %s', (_what, nonRetryable, ask) => {
  expect(failureOf(ask)).toMatchObject({ nonRetryable });
});

function failureOf(ask: () => void): unknown {
  try {
    ask();
    return undefined;
  } catch (error) {
    return toFailure(error);
  }
}
