/** A deployment at work in memory: the world may be slow, fail, or lose answers, and each step is checked for what must never be. */
import type { ApplyOutcome } from '../../deployment/job/apply-outcome.ts';
import type { ApplyJob } from '../../deployment/job/host-job.ts';
import type { Deployment } from '../../deployment/model.ts';
import type { Presentation } from '../../deployment/presentation.ts';
import type { WaitExplained } from '../../host/claim.ts';
import type { TerraformInput } from '../../deployment/terraform-workflow.ts';
import type { ReturnedEnd } from '../../lane/activities.ts';
import type { ReviewedPlan } from '../../plan/merge-review.ts';
import type { PlanReview } from '../../plan/review.ts';
import { isJobAuditEvent, type AuditEvent } from '../../trail/audit-event.ts';
import type { Beginning } from '../activities.ts';
import { appearance } from '../../lane/rules/check-runs/presentations.ts';
import { isoOf, type DeploymentActor } from '../actor.ts';
import { decideDeployment } from '../decide.ts';
import type { Answers, Asking, DeploymentEffect } from '../effects.ts';
import type { Answered, DeploymentEvent, EffectFailure } from '../events.ts';
import { nextDeploymentEffect } from '../next-effect.ts';
import { openDeployment } from '../open.ts';
import { beginWriting, endWriting, presentationOf } from '../showing.ts';
import type { Press } from '../press.ts';
import { aPlan, claimOf, DIGEST, goOf, OTHER_DIGEST, planned } from '../testing.ts';
import { isWork } from '../work.ts';
import { GatesInMemory } from './gates-in-memory.ts';
import { requireAllApprovals } from './require-all-approvals.ts';
import type { Signed } from '../../signed.ts';
import { WorldWithClock } from '../../testing/world-with-clock.ts';

/** The signature that control believes. */
export const SIGNED = 'signed by intake';

/** No host signed so. */
const MADE_UP = 'made up';

const COUNTS = { added: 1, changed: 0, destroyed: 0, imported: 0 };

/** Temporal retries these until they are answered. */
const RETRIED: ReadonlySet<Asking['kind']> = new Set([
  ...(['claim', 'record-refusal', 'record-unapplied', 'end', 'record-end'] as const),
]);

/** So many effects at one moment go round in circles. */
const AT_ONE_MOMENT = 100;

/** A test takes some dozens. */
const IN_ALL = 2_000;

export class DeploymentInMemory extends WorldWithClock {
  actor: DeploymentActor;
  result: ReturnedEnd | undefined;
  /** The jobs in which Terraform applied something, or may have. */
  readonly applied: string[] = [];
  readonly trail: AuditEvent[] = [];
  readonly presses: Press[] = [];
  /** What GitHub shows. */
  shown: Presentation | undefined;
  readonly gates = new GatesInMemory();
  readonly cleaned = new Set<string>();
  readonly planned = new Set<string>();
  private readonly underWay: Asking[] = [];
  private readonly permissions: Beginning[] = [];
  /** How each apply that began ends, by job: its host says so whenever it is asked. */
  private readonly outcomes = new Map<string, ApplyOutcome>();
  /** The host of each plan that one took. */
  private readonly planners = new Map<Asking, string>();
  private effects = 0;
  private plans = 0;

