import { describe, expect, test } from '@jest/globals';
import type { DeploymentEvent } from './events.ts';
import { aDenial, DIGEST, OTHER_DIGEST, planned, plannedOn } from './testing.ts';
import { auto, go, NOW, play, SHOWN, type Played } from './testing/played-deployment.ts';
import { aNotice, anOverride, aPress } from '../testing.ts';

const DAY_MS = 86_400_000;

/** Longer than a review is open. */
const DAYS_8_MS = 8 * DAY_MS;

describe('a deployment whose worker was lost during its apply', () => {
  test('has an unknown outcome when somebody cancels it before its host is asked again', () => {
    const deployment = aDeploymentThatApplies();
    deployment.fails('apply', { kind: 'lost', why: 'the host was lost' });
    deployment.fails('inspect', { kind: 'lost', why: 'the host was lost' });

    deployment.happens(CANCELLED);

    expect(deployment.progress).toMatchObject({ status: 'apply-outcome-unknown' });
  });

  test('has an unknown outcome when nobody knows whether its host is there', () => {
    const deployment = aDeploymentThatApplies();
    deployment.fails('apply', { kind: 'lost', why: 'the host was lost' });
    deployment.fails('inspect', { kind: 'not taken', why: 'nobody took it' });

    deployment.fails('find-host', { kind: 'failed', why: 'storage is away' });

    expect(deployment.progress).toMatchObject({
      status: 'apply-outcome-unknown',
      reason: expect.stringContaining('the host did not come back'),
    });
  });

  test('waits for the true outcome when it was cancelled before', () => {
    const deployment = aDeploymentThatApplies();
    deployment.happens(CANCELLED);
    deployment.fails('apply', { kind: 'lost', why: 'the host was lost' });
    deployment.fails('inspect', { kind: 'lost', why: 'the host was lost' });

    expect(deployment.waitsUntil()).toBe(NOW + 1_000);
    deployment.passes(1_000);
    deployment.answers('inspect', { kind: 'failed', failure: { body: { summary: 'stopped', lines: [] } } });

    expect(deployment.progress).toMatchObject({ status: 'apply-failed', reason: 'Cancelled in Temporal' });
  });
});

test('a deployment is applied by the host that planned it, as long as nobody knows that it left', () => {
  const deployment = play();
  deployment.answers('plan', plannedOn('d1', 'h1', planned()));
  deployment.answers('show', SHOWN);
  deployment.passes(DAY_MS);
  deployment.happens({ kind: 'press', press: aPress({ deploymentId: 'd1', digest: DIGEST }) });
  deployment.answers('begin', go);

  deployment.fails('find-host', { kind: 'failed', why: 'storage is away' });

  expect(deployment.asks('apply').job.go).toEqual(go);
});

describe('a cancellation', () => {
  test('asks the work to stop once, and lets its end decide', () => {
    const deployment = aDeploymentThatApplies();

    deployment.happens(CANCELLED);
    deployment.happens(CANCELLED);

    expect(deployment.effects.filter(({ kind }) => kind === 'stop')).toEqual([{ kind: 'stop', what: 'work' }]);
    expect(deployment.progress.status).toBe('applying');
  });

  test('does not stop a request for permission: its answer says whether the audit trail has a start', () => {
    const deployment = play(auto);
    deployment.answers('plan', plannedOn('d1', 'h1', planned()));

    deployment.happens(CANCELLED);

    expect(deployment.effects.map(({ kind }) => kind)).not.toContain('stop');
    deployment.answers('begin', go);
    expect(deployment.progress.status).toBe('cancelled');
    expect(deployment.asks('end').ending.audits).toMatchObject([{ state: 'FAILURE' }]);
  });

  test('ends a pause at once', () => {
    const deployment = play(auto);
    deployment.fails('plan', { kind: 'failed', why: 'GitHub is away' });

    deployment.happens(CANCELLED);

    expect(deployment.progress.status).toBe('cancelled');
  });
});

describe('the record of an end', () => {
  test.each([
    ['once GitHub shows the end', true, 0],
    ['after some seconds, if GitHub does not take it', false, 10_000],
  ])('the record of an end is stored %s', (_when, isTaken, afterMs) => {
    const deployment = play(auto);
    deployment.answers(
      'plan',
      plannedOn('d1', 'h1', { kind: 'failed', failure: { body: { summary: 'exit code 1', lines: [] } } }),
    );
    deployment.answers('end', { isStored: false });
    expect(deployment.asked('record-end')).toEqual([]);

    if (isTaken) deployment.answers('show', { kind: 'shown', deploymentId: 'd1', checkRuns: [] });
    deployment.passes(afterMs);

    expect(deployment.asks('record-end').finish.record.deployment.progress.status).toBe('plan-failed');
  });
});

