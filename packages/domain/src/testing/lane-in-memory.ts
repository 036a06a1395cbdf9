/** A lane at work in a world in memory, as the deploy workflow runs it. Each step is checked for states that must never be. */
import { defined } from '../defined.ts';
import type { LaneHint, LaneInput } from '../lane/input.ts';
import type { DeploymentEnded } from '../lane/messages.ts';
import type { LaneActor } from '../lane/rules/actor/actor.ts';
import { openLane } from '../lane/rules/actor/opening/open.ts';
import { decide } from '../lane/rules/actor/decide.ts';
import type { Effect, EffectOf } from '../lane/rules/actor/effects.ts';
import type { LaneEvent, LaneMessage } from '../lane/rules/actor/events.ts';
import { recordOf } from '../lane/rules/actor/keeping.ts';
import { nextEffect } from '../lane/rules/actor/next-effect.ts';
import { REPOSITORY } from '../testing.ts';
import type { WorldInMemory } from './world-in-memory.ts';

/** One run of the workflow. */
interface Run {
  readonly input: LaneInput;
  lane: LaneActor;
  /** What came, in order: a reset brings it again. */
  readonly messages: LaneMessage[];
  /** Asks it to go on in a new run. */
  isLong: boolean;
  isOver: boolean;
  /** How many questions about other lanes it has asked: only the last one is answered. */
  questions: number;
  readonly underWay: Effect['kind'][];
}

/** Idle lanes end, and positions are shown, within the time of a test. */
const DURATIONS = { idleMs: 20_000, positionsMs: 5_000 };

/** So many effects at one moment go round in circles. */
const AT_ONE_MOMENT = 200;

/** A test takes some hundreds. */
const IN_ALL = 3_000;

export class LaneInMemory {
  /** A continued run was reset: the state of GitHub that it was handed over is out of date, and nobody can tell. */
  isOutdated = false;
  /** Of all runs. */
  readonly effects: Effect['kind'][] = [];
  private readonly world: WorldInMemory;
  private run: Run | undefined;
  private runs = 0;
  private ids = 0;

  constructor(world: WorldInMemory) {
    this.world = world;
    world.onEnded = (message) => this.receive({ kind: 'deployment-ended', at: this.timestamp(), message });
  }

  /** As it is, or was at last. */
  get lane(): LaneActor | undefined {
    return this.run?.lane;
  }

  /** As signal-with-start does it. */
  receive(message: LaneMessage): void {
    const run = this.resume(message.kind === 'new-revision' ? this.world.hint() : undefined);
    run.messages.push(message);
    this.happen(run, message);
  }

  resume(hint?: LaneHint): Run {
    if (this.run?.isOver === false) return this.run;
    return this.begin({ repository: REPOSITORY, rootName: 'network', durations: DURATIONS, ...defined({ hint }) });
  }

  newId(): string {
    return `deployment-${(this.ids += 1)}`;
  }

  timestamp(): string {
    return new Date(this.world.now).toISOString();
  }

  /** To its first task, later than a hint serves; every message comes again, as if it came now. */
  reset(): void {
    const { run } = this;
    if (run === undefined || run.isOver) return;
    run.isOver = true;
    this.isOutdated ||= run.input.carried !== undefined;
    const { hint: _late, ...input } = run.input;
    const again = this.begin(input);
    for (const message of run.messages) {
      const anew = { ...message, at: this.timestamp(), ...(message.kind === 'new-revision' && { id: this.newId() }) };
      again.messages.push(anew);
      this.happen(again, anew);
    }
  }

  continueSoon(): void {
    if (this.run !== undefined) this.run.isLong = true;
  }

  /** A signal that starts no lane. */
  lookAgain(): void {
    if (this.run?.isOver === false) this.receive({ kind: 'look-again', at: this.timestamp() });
  }

  cancel(): void {
    if (this.run?.isOver === false) this.happen(this.run, { kind: 'cancel-requested', at: this.timestamp() });
  }

  repeatEnd(deploymentId: string): void {
    const progress = this.world.terraforms.get(deploymentId)?.progress;
    const message: DeploymentEnded | undefined = progress && { version: 1, deploymentId, progress };
    if (message !== undefined) this.receive({ kind: 'deployment-ended', at: this.timestamp(), message });
  }

  private begin(input: LaneInput): Run {
    const lane = openLane(input, { runId: `run-${(this.runs += 1)}`, random: 0.5, now: this.world.now });
    const run: Run = { input, lane, messages: [], isLong: false, isOver: false, questions: 0, underWay: [] };
    this.run = run;
    this.world.at(this.world.now, () => this.goOn(run));
    return run;
  }

  private happen(run: Run, event: LaneEvent): void {
    if (run.isOver) return;
    run.lane = decide(run.lane, [event], this.world.now);
    this.goOn(run);
  }