  constructor(input: TerraformInput, random: () => number) {
    super(random);
    this.actor = openDeployment(input, this.now, this.isLikely(50));
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

  private perform(effect: Asking): DeploymentEvent {
    const answered = <Kind extends keyof Answers>(of: Kind, answer: Answers[Kind]) =>
      ({ kind: 'answered', of, effect, answer }) as Answered;
    switch (effect.kind) {
      case 'find-reviewed':
        return answered(effect.kind, this.findReviewed());
      case 'claim':
        return answered(effect.kind, claimOf(this.actor.input.deployment.id, this.anyHost()));
      case 'plan':
        return this.plan(effect);
      case 'verify-plan':
      case 'verify-approval':
      case 'verify-press':
        return this.verify(effect) ? answered(effect.kind, 'verified') : this.fail(effect, 'FORGED');
      case 'carry-review':
        return answered(effect.kind, { kind: 'not-carried', why: 'its root asks about each plan' });
      case 'begin':
        return this.permit(effect.beginning, effect);
      case 'find-host':
        return answered(effect.kind, this.isHealthy || this.isLikely(60));
      case 'apply':
        return this.apply(effect.job, effect);
      case 'inspect':
        return answered(effect.kind, this.outcomes.get(effect.job.jobId) ?? { kind: 'not-begun' });
      case 'explain-wait':
        return answered(effect.kind, this.explain(this.underWay.find(({ kind }) => kind === 'plan')));
      case 'show':
        if (isMadeUp(effect.presentation.deployment)) return this.fail(effect, 'FORGED');
        return answered(effect.kind, this.show(effect.presentation));
      case 'record-refusal':
        this.trail.push({ ...refusalOf(effect.refusal.review) });
        return answered(effect.kind, 'done');
      case 'record-unapplied':
        this.trail.push(...effect.unapplied.audits);
        return answered(effect.kind, 'done');
      case 'end': {
        const { show, record, audits } = effect.ending;
        const shown = show && this.show({ ...show, deployment: record.deployment });
        const isStored = this.isHealthy || this.isLikely(80);
        if (isStored) this.trail.push(...audits);
        return answered(effect.kind, { isStored, ...(shown && { shown }) });
      }
      case 'record-end':
        this.trail.push(...effect.finish.audits);
        return answered(effect.kind, 'done');
      case 'clean-up':
        this.cleaned.add(effect.hostId);
        return answered(effect.kind, 'done');
    }
  }

  /** The review from before the merge holds most of the time. */
  private findReviewed(): ReviewedPlan {
    if (this.isLikely(30)) return { kind: 'unusable', why: 'other files were merged' };
    const approval = aReview({ digest: OTHER_DIGEST, by: 'grace' });
    this.presses.push(approval);
    return { kind: 'usable', plan: aPlan({ digest: OTHER_DIGEST, beforeMerge: true }), approval };
  }

  private explain(plan: Asking | undefined): WaitExplained {
    const hostId = plan && this.planners.get(plan);
    if (hostId === undefined) return { kind: 'waits', why: 'Waiting for a host' };
    return { kind: 'at work', hostId, since: isoOf(this.now) };
  }

  private anyHost(): string {
    return `h${1 + Math.floor(this.random() * 3)}`;
  }

  private plan(effect: Asking): DeploymentEvent {
    const hostId = this.anyHost();
    this.planned.add(hostId);
    this.planners.set(effect, hostId);
    this.plans += 1;
    const outcome =
      !this.isHealthy && this.isLikely(10)
        ? ({ kind: 'failed', failure: { body: { summary: 'exit code 1', lines: [] } } } as const)
        : planned({ digest: this.plans % 2 === 1 ? DIGEST : OTHER_DIGEST }, this.signatureOfHost());
    const claim = claimOf(this.actor.input.deployment.id, hostId);
    const answer = { claim, since: isoOf(this.now), outcome };
    return { kind: 'answered', of: 'plan', effect, answer } as Answered;
  }

  /** Now and then, somebody else answers for a host. */
  private signatureOfHost(): string | undefined {
    const isReviewed = this.actor.input.deployment.root.planReview === 'required';
    return isReviewed && !this.isHealthy && this.isLikely(10) ? MADE_UP : undefined;
  }

  private verify(effect: Asking): boolean {
    if (effect.kind === 'verify-plan') return effect.plan.made.signature !== MADE_UP;
    if (effect.kind === 'verify-press') return effect.press.signature === SIGNED;
    return effect.kind !== 'verify-approval' || effect.approval.signature === SIGNED;
  }

  /** As control gives it: for a signed approval of this plan, once the audit trail has the start. */
  private permit(beginning: Beginning, effect: Asking): DeploymentEvent {
    const { review, deployment, audits } = beginning;
    const { plan } = deployment.progress;
    if (plan?.reviewRequired === true) {
      if (review?.signature !== SIGNED) return this.fail(effect, 'FORGED');
      if (review.body.digest !== plan.made.body.digest)
        throw new Error('permission is asked with the approval of another plan');
      requireAllApprovals(beginning, review, SIGNED);
    }
    if (this.gates.isOvertaken)
      return { kind: 'failed', effect, failure: { kind: 'refused', code: 'OVERTAKEN', why: 'a person rejected it' } };
    if (!this.isHealthy && this.isLikely(20)) return this.close(audits, effect);
    if (!this.isHealthy && this.isLikely(5))
      return { kind: 'failed', effect, failure: { kind: 'refused', code: 'PLAN_TOO_OLD', why: 'it is too old' } };
    this.trail.push(...audits);
    this.permissions.push(beginning);
    return { kind: 'answered', of: 'begin', effect, answer: goOf(beginning) } as Answered;
  }

  private close(audits: readonly AuditEvent[], effect: Asking): DeploymentEvent {
    const isRepeated = this.isLikely(20);
    if (isRepeated) this.trail.push(...audits);
    return this.gates.close(effect, this.now, this.random, isRepeated);
  }

  private apply(job: ApplyJob, effect: Asking): DeploymentEvent {
    const isPermitted = this.permissions.some(
      ({ hostId, job: { id }, deployment }) =>
        hostId === job.go.body.hostId &&
        id === job.jobId &&
        deployment.progress.plan?.made.body.digest === job.go.body.digest,
    );
    if (!isPermitted) throw new Error(`${job.jobId} is applied without permission`);
    if (this.applied.length > 0) throw new Error(`${job.jobId} is applied after ${this.applied.join(', ')}`);
    const answer = (outcome: ApplyOutcome) =>
      ({ kind: 'answered', of: 'apply', effect, answer: outcome }) as DeploymentEvent;
    if (!this.isHealthy && this.isLikely(15)) return answer({ kind: 'plan-unusable', why: 'the state changed' });
    if (this.gates.isOvertaken || (!this.isHealthy && this.isLikely(15))) return this.fail(effect, 'HOST_DECLINED');
    this.applied.push(job.jobId);
    const outcome: ApplyOutcome = this.isLikely(70)
      ? { kind: 'applied', counts: COUNTS }
      : { kind: 'failed', failure: { body: { summary: 'exit code 1', lines: [] } } };
    this.outcomes.set(job.jobId, outcome);
    return answer(outcome);
  }

  private show(presentation: Presentation): Answers['show'] {
    this.shown = presentation;
    return { kind: 'shown', deploymentId: 'd1', checkRuns: [{ id: 1, completed: false }] };
  }

  private fail(effect: Asking, code?: string): DeploymentEvent {
    const failure = {
      kind: code === 'FORGED' ? 'refused' : 'failed',
      why: 'it is away',
      ...(code !== undefined && { code }),
    };
    // An apply whose failure nobody foresaw may have begun.
    return { kind: 'failed', effect, failure: { ...failure, ...this.hostOf(effect) } as EffectFailure };
  }

  private lose(effect: Asking): DeploymentEvent {
    return { kind: 'failed', effect, failure: { kind: 'lost', why: 'the host was lost', ...this.hostOf(effect) } };
  }

  private hostOf(effect: Asking): Pick<EffectFailure, 'host'> {
    const hostId = this.planners.get(effect);
    return hostId === undefined ? {} : { host: { hostId, since: isoOf(this.now) } };
  }

  /** Within a second most of the time, and always within a minute. */
  private delay(): number {
    return Math.floor(this.random() * (this.isHealthy || this.isLikely(80) ? 500 : 60_000));
  }
}

export function aReview(more: Partial<PlanReview> = {}, signature = SIGNED): Signed<PlanReview> {
  const about = { version: 1, requestId: 'press', deploymentId: 'd1', answer: 'approved', digest: DIGEST } as const;
  return { body: { ...about, by: 'grace', at: '2026-01-31T14:00:00.000Z', ...more }, signature };
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

function isMadeUp({ progress }: Pick<Deployment, 'progress'>): boolean {
  return progress.plan?.made.signature === MADE_UP;
}

function refusalOf(press: Press): AuditEvent {
  return { id: `${press.body.requestId}:REFUSED` } as AuditEvent; // Nobody reads the rest.
}
