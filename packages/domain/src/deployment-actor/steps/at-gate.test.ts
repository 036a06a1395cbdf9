import { describe, expect, test } from '@jest/globals';
import type { GateWait } from '../../gates/gate.ts';
import type { EffectFailure } from '../events.ts';
import { planned, plannedOn } from '../testing.ts';
import { aReview } from '../testing/deployment-in-memory.ts';
import { auto, go, NOW, play, SHOWN, type Played } from '../testing/played-deployment.ts';

const MINUTE_MS = 60_000;
const SENTENCE = 'Closed until Mon 08:00 Europe/Berlin (change freeze “Year end”)';

function closed(more: Partial<GateWait> = {}): EffectFailure {
  return {
    kind: 'refused',
    code: 'GATE_CLOSED',
    why: SENTENCE,
    closed: { gate: 'window', sentence: SENTENCE, ...more },
  };
}

/** A gate was closed when its plan, which nobody reviews, was to be applied. */
function atGate(more: Partial<GateWait> = {}): Played {
  const deployment = play({ ...auto, durations: { quietMs: 30 * 24 * 3_600_000 } });
  deployment.answers('plan', plannedOn('d1', 'h1', planned()));
  deployment.fails('begin', closed(more));
  return deployment;
}

function approved(): Played {
  const deployment = play();
  deployment.answers('plan', plannedOn('d1', 'h1', planned()));
  deployment.answers('show', SHOWN);
  deployment.happens({ kind: 'press', press: aReview() });
  return deployment;
}

const unapplied = (deployment: Played) =>
  deployment.effects.flatMap((effect) => (effect.kind === 'record-unapplied' ? effect.unapplied.audits : []));

describe('at a closed gate, a deployment', () => {
  test('says why it waits, and has no job', () => {
    const { progress } = atGate();

    expect(progress).toMatchObject({ status: 'blocked', reason: SENTENCE, waitsFor: 'gate' });
    expect(progress.jobs).not.toHaveProperty('apply');
  });

  test('asks for permission again as soon as the gate opens', () => {
    const deployment = atGate({ until: NOW + 3 * MINUTE_MS });
    expect(deployment.waitsUntil()).toBe(NOW + 3 * MINUTE_MS);

    deployment.passes(3 * MINUTE_MS);
    deployment.answers('begin', go);

    expect(deployment.progress).toMatchObject({ status: 'applying', jobs: { apply: { id: 'd1-apply-1' } } });
    expect(deployment.progress).not.toHaveProperty('reason');
    expect(deployment.progress).not.toHaveProperty('waitsFor');
  });

  test('asks within ten minutes at first, because people may open it, and once an hour in the end', () => {
    const deployment = atGate({ until: NOW + 14 * 24 * 60 * MINUTE_MS });
    const pauses: number[] = [];
    for (let asks = 0; asks < 6; asks += 1) {
      const pauseMs = deployment.waitsUntil() - deployment.now;
      pauses.push(pauseMs / MINUTE_MS);
      deployment.passes(pauseMs);
      deployment.fails('begin', closed({ until: NOW + 14 * 24 * 60 * MINUTE_MS }));
    }

    expect(pauses).toEqual([10, 10, 20, 40, 60, 60]);
    expect(deployment.progress).toMatchObject({ status: 'blocked', reason: SENTENCE });
  });

  test('does not ask in a circle where the clock of control is behind', () => {
    const deployment = atGate({ until: NOW - MINUTE_MS });

    expect(deployment.waitsUntil()).toBe(NOW + 5_000);
  });

  test('asks at once when somebody says that the gate may be open, and otherwise nobody hears of it', () => {
    const deployment = atGate();
    deployment.happens({ kind: 'ask-again' });

    expect(deployment.asked('begin')).toHaveLength(1);
    deployment.answers('begin', go);
    deployment.happens({ kind: 'ask-again' });
    expect(deployment.progress.status).toBe('applying');
  });

  test('can be cancelled: nothing was applied, and no job is told of', () => {
    const deployment = atGate();
    deployment.happens({ kind: 'cancel-requested', at: new Date(NOW).toISOString() });

    expect(deployment.progress.status).toBe('cancelled');
    expect(unapplied(deployment)).toEqual([]);
  });

  test('keeps the approval of its plan, of which the audit trail hears at once', () => {
    const deployment = approved();
    deployment.fails('begin', closed({ until: NOW + MINUTE_MS }));

    expect(deployment.progress).toMatchObject({ status: 'blocked', review: { by: 'grace' } });
    expect(unapplied(deployment)).toMatchObject([{ state: 'REVIEWED', initiatingUser: 'grace' }]);

    deployment.passes(MINUTE_MS);
    expect(deployment.asks('begin').beginning).toMatchObject({
      review: { body: { by: 'grace' } },
      audits: [{ state: 'RUNNING', approvedBy: 'grace' }],
    });
  });

  test('tells the end of a start that an earlier attempt may have told', () => {
    const deployment = atGate({ isRepeated: true, until: NOW + MINUTE_MS });

    expect(unapplied(deployment)).toMatchObject([
      { jobId: 'd1-apply-1', state: 'RUNNING' },
      { jobId: 'd1-apply-1', state: 'FAILURE' },
    ]);
    deployment.passes(MINUTE_MS);
    expect(deployment.asks('begin').beginning.job.id).toBe('d1-apply-2');
  });

  test('that had permission for a host which did not begin waits without the job of that host', () => {
    const deployment = play(auto);
    deployment.answers('plan', plannedOn('d1', 'h1', planned()));
    deployment.answers('begin', go);
    deployment.fails('apply', { kind: 'not taken', why: 'the host did not answer' });
    deployment.passes(1_000);
    deployment.answers('claim', { body: { version: 1, deploymentId: 'd1', hostId: 'h2' }, signature: 'claim of h2' });
    deployment.fails('begin', closed());
    deployment.fails('begin', closed());

    expect(deployment.progress).toMatchObject({ status: 'blocked', reason: SENTENCE });
    expect(unapplied(deployment)).toMatchObject([{ jobId: 'd1-apply-1', state: 'FAILURE' }]);
  });
});