test('an override that comes while permission is asked for is refused: the policy is overridden already', () => {
  const deployment = play(auto);
  deployment.answers('plan', plannedOn('d1', 'h1', planned({ policies: [aDenial(), aDenial({ name: 'tags' })] })));
  deployment.answers('show', SHOWN);
  const of = { deploymentId: 'd1', digest: DIGEST };
  deployment.happens({ kind: 'press', press: anOverride({ ...of, requestId: 'one', policies: ['cost', 'tags'] }) });
  deployment.happens({ kind: 'press', press: anOverride({ ...of, requestId: 'two', policies: ['tags'], by: 'tom' }) });
  const [one, two] = deployment.asked('verify-press');
  deployment.answersTo(one, 'verified');

  deployment.answersTo(two, 'verified');
  deployment.answers('begin', go);
  deployment.answers('apply', { kind: 'applied', counts: { added: 1, changed: 0, destroyed: 0, imported: 0 } });

  const told = [...deployment.lastAsked('begin').beginning.audits, ...deployment.asks('end').ending.audits];
  expect(told.map(({ id }) => id)).toContain('one:REVIEWED');
  expect(deployment.asks('record-refusal').refusal.sentence).toContain('@tom pressed Override');
});

test('a plan that is made again does not bring the approval of the plan before', () => {
  const deployment = play();
  deployment.answers('plan', plannedOn('d1', 'h1', planned()));
  deployment.answers('show', SHOWN);
  deployment.happens({ kind: 'press', press: aPress({ deploymentId: 'd1', digest: DIGEST }) });
  deployment.answers('begin', go);
  deployment.answers('apply', { kind: 'plan-unusable', why: 'the state changed' });
  deployment.answers('plan', plannedOn('d1', 'h1', planned({ digest: OTHER_DIGEST, hasChanges: false })));

  expect(deployment.asks('begin').beginning).not.toHaveProperty('review');
  expect(deployment.progress).not.toHaveProperty('review');
});

describe('the end of a deployment whose lane hears of its close', () => {
  const apply = (deployment: Played) => {
    deployment.answers('plan', plannedOn('d1', 'h1', planned()));
    deployment.answers('begin', go);
  };
  const outcome = { kind: 'applied', counts: { added: 1, changed: 0, destroyed: 0, imported: 0 } } as const;

  test('is returned with what the audit trail has to hear, and told nobody', () => {
    const deployment = play(auto, true);
    apply(deployment);
    deployment.answers('apply', outcome);

    expect(deployment.result).toMatchObject({ progress: { status: 'succeeded' }, untold: [{ state: 'SUCCESS' }] });
    expect(deployment.effects.map(({ kind }) => kind)).not.toContain('end');
  });

  test('is told where the lane says that another run of it does not hear', () => {
    const deployment = play(auto, true);
    apply(deployment);
    deployment.happens({ kind: 'show-again', message: { version: 1, tellsEnd: true } });
    deployment.happens({ kind: 'show-again', message: { version: 1 } });
    deployment.answers('apply', outcome);

    expect(deployment.asks('end').ending.record.deployment.progress.status).toBe('succeeded');
    expect(deployment.result).toBeUndefined();
  });

  test('is told at once while a check run is being written', () => {
    const deployment = play(auto, true);
    apply(deployment);
    deployment.passes(2_000);
    deployment.answers('apply', outcome);

    expect(deployment.asks('show')).toBeDefined();
    expect(deployment.asks('end').ending.record.deployment.progress.status).toBe('succeeded');
  });

  test('is told at once where a plan has to be deleted, and a host cleans up', () => {
    const deployment = play({}, true);
    deployment.answers('plan', plannedOn('d1', 'h1', planned()));
    deployment.answers('show', SHOWN);
    deployment.happens(CANCELLED);

    expect(deployment.asks('end').ending).toMatchObject({ deletesPlan: true });
    expect(deployment.asks('clean-up').hostId).toBe('h1');
  });
});

const CANCELLED = { kind: 'cancel-requested', at: '2026-01-31T14:00:00.000Z' } as const;

describe('a review that nobody looked at before its end', () => {
  const at = new Date(NOW).toISOString();
  const press: DeploymentEvent = { kind: 'press', press: aPress({ deploymentId: 'd1', digest: DIGEST, at }) };
  const notice: DeploymentEvent = {
    kind: 'notice',
    message: aNotice({ deploymentId: 'd1', sentence: '@rea may not confirm this' }),
  };

  test.each<[string, readonly DeploymentEvent[], string]>([
    ['counts an approval that came meanwhile', [press], 'awaiting-review'],
    ['counts an approval that came after other news', [notice, press], 'awaiting-review'],
    ['closes without one', [notice], 'expired'],
  ])('a review that nobody looked at before its end %s', (_what, events, status) => {
    const deployment = play();
    deployment.answers('plan', plannedOn('d1', 'h1', planned()));
    deployment.answers('show', SHOWN);
    deployment.now += DAYS_8_MS;

    deployment.happens(...events);

    expect(deployment.progress.status).toBe(status);
    expect(deployment.asked('begin')).toHaveLength(status === 'expired' ? 0 : 1);
  });
});

function aDeploymentThatApplies(): Played {
  const deployment = play(auto);
  deployment.answers('plan', plannedOn('d1', 'h1', planned()));
  deployment.answers('begin', go);
  return deployment;
}
