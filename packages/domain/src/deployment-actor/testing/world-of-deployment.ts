/** What control, hosts and GitHub answer to a deployment in memory. They refuse what must never be. */
import type { ApplyOutcome } from '../../deployment/job/apply-outcome.ts';
import type { ApplyJob } from '../../deployment/job/host-job.ts';
import type { Deployment } from '../../deployment/model.ts';
import type { Presentation } from '../../deployment/presentation.ts';
import type { TerraformInput } from '../../deployment/terraform-workflow.ts';
import type { WaitExplained } from '../../host/claim.ts';
import type { ReviewedPlan } from '../../plan/merge-review.ts';
import type { PlanReview } from '../../plan/review.ts';
import type { Signed } from '../../signed.ts';
import { WorldWithClock } from '../../testing/world-with-clock.ts';
import type { AuditEvent } from '../../trail/audit-event.ts';
import type { Beginning } from '../activities.ts';
import { isoOf, type DeploymentActor } from '../actor.ts';
import type { Answers, Asking } from '../effects.ts';
import type { Answered, DeploymentEvent, EffectFailure } from '../events.ts';
import { openDeployment } from '../open.ts';
import type { Press } from '../press.ts';
import { aPlan, claimOf, DIGEST, goOf, OTHER_DIGEST, planned } from '../testing.ts';
import { GatesInMemory } from './gates-in-memory.ts';
import { requireAllApprovals } from './require-all-approvals.ts';

/** The signature that control believes. */
export const SIGNED = 'signed by intake';

/** No host signed so. */
const MADE_UP = 'made up';

const COUNTS = { added: 1, changed: 0, destroyed: 0, imported: 0 };

export class WorldOfDeployment extends WorldWithClock {
  actor: DeploymentActor;
  /** The jobs in which Terraform applied something, or may have. */
  readonly applied: string[] = [];
  readonly trail: AuditEvent[] = [];
  readonly presses: Press[] = [];
  /** What GitHub shows. */
  shown: Presentation | undefined;
  readonly gates = new GatesInMemory();
  readonly cleaned = new Set<string>();
  readonly planned = new Set<string>();
  /** The host of each plan that one took. */
  protected readonly planners = new Map<Asking, string>();
  protected readonly underWay: Asking[] = [];
  private readonly permissions: Beginning[] = [];
  /** How each apply that began ends, by job: its host says so whenever it is asked. */
  private readonly outcomes = new Map<string, ApplyOutcome>();
  private plans = 0;

  constructor(input: TerraformInput, random: () => number) {
    super(random);
    this.actor = openDeployment(input, this.now, this.isLikely(50));
  }

  protected perform(effect: Asking): DeploymentEvent {
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

  protected show(presentation: Presentation): Answers['show'] {
    this.shown = presentation;
    return { kind: 'shown', deploymentId: 'd1', checkRuns: [{ id: 1, completed: false }] };
  }

  protected fail(effect: Asking, code?: string): DeploymentEvent {
    const failure = {
      kind: code === 'FORGED' ? 'refused' : 'failed',
      why: 'it is away',
      ...(code !== undefined && { code }),
    };
    // An apply whose failure nobody foresaw may have begun.
    return { kind: 'failed', effect, failure: { ...failure, ...this.hostOf(effect) } as EffectFailure };
  }

  protected hostOf(effect: Asking): Pick<EffectFailure, 'host'> {
    const hostId = this.planners.get(effect);
    return hostId === undefined ? {} : { host: { hostId, since: isoOf(this.now) } };
  }
}

export function aReview(more: Partial<PlanReview> = {}, signature = SIGNED): Signed<PlanReview> {
  const about = { version: 1, requestId: 'press', deploymentId: 'd1', answer: 'approved', digest: DIGEST } as const;
  return { body: { ...about, by: 'grace', at: '2026-01-31T14:00:00.000Z', ...more }, signature };
}

export function isMadeUp({ progress }: Pick<Deployment, 'progress'>): boolean {
  return progress.plan?.made.signature === MADE_UP;
}

function refusalOf(press: Press): AuditEvent {
  return { id: `${press.body.requestId}:REFUSED` } as AuditEvent; // Nobody reads the rest.
}