test('a plan that is too old is made again, and the audit trail has its approval with an apply that never began', () => {
  const deployment = approved();
  deployment.fails('begin', { kind: 'refused', code: 'PLAN_TOO_OLD', why: 'the plan is older than 24h' });

  expect(deployment.progress).toMatchObject({
    status: 'preparing',
    reason: 'Planned again: the plan is older than 24h',
  });
  expect(deployment.progress).not.toHaveProperty('review');
  expect(deployment.asked('plan')).toHaveLength(1);
  expect(unapplied(deployment)).toMatchObject([
    { state: 'REVIEWED', initiatingUser: 'grace' },
    { jobId: 'd1-apply-1', state: 'RUNNING' },
    { jobId: 'd1-apply-1', state: 'FAILURE' },
  ]);
});

test('a plan that was confirmed before a freeze of 16 days is made again once that is over, and a person is asked again', () => {
  const deployment = approved();
  const opens = NOW + 16 * 24 * 60 * MINUTE_MS;
  while (deployment.now < opens) {
    if (deployment.asked('begin').length > 0) deployment.fails('begin', closed({ until: opens }));
    deployment.passes(60 * MINUTE_MS);
  }
  const why = 'the plan was confirmed more than 192 hours ago';
  deployment.fails('begin', { kind: 'refused', code: 'APPROVAL_EXPIRED', why });

  expect(deployment.progress).toMatchObject({ status: 'preparing', reason: `Planned again: ${why}` });
  expect(deployment.progress).not.toHaveProperty('review');
  deployment.answers('show', SHOWN);
  deployment.answers('plan', plannedOn('d1', 'h1', planned()));
  deployment.answers('show', SHOWN);
  expect(deployment.progress.status).toBe('awaiting-review');
  expect(deployment.asked('begin')).toHaveLength(0);
});