  private goOn(run: Run): void {
    for (let effects = 0; !run.isOver; effects += 1) {
      this.look(run);
      if (effects > AT_ONE_MOMENT)
        throw new Error(`the lane goes round in circles: ${this.effects.slice(-6).join(', ')}`);
      const effect = nextEffect(run.lane, { now: this.world.now, isLong: run.isLong });
      if (effect.kind === 'wait') {
        this.wakeAt(run, effect.until);
        return;
      }
      this.effects.push(effect.kind);
      if (this.effects.length > IN_ALL) throw new Error(`the lane never rests: ${this.effects.slice(-6).join(', ')}`);
      if (effect.kind === 'finish') run.isOver = true;
      else if (effect.kind === 'continue-as-new') this.continueAsNew(run);
      else {
        run.lane = decide(run.lane, [{ kind: 'begun', effect }], this.world.now);
        this.perform(run, effect);
      }
    }
  }

  private wakeAt(run: Run, time: number): void {
    if (time === Infinity) return;
    if (time <= this.world.now) throw new Error('a lane waits for what is due');
    this.world.at(time, () => this.goOn(run));
  }

  /** As the deploy workflow hands it on. */
  private continueAsNew(run: Run): void {
    run.isOver = true;
    const { repository, rootName, durations, record, state, showing } = run.lane;
    const carried = {
      record: recordOf(run.lane),
      recordVersion: record.version,
      notices: state.notices,
      reported: showing.reported,
    };
    // As a payload: what is undefined is not there.
    this.begin(JSON.parse(JSON.stringify({ repository, rootName, durations, carried })) as LaneInput);
  }

  private perform(run: Run, effect: Effect): void {
    const { world } = this;
    const ask = <T>(work: () => T, eventOf: (result: T) => LaneEvent) => this.ask(run, effect, work, eventOf);
    switch (effect.kind) {
      case 'read': {
        ask(
          () => world.stored,
          (stored) => ({ kind: 'read', read: { kind: 'read', stored } }),
        );
        return;
      }
      case 'admit': {
        ask(
          () => world.admit(effect.admission),
          (admitted) => ({ kind: 'admitted', effect, admitted }),
        );
        return;
      }
      case 'settle': {
        ask(
          () => world.settle(effect.settlement),
          (stored) => ({ kind: 'settled', effect, stored }),
        );
        return;
      }
      case 'end': {
        ask(
          () => world.settleEnd(effect.settlement),
          (settled) => ({ kind: 'ended', effect, settled }),
        );
        return;
      }
      case 'find': {
        const { deploymentId } = effect;
        ask(
          () => world.find(deploymentId),
          (found) => ({ kind: 'found', deploymentId, found }),
        );
        return;
      }
      case 'show': {
        ask(
          () => world.show(effect.presentations),
          (results) => ({ kind: 'shown', effect, results }),
        );
        return;
      }
      case 'look': {
        run.questions += 1;
        this.poll(run, effect, run.questions);
        return;
      }
      case 'start': {
        this.start(run, effect);
        return;
      }
      case 'pass-on': {
        world.at(world.now, () =>
          this.happen(run, { kind: 'passed-on', passOn: effect.passOn, isThere: world.passOn(effect.passOn) }),
        );
        return;
      }
      default:
        return undefined;
    }
  }

  /** As Temporal tries the activity again while it has no news, and as a later question takes its place. */
  private poll(run: Run, effect: EffectOf<'look'>, question: number): void {
    const { world } = this;
    const later = () => world.at(world.now + 60_000, () => this.poll(run, effect, question));
    if (run.isOver || run.questions !== question) return;
    world.async(
      () => world.look(effect.dependents),
      (found) => {
        if (found === undefined) later();
        else if (run.questions === question) this.happen(run, { kind: 'looked', effect, found });
      },
      later,
    );
  }

  private start(run: Run, effect: Extract<Effect, { kind: 'start' }>): void {
    const { world } = this;
    const { id: deploymentId } = effect.deployment;
    const close = (result: Parameters<Parameters<WorldInMemory['start']>[1]>[0]) =>
      this.happen(run, { kind: 'closed', deploymentId, ...(result && { result }) });
    // Temporal starts it with the task that asks for it; only the answer takes its time.
    const kind = world.start(effect, close) ? 'started' : 'already-started';
    world.at(world.now + world.delay(), () => this.happen(run, { kind, deploymentId }));
  }

  /** An activity: one of a run that is over does nothing any more. */
  private ask<T>(run: Run, effect: Effect, work: () => T, eventOf: (result: T) => LaneEvent): void {
    run.underWay.push(effect.kind);
    const end = (event: LaneEvent) => {
      run.underWay.splice(run.underWay.indexOf(effect.kind), 1);
      this.happen(run, event);
    };
    this.world.async(
      () => (run.isOver ? undefined : eventOf(work())),
      (event) => event !== undefined && end(event),
      (why) => end({ kind: 'failed', effect, why }),
    );
  }

  private look({ lane, underWay }: Run): void {
    if (underWay.filter((kind) => kind !== 'show').length > 1) throw new Error(`together: ${underWay.join(', ')}`);
    if (underWay.filter((kind) => kind === 'show').length > 1) throw new Error('two batches are under way');
    for (const { requestId, answer } of lane.state.judged) {
      const before = this.world.judged.get(requestId);
      if (before !== undefined && JSON.stringify(before) !== JSON.stringify(answer))
        throw new Error(`${requestId} got another answer`);
    }
  }
}
