/** A deployment that a test drives by hand, event by event. */
import type { Progress } from '../../deployment/progress.ts';
import type { ReturnedEnd } from '../../lane/activities.ts';
import type { DeploymentActor } from '../actor.ts';
import { decideDeployment } from '../decide.ts';
import type { Answers, Asking, DeploymentEffect } from '../effects.ts';
import type { Answered, DeploymentEvent, EffectFailure } from '../events.ts';
import { nextDeploymentEffect } from '../next-effect.ts';
import { openDeployment } from '../open.ts';
import { aDeployment, anInput, aRoot, goOf, type Start } from '../testing.ts';

export const NOW = Date.parse('2026-01-31T14:00:00.000Z');

/** Nobody is asked. */
export const auto = { root: aRoot({ planReview: 'auto' }) };

/** For the first job of the apply. */
export const go = goOf({
  deployment: aDeployment(),
  job: { id: 'd1-apply-1', startedAt: '2026-01-31T14:00:00.000Z' },
  hostId: 'h1',
});

export function play(start: Start = {}, isFollowed = false): Played {
  return new Played(openDeployment(anInput(start), NOW, isFollowed));
}

/** A deployment that goes on by itself until it waits. */
/** Whoever writes its question to the forge has verified its plan. */
export const SHOWN = { kind: 'shown', deploymentId: 'd1', checkRuns: [{ id: 1, completed: true }] } as const;

export class Played {
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
