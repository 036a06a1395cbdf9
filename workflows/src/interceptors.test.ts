import { beforeEach, describe, expect, test } from '@jest/globals';
import type { ActivateInput } from '@temporalio/workflow';
import { EarlyEventsError, refuseEarlyEvents } from './interceptors.ts';

type Activation = ActivateInput['activation'];

const SIGNAL = { signalWorkflow: { signalName: 'new-revision' } };
const QUERY = { queryWorkflow: { queryType: 'lane' } };
const NOW = { nanos: 5 };

let activate: (activation: Activation) => string;

beforeEach(() => {
  const interceptor = refuseEarlyEvents();
  activate = (activation) => {
    let outcome = 'refused';
    try {
      interceptor.activate?.({ activation, batchIndex: 0 }, () => {
        outcome = 'taken';
      });
    } catch (error) {
      if (!(error instanceof EarlyEventsError)) throw error;
    }
    return outcome;
  };
  activate({ historyLength: 30, timestamp: NOW, jobs: [SIGNAL] });
});

test('events that come without the time of a task of their own are refused, however often they come', () => {
  const early = { historyLength: 33, timestamp: NOW, jobs: [SIGNAL] };

  expect([activate(early), activate(early)]).toEqual(['refused', 'refused']);
});

describe('nothing else is refused:', () => {
  test.each<[string, Activation]>([
    ['a task of its own', { historyLength: 33, timestamp: { nanos: 6 }, jobs: [SIGNAL] }],
    ['more of the same task', { historyLength: 30, timestamp: NOW, jobs: [SIGNAL] }],
    ['a query', { historyLength: 33, timestamp: NOW, jobs: [QUERY] }],
    ['what happened before', { historyLength: 33, timestamp: NOW, jobs: [SIGNAL], isReplaying: true }],
  ])('%s is not refused', (_what, activation) => {
    expect(activate(activation)).toBe('taken');
  });
});
