import { describe, expect, test } from '@jest/globals';
import type { GateWait } from '../../gates/waits/gate-wait.ts';
import type { EffectFailure } from '../events.ts';
import { aBreakGlass, aMergeReview } from '../../testing.ts';
import { aPlan, claimOf, DIGEST, OTHER_DIGEST, planned, plannedOn } from '../testing.ts';
import { aReview } from '../testing/world-of-deployment.ts';
import { auto, go, NOW, play, SHOWN, type Played } from '../testing/played-deployment.ts';

const MINUTE_MS = 60_000;
const SENTENCE = 'Closed until Mon 08:00 Europe/Berlin (change freeze “Year end”)';

function closed(more: Partial<GateWait> = {}): EffectFailure {
  return {
    kind: 'refused',
    code: 'GATE_CLOSED',
    why: SENTENCE,
    closed: { gate: 'window', who: ['operators'], sentence: SENTENCE, ...more },
  };
}

/** Its check run is not written by itself meanwhile. */
const QUIET = { ...auto, durations: { quietMs: 30 * 24 * 3_600_000 } };

/** A gate was closed when its plan, which nobody reviews, was to be applied. */
function atGate(more: Partial<GateWait> = {}): Played {
  const deployment = play(QUIET);
  deployment.answers('plan', plannedOn('d1', 'h1', planned()));
  deployment.fails('begin', closed(more));
  return deployment;
}

const OUTAGE = { kind: 'failed', why: 'storage is away' } as const;

const RING = { kind: 'ask-again' } as const;

