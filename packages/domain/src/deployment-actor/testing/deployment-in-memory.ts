/** A deployment at work in memory: the world may be slow, fail, or lose answers, and each step is checked for what must never be. */
import { appearance } from '../../lane/rules/check-runs/presentations.ts';
import type { TerraformInput } from '../../deployment/terraform-workflow.ts';
import type { ReturnedEnd } from '../../lane/activities.ts';
import { isJobAuditEvent, type AuditEvent } from '../../trail/audit-event.ts';
import { decideDeployment } from '../decide.ts';
import type { Asking, DeploymentEffect } from '../effects.ts';
import type { DeploymentEvent } from '../events.ts';
import { nextDeploymentEffect } from '../next-effect.ts';
import { beginWriting, endWriting, presentationOf } from '../showing.ts';
import { isWork } from '../work.ts';
import { isMadeUp, SIGNED, WorldOfDeployment } from './world-of-deployment.ts';

/** Temporal retries these until they are answered. */
const RETRIED: ReadonlySet<Asking['kind']> = new Set([
  ...(['claim', 'record-refusal', 'record-unapplied', 'end', 'record-end'] as const),
]);

/** So many effects at one moment go round in circles. */
const AT_ONE_MOMENT = 100;

/** A test takes some dozens. */
const IN_ALL = 2_000;

export class DeploymentInMemory extends WorldOfDeployment {
  result: ReturnedEnd | undefined;
  private effects = 0;

  constructor(input: TerraformInput, random: () => number) {
    super(input, random);
    this.at(this.now, () => this.goOn());
  }

  happen(event: DeploymentEvent): void {
    if (this.result !== undefined) return;
    if (event.kind === 'press') this.presses.push(event.press);
    this.gates.watch(this.actor, event, SIGNED);
    this.actor = decideDeployment(this.actor, [event], this.now);
    if (isMadeUp(this.actor)) throw new Error('it tells of a plan that no host signed');
    this.goOn();
  }

  /** Its lane has written the check run meanwhile. */
  overwrite(): void {
    this.shown = undefined;
    this.happen({ kind: 'show-again', message: { version: 1 } });
  }

  private goOn(): void {
    for (let effects = 0; this.result === undefined; effects += 1) {
      if (effects > AT_ONE_MOMENT || this.effects > IN_ALL) throw new Error(`it never rests: ${this.actor.step.kind}`);
      const effect = nextDeploymentEffect(this.actor, this.now);
      if (effect.kind === 'wait') {
        this.wakeAt(effect.until);
        return;
      }
      this.effects += 1;
      this.actor = decideDeployment(this.actor, [{ kind: 'begun', effect }], this.now);
      this.begin(effect);
    }
  }

  private wakeAt(time: number): void {
    if (time === Infinity) return;
    if (time <= this.now) throw new Error('it waits for what is due');
    this.at(time, () => {
      this.actor = decideDeployment(this.actor, [], this.now);
      this.goOn();
    });
  }

  private begin(effect: DeploymentEffect): void {
    if (effect.kind === 'wait') return;
    if (effect.kind === 'finish') this.finish(effect.result);
    else if (effect.kind === 'stop') this.stop(effect.what);
    else this.ask(effect);
  }

  private finish(result: ReturnedEnd): void {
    if (this.underWay.length > 0) throw new Error(`it ends before ${this.underWay.map(({ kind }) => kind).join(', ')}`);
    this.result = result;
    if (result.untold !== undefined) this.showReturned(result.untold);
  }

  /** As its lane does it. */
  private showReturned(audits: readonly AuditEvent[]): void {
    this.trail.push(...audits);
    this.shown = presentationOf(this.actor);
    this.actor = endWriting(beginWriting(this.actor, 'end', this.shown), 'end', this.show(this.shown));
  }

  /** What a host does returns its outcome, even if it is stopped; anything else is given up at once. */
  private stop(what: 'work' | 'show'): void {
    const stopped = this.underWay.find(({ kind }) => (what === 'work' ? isWork(kind) : kind === 'show'));
    if (stopped === undefined || ['apply', 'inspect', 'show'].includes(stopped.kind)) return;
    if (this.planners.has(stopped)) return;
    this.giveUp(stopped);
  }

  private giveUp(effect: Asking | undefined): void {
    if (effect !== undefined)
      this.end(effect, { kind: 'failed', effect, failure: { kind: 'cancelled', why: 'stopped' } });
  }

  private ask(effect: Asking): void {
    this.underWay.push(effect);
    if (this.underWay.filter(({ kind }) => isWork(kind)).length > 1) throw new Error('two works are under way');
    if (this.underWay.filter(({ kind }) => kind === 'show').length > 1) throw new Error('two writes are under way');
    this.attempt(effect);
  }

  private attempt(effect: Asking): void {
    const fate = this.isHealthy || this.isLikely(75) ? 'answered' : this.isLikely(50) ? 'lost' : 'failed';
    const isRetried = fate !== 'answered' && RETRIED.has(effect.kind);
    this.at(this.now + this.delay(), () => {
      if (!this.underWay.includes(effect)) return;
      const did = fate === 'failed' ? this.fail(effect) : this.perform(effect);
      this.at(this.now + this.delay(), () => {
        if (isRetried) this.attempt(effect);
        else this.end(effect, fate === 'lost' ? this.lose(effect) : did);
      });
    });
  }

  private end(effect: Asking, event: DeploymentEvent): void {
    const index = this.underWay.indexOf(effect);
    if (index < 0) return;
    this.underWay.splice(index, 1);
    // As the workflow does it: nobody asks any more why there is no host.
    if (effect.kind === 'claim' || effect.kind === 'plan')
      this.giveUp(this.underWay.find(({ kind }) => kind === 'explain-wait'));
    this.happen(event);
  }

  private lose(effect: Asking): DeploymentEvent {
    return { kind: 'failed', effect, failure: { kind: 'lost', why: 'the host was lost', ...this.hostOf(effect) } };
  }

  /** Within a second most of the time, and always within a minute. */
  private delay(): number {
    return Math.floor(this.random() * (this.isHealthy || this.isLikely(80) ? 500 : 60_000));
  }
}

/** What GitHub shows of it looks as it does. */
export function isShown({ shown, result, actor }: DeploymentInMemory): boolean {
  if (shown === undefined || result === undefined) return false;
  return actor.showing.reported.digest === appearance(shown);
}

export function jobEventsOf(
  trail: readonly AuditEvent[],
): readonly { readonly jobId: string; readonly state: string }[] {
  return trail.filter(isJobAuditEvent).map(({ jobId, state }) => ({ jobId, state }));
}
