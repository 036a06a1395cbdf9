import { describe, expect, test } from '@jest/globals';
import type { Progress } from '../deployment/progress.ts';
import type { ReturnedEnd } from '../lane/activities.ts';
import type { DeploymentActor } from './actor.ts';
import { decideDeployment } from './decide.ts';
import type { Answers, Asking, DeploymentEffect } from './effects.ts';
import type { Answered, DeploymentEvent, EffectFailure } from './events.ts';
import { nextDeploymentEffect } from './next-effect.ts';
import { openDeployment } from './open.ts';
import {
  aDenial,
  aDeployment as ordered,
  anInput,
  aRoot,
  DIGEST,
  goOf,
  OTHER_DIGEST,
  planned,
  plannedOn,
  type Start,
} from './testing.ts';
import { aNotice, anOverride, aPress } from '../testing.ts';

const NOW = Date.parse('2026-01-31T14:00:00.000Z');
/** Longer than a review is open. */
const DAYS_8_MS = 8 * 86_400_000;
const auto = { root: aRoot({ planReview: 'auto' }) };
const go = goOf({
  deployment: ordered(),
  job: { id: 'd1-apply-1', startedAt: '2026-01-31T14:00:00.000Z' },
  hostId: 'h1',
});

describe('a deployment whose worker was lost during its apply', () => {
  test('has an unknown outcome when somebody cancels it before its host is asked again', () => {
    const deployment = aDeploymentThatApplies();
    deployment.fails('apply', { kind: 'lost', why: 'the host was lost' });
    deployment.fails('inspect', { kind: 'lost', why: 'the host was lost' });

    deployment.happens(CANCELLED);

    expect(deployment.progress).toMatchObject({ status: 'apply-outcome-unknown' });
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

describe('a cancellation', () => {
  test('asks the work to stop once, and lets its end decide', () => {
    const deployment = aDeploymentThatApplies();

    deployment.happens(CANCELLED);
    deployment.happens(CANCELLED);

    expect(deployment.effects.filter(({ kind }) => kind === 'stop')).toEqual([{ kind: 'stop', what: 'work' }]);
    expect(deployment.progress.status).toBe('applying');
  });

  test('does not stop a request for permission: its answer says whether the audit trail has a start', () => {
    const deployment = aDeployment(auto);
    deployment.answers('plan', plannedOn('d1', 'h1', planned()));

    deployment.happens(CANCELLED);

    expect(deployment.effects.map(({ kind }) => kind)).not.toContain('stop');
    deployment.answers('begin', go);
    expect(deployment.progress.status).toBe('cancelled');
    expect(deployment.asks('end').ending.audits).toMatchObject([{ state: 'FAILURE' }]);
  });

  test('ends a pause at once', () => {
    const deployment = aDeployment(auto);
    deployment.fails('plan', { kind: 'failed', why: 'GitHub is away' });

    deployment.happens(CANCELLED);

    expect(deployment.progress.status).toBe('cancelled');
  });
});

describe('a wait', () => {
  test('for a person ends with the review', () => {
    const deployment = aDeployment();
    deployment.answers('plan', plannedOn('d1', 'h1', planned()));
    deployment.answers('verify-plan', 'verified');
    deployment.answers('show', { kind: 'shown', deploymentId: 'd1', checkRuns: [{ id: 1, completed: true }] });

    const closesAt = Date.parse(deployment.progress.plan?.expiresAt ?? '');
    expect(deployment.waitsUntil()).toBe(closesAt);

    deployment.passes(closesAt - NOW);
    expect(deployment.progress.status).toBe('expired');
  });

  test('for a host has no bound, and is explained less and less often', () => {
    const deployment = aDeployment({ durations: { quietMs: 24 * 3_600_000 } });
    const asked: number[] = [];
    for (let asks = 0; asks < 4; asks += 1) {
      deployment.passes(deployment.waitsUntil() - deployment.now);
      asked.push(deployment.now - NOW);
      deployment.answers('explain-wait', { kind: 'waits', why: 'all slots are in use' });
    }

    expect(asked).toEqual([5_000, 65_000, 185_000, 425_000]);
    expect(deployment.progress).toMatchObject({ status: 'preparing', waitsFor: 'host' });
  });

  test('for a host that is said to be over shows the host, and nothing is asked any more', () => {
    const deployment = aDeployment({ durations: { quietMs: 24 * 3_600_000 } });
    deployment.passes(5_000);

    deployment.answers('explain-wait', { kind: 'at work', hostId: 'h1', since: new Date(NOW + 2_000).toISOString() });
    deployment.passes(3_600_000);

    expect(deployment.asked('explain-wait')).toEqual([]);
    expect(deployment.progress).toMatchObject({
      status: 'planning',
      hostId: 'h1',
      times: { planning: new Date(NOW + 2_000).toISOString() },
      jobs: { plan: { id: 'd1-plan-1' } },
    });
  });

  test.each([
    ['later than it is', 3_600_000, 5_000],
    ['earlier than it began', -3_600_000, 0],
    ['no time at all', NaN, 5_000],
  ])('for a host that says %s ends within it all the same', (_what, saysMs, endsMs) => {
    const deployment = aDeployment({ durations: { quietMs: 24 * 3_600_000 } });
    deployment.passes(5_000);
    const since = Number.isNaN(saysMs) ? 'some day' : new Date(NOW + saysMs).toISOString();

    deployment.answers('explain-wait', { kind: 'at work', hostId: 'h1', since });

    expect(deployment.progress.times.planning).toBe(new Date(NOW + endsMs).toISOString());
  });

  test('for a host names the one that answers, whoever was said to plan before', () => {
    const deployment = aDeployment();
    deployment.passes(5_000);
    deployment.answers('explain-wait', { kind: 'at work', hostId: 'elsewhere', since: new Date(NOW).toISOString() });

    deployment.answers('plan', plannedOn('d1', 'h1', planned({ hasChanges: false })));

    expect(deployment.progress.hostId).toBe('h1');
  });

  test('for a host uses up no patience with failures', () => {
    const deployment = aDeployment(auto);
    deployment.fails('plan', { kind: 'failed', why: 'GitHub is away' });
    deployment.passes(1_000);
    deployment.passes(3_600_000);
    const host = { hostId: 'h1', since: new Date(deployment.now).toISOString() };

    deployment.fails('plan', { kind: 'failed', why: 'GitHub is away', host });

    expect(deployment.progress).toMatchObject({
      status: 'planning',
      reason: expect.stringContaining('is tried again'),
    });
  });
});

describe('the record of an end', () => {
  test.each([
    ['once GitHub shows the end', true, 0],
    ['after some seconds, if GitHub does not take it', false, 10_000],
  ])('the record of an end is stored %s', (_when, isTaken, afterMs) => {
    const deployment = aDeployment(auto);
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
  const deployment = aDeployment(auto);
  deployment.answers('plan', plannedOn('d1', 'h1', planned({ policies: [aDenial(), aDenial({ name: 'tags' })] })));
  deployment.answers('verify-plan', 'verified');
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
  const deployment = aDeployment();
  deployment.answers('plan', plannedOn('d1', 'h1', planned()));
  deployment.answers('verify-plan', 'verified');
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
    const deployment = aDeployment(auto, true);
    apply(deployment);
    deployment.answers('apply', outcome);

    expect(deployment.result).toMatchObject({ progress: { status: 'succeeded' }, untold: [{ state: 'SUCCESS' }] });
    expect(deployment.effects.map(({ kind }) => kind)).not.toContain('end');
  });

  test('is told where the lane says that another run of it does not hear', () => {
    const deployment = aDeployment(auto, true);
    apply(deployment);
    deployment.happens({ kind: 'show-again', message: { version: 1, tellsEnd: true } });
    deployment.happens({ kind: 'show-again', message: { version: 1 } });
    deployment.answers('apply', outcome);

    expect(deployment.asks('end').ending.record.deployment.progress.status).toBe('succeeded');
    expect(deployment.result).toBeUndefined();
  });

  test('is told at once while a check run is being written', () => {
    const deployment = aDeployment(auto, true);
    apply(deployment);
    deployment.passes(2_000);
    deployment.answers('apply', outcome);

    expect(deployment.asks('show')).toBeDefined();
    expect(deployment.asks('end').ending.record.deployment.progress.status).toBe('succeeded');
  });

  test('is told at once where a plan has to be deleted, and a host cleans up', () => {
    const deployment = aDeployment({}, true);
    deployment.answers('plan', plannedOn('d1', 'h1', planned()));
    deployment.answers('verify-plan', 'verified');
    deployment.answers('show', { kind: 'shown', deploymentId: 'd1', checkRuns: [] });
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
    const deployment = aDeployment();
    deployment.answers('plan', plannedOn('d1', 'h1', planned()));
    deployment.answers('verify-plan', 'verified');
    deployment.now += DAYS_8_MS;

    deployment.happens(...events);

    expect(deployment.progress.status).toBe(status);
    expect(deployment.asked('begin')).toHaveLength(status === 'expired' ? 0 : 1);
  });
});

function aDeploymentThatApplies(): Played {
  const deployment = aDeployment(auto);
  deployment.answers('plan', plannedOn('d1', 'h1', planned()));
  deployment.answers('begin', go);
  return deployment;
}

function aDeployment(start: Start = {}, isFollowed = false): Played {
  return new Played(openDeployment(anInput(start), NOW, isFollowed));
}

/** A deployment that goes on by itself until it waits. */
class Played {
  now = NOW;
  readonly effects: DeploymentEffect[] = [];
  result: ReturnedEnd | undefined;
  private actor: DeploymentActor;
  private readonly open: Asking[] = [];

  constructor(actor: DeploymentActor) {
    this.actor = actor;
    this.goOn();
  }

  get progress(): Progress {
    return this.actor.progress;
  }

  happens(...events: readonly DeploymentEvent[]): void {
    this.actor = decideDeployment(this.actor, events, this.now);
    this.goOn();
  }

  passes(timeMs: number): void {
    this.now += timeMs;
    this.actor = decideDeployment(this.actor, [], this.now);
    this.goOn();
  }

  answers<Kind extends keyof Answers>(kind: Kind, answer: Answers[Kind]): void {
    this.answersTo(this.asks(kind), answer);
  }

  answersTo(effect: Asking | undefined, answer: Answers[keyof Answers]): void {
    if (effect === undefined) throw new Error('expected an effect under way, found none');
    this.open.splice(this.open.indexOf(effect), 1);
    this.happens({ kind: 'answered', of: effect.kind, effect, answer } as Answered);
  }

  fails(kind: Asking['kind'], failure: EffectFailure): void {
    const effect = this.asks(kind);
    this.open.splice(this.open.indexOf(effect), 1);
    this.happens({ kind: 'failed', effect, failure });
  }

  /** The effect of this kind that is under way. */
  asks<Kind extends Asking['kind']>(kind: Kind): Extract<Asking, { kind: Kind }> {
    const [found] = this.asked(kind);
    if (found === undefined)
      throw new Error(`expected ${kind} under way, found ${this.open.map((one) => one.kind).join(', ')}`);
    return found;
  }

  asked<Kind extends Asking['kind']>(kind: Kind): readonly Extract<Asking, { kind: Kind }>[] {
    return this.open.filter((one): one is Extract<Asking, { kind: Kind }> => one.kind === kind);
  }

  lastAsked<Kind extends Asking['kind']>(kind: Kind): Extract<Asking, { kind: Kind }> {
    const found = this.effects.findLast((one): one is Extract<Asking, { kind: Kind }> => one.kind === kind);
    if (found === undefined) throw new Error(`expected ${kind}, found none`);
    return found;
  }

  waitsUntil(): number {
    const effect = nextDeploymentEffect(this.actor, this.now);
    if (effect.kind !== 'wait') throw new Error(`expected a wait, found ${effect.kind}`);
    return effect.until;
  }

  private goOn(): void {
    for (;;) {
      const effect = nextDeploymentEffect(this.actor, this.now);
      if (effect.kind === 'finish') this.result = effect.result;
      if (effect.kind === 'wait' || effect.kind === 'finish') return;
      this.effects.push(effect);
      if (effect.kind !== 'stop') this.open.push(effect);
      this.actor = decideDeployment(this.actor, [{ kind: 'begun', effect }], this.now);
    }
  }
}