function rejects(deployment: Played, digest?: string): void {
  const press = aReview({ requestId: 'reject', answer: 'rejected', by: 'dan', ...(digest && { digest }) });
  deployment.happens({ kind: 'press', press });
  deployment.answers('verify-press', 'verified');
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
    const { progress } = atGate({ until: NOW + MINUTE_MS });

    const waitsFor = { gate: 'window', who: ['operators'], until: NOW + MINUTE_MS };
    expect(progress).toMatchObject({ status: 'blocked', reason: SENTENCE });
    expect(progress.waitsFor).toEqual(waitsFor);
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

  test('keeps the word of the person who let it pass, as control names it', () => {
    const deployment = atGate();
    const glass = aBreakGlass({ deploymentId: 'd1' });

    deployment.happens(RING);
    deployment.answers('begin', { ...go, body: { ...go.body, glass } });

    expect(deployment.progress).toMatchObject({ status: 'applying', glass });
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

  test('asks again when the answer may be another one, which nobody would tell it: a lease lapses', () => {
    const deployment = atGate({ gate: 'budget', askAgain: NOW + 9 * MINUTE_MS });
    expect(deployment.waitsUntil()).toBe(NOW + 9 * MINUTE_MS);

    deployment.passes(9 * MINUTE_MS);
    deployment.fails('begin', closed({ gate: 'budget', askAgain: NOW + 15 * MINUTE_MS }));

    expect(deployment.waitsUntil()).toBe(NOW + 15 * MINUTE_MS);
    expect(deployment.progress.waitsFor).toEqual({ gate: 'budget', who: ['operators'] });
  });

  test('asks no later than usual, and not in a circle, whatever time it is told', () => {
    expect(atGate({ askAgain: NOW + 60 * MINUTE_MS }).waitsUntil()).toBe(NOW + 10 * MINUTE_MS);
    expect(atGate({ askAgain: NOW }).waitsUntil()).toBe(NOW + 5_000);
    expect(atGate({ askAgain: 'soon' }).waitsUntil()).toBe(NOW + 5_000);
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

describe('an outage that meets the question of a deployment at a closed gate', () => {
  test('ends nothing: it waits on for what it waited for, and asks again as usual', () => {
    const deployment = atGate({ until: NOW + MINUTE_MS });
    deployment.passes(MINUTE_MS);
    deployment.fails('begin', OUTAGE);

    expect(deployment.progress).toMatchObject({ status: 'blocked', reason: SENTENCE, waitsFor: { gate: 'window' } });
    expect(deployment.waitsUntil()).toBe(deployment.now + 10 * MINUTE_MS);
    deployment.passes(10 * MINUTE_MS);
    deployment.answers('begin', go);
    expect(deployment.progress.status).toBe('applying');
  });

  test('may have told the start of a job, which therefore gets its end and is not used again', () => {
    const deployment = atGate({ until: NOW + MINUTE_MS });
    deployment.passes(MINUTE_MS);
    deployment.fails('begin', OUTAGE);

    expect(unapplied(deployment)).toMatchObject([
      { jobId: 'd1-apply-1', state: 'RUNNING' },
      { jobId: 'd1-apply-1', state: 'FAILURE' },
    ]);
    deployment.passes(10 * MINUTE_MS);
    expect(deployment.asks('begin').beginning.job.id).toBe('d1-apply-2');
  });

  test('keeps the plan that was confirmed before the merge', () => {
    const reviewed = { review: aMergeReview({ digest: DIGEST, at: '2026-01-31T13:00:00.000Z' }) };
    const deployment = play({ reviewed });
    const approval = aReview({ digest: DIGEST });
    deployment.answers('find-reviewed', { kind: 'usable', plan: aPlan({ beforeMerge: true }), approval });
    deployment.answers('claim', claimOf('d1', 'h1'));
    deployment.fails('begin', closed({ until: NOW + MINUTE_MS }));
    deployment.passes(MINUTE_MS);
    deployment.fails('begin', OUTAGE);

    expect(deployment.progress).toMatchObject({ status: 'blocked', plan: { beforeMerge: true } });
  });

  test('ends a deployment that has not waited at a gate', () => {
    const deployment = play(auto);
    deployment.answers('plan', plannedOn('d1', 'h1', planned()));
    deployment.fails('begin', OUTAGE);

    expect(deployment.progress.status).toBe('cancelled');
  });

  test('is none where permission is refused for good: that ends it', () => {
    const deployment = atGate({ until: NOW + MINUTE_MS });
    deployment.passes(MINUTE_MS);
    deployment.fails('begin', { kind: 'refused', code: 'OVERTAKEN', why: 'd2 had its turn since' });

    expect(deployment.progress.status).toBe('cancelled');
  });
});

describe('a plan that waits at a closed gate is rejected', () => {
  const EVENT = { state: 'REVIEWED', initiatingUser: 'dan' };

  test('at once, whoever confirmed it, and the audit trail hears of it with the end', () => {
    const deployment = approved();
    deployment.fails('begin', closed());
    rejects(deployment);

    expect(deployment.progress).toMatchObject({ status: 'rejected', review: { answer: 'rejected', by: 'dan' } });
    expect(deployment.asks('end').ending.audits).toMatchObject([EVENT]);
    expect(deployment.asked('record-refusal')).toEqual([]);
  });

  test('also where nobody had to confirm it', () => {
    const deployment = atGate();
    rejects(deployment);

    expect(deployment.progress.status).toBe('rejected');
  });

  test('also by a press that came with the first question, when no gate was known to be closed', () => {
    const deployment = approved();
    deployment.fails('begin', OUTAGE);
    deployment.answers('verify-approval', 'verified');
    rejects(deployment);
    expect(deployment.asked('record-refusal')).toEqual([]);
    deployment.fails('begin', closed());

    expect(deployment.progress).toMatchObject({ status: 'rejected', review: { by: 'dan' } });
  });

  test('only by the plan that waits', () => {
    const deployment = atGate();
    rejects(deployment, OTHER_DIGEST);

    expect(deployment.progress.status).toBe('blocked');
    expect(deployment.asks('record-refusal').refusal.sentence).toContain('that was for another plan');
  });

  test.each<[string, (deployment: Played) => void]>([
    ['is closed', (deployment) => deployment.fails('begin', closed())],
    ['has no answer', (deployment) => deployment.fails('begin', OUTAGE)],
    ['is refused, as storage has the rejection', (deployment) => deployment.fails('begin', OVERTAKEN)],
    ['is that the plan is too old', (deployment) => deployment.fails('begin', TOO_OLD)],
    ['is permission, which nobody has used', (deployment) => deployment.answers('begin', go)],
  ])('also while the gate is asked, if the answer %s', (_what, end) => {
    const deployment = atGate({ until: NOW + MINUTE_MS });
    deployment.passes(MINUTE_MS);
    rejects(deployment);
    expect(deployment.progress.status).toBe('blocked');
    end(deployment);

    expect(deployment.progress).toMatchObject({ status: 'rejected', review: { by: 'dan' } });
    expect(deployment.asked('apply')).toEqual([]);
    expect(deployment.asks('end').ending.audits).toMatchObject([EVENT]);
  });

  test('but not by a press that nobody signed', () => {
    const deployment = atGate({ until: NOW + MINUTE_MS });
    deployment.passes(MINUTE_MS);
    deployment.happens({ kind: 'press', press: aReview({ requestId: 'forged', answer: 'rejected' }, 'made up') });
    deployment.fails('begin', closed());
    deployment.fails('verify-press', { kind: 'refused', code: 'FORGED', why: 'nobody signed it' });

    expect(deployment.progress.status).toBe('blocked');
  });
});

const OVERTAKEN = { kind: 'refused', code: 'OVERTAKEN', why: 'a person rejected it' } as const;

const TOO_OLD = { kind: 'refused', code: 'PLAN_TOO_OLD', why: 'the plan is older than 24h' } as const;

test('a gate is asked again at once, and once, where somebody said during the question that it may be open', () => {
  const deployment = play(QUIET);
  deployment.answers('plan', plannedOn('d1', 'h1', planned()));
  deployment.happens(RING);
  deployment.happens(RING);
  deployment.fails('begin', closed());

  expect(deployment.asked('begin')).toHaveLength(1);
  deployment.fails('begin', closed());
  expect(deployment.asked('begin')).toEqual([]);
  expect(deployment.waitsUntil()).toBe(NOW + 10 * MINUTE_MS);
});

test('questions at a gate do not count as applies that did not begin', () => {
  const deployment = atGate({ isRepeated: true, until: NOW + MINUTE_MS });
  for (let asks = 0; asks < 3; asks += 1) {
    deployment.happens(RING);
    deployment.fails('begin', closed({ isRepeated: true }));
  }
  deployment.happens(RING);
  deployment.answers('begin', go);
  deployment.answers('apply', { kind: 'not-begun' });

  expect(deployment.progress.status).toBe('applying');
  expect(deployment.asked('begin')).toHaveLength(1);
});

test('a plan that is too old is made again, and the audit trail has its approval with an apply that never began', () => {
  const deployment = approved();
  deployment.fails('begin', TOO_OLD);

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
