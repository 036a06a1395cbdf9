import { describe, expect, test } from '@jest/globals';
import { cancel } from './cancel.ts';
import { find, newLane, type LaneState } from '../state/lane-state.ts';
import { endWith, pop } from '../state/running.ts';
import { receive } from './receive.ts';
import { judgedAnswer } from '../queue/judged.ts';
import { inOrder } from '../queue/queue.ts';
import { aCancel, aRequest, NOW } from '../../../testing.ts';

const LATER = '2026-01-31T15:00:00.000Z';

const two = receive(receive(newLane, aRequest(1), 'one', NOW), aRequest(2), 'two', NOW);
const running = pop(two, NOW);
const cancelling = (deploymentId: string) => aCancel({ deploymentId });

const answered = ({ judged }: LaneState) => judgedAnswer(judged, 'cancel-1');

describe('a deployment that waits', () => {
  test('leaves the queue as cancelled, and says by whom', () => {
    const state = cancel(running, cancelling('two'), LATER);

    expect(answered(state)).toEqual({ kind: 'cancelled' });
    expect(inOrder(state.queue)).toEqual([]);
    expect(find(state, 'two')).toMatchObject({
      progress: { status: 'cancelled', reason: 'Cancelled by @carol' },
      cancellation: cancelling('two'),
    });
    expect(state.running).toBe(running.running);
  });

  test('gets the same answer again, and nothing else ends', () => {
    const state = cancel(running, cancelling('two'), LATER);

    expect(cancel(state, cancelling('two'), LATER)).toBe(state);
  });

  test('is cancelled for whoever asks next, too, and stays with the first', () => {
    const state = cancel(running, cancelling('two'), LATER);

    const again = cancel(state, aCancel({ deploymentId: 'two', requestId: 'cancel-2', by: 'dave' }), LATER);

    expect(judgedAnswer(again.judged, 'cancel-2')).toEqual({ kind: 'cancelled' });
    expect(find(again, 'two')?.cancellation?.body.by).toBe('carol');
  });
});

describe('a deployment that runs', () => {
  const asked = cancel(running, cancelling('one'), LATER);

  test('is asked to end, runs on until it has, and says by whom', () => {
    expect(answered(asked)).toEqual({ kind: 'cancelling' });
    expect(asked.running).toMatchObject({ id: 'one', cancellation: cancelling('one') });
    expect(asked.notices['one']?.sentence).toContain('@carol');
  });

  test('keeps the first who asked', () => {
    const again = cancel(asked, aCancel({ deploymentId: 'one', requestId: 'cancel-2', by: 'dave' }), LATER);

    expect(judgedAnswer(again.judged, 'cancel-2')).toEqual({ kind: 'cancelling' });
    expect(again.running).toBe(asked.running);
  });
});

test('whoever asks is kept with the id that GitHub told', () => {
  const byId = 7;

  const waited = cancel(running, aCancel({ deploymentId: 'two', byId }), LATER);
  const ran = cancel(running, aCancel({ deploymentId: 'one', byId }), LATER);

  expect(find(waited, 'two')?.cancellation?.body).toMatchObject({ by: 'carol', byId });
  expect(ran.running?.cancellation?.body).toMatchObject({ by: 'carol', byId });
});

describe('nothing changes', () => {
  const ended = endWith(running, 'skipped', 'why', LATER);

  test('when it has come to another end', () => {
    const state = cancel(ended, cancelling('one'), LATER);

    expect(answered(state)).toEqual({ kind: 'refused', sentence: 'it has ended already: skipped' });
    expect({ ...state, judged: ended.judged }).toEqual(ended);
  });

  test('when the lane does not know it', () => {
    const state = cancel(running, cancelling('three'), LATER);

    expect(answered(state)).toEqual({ kind: 'refused', sentence: 'this lane does not know the deployment' });
    expect({ ...state, judged: running.judged }).toEqual(running);
  });
});
