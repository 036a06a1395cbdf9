/** The changes that several steps of a deployment make. */
import { defined } from '../defined.ts';
import type { HostJob } from '../deployment/job/host-job.ts';
import type { Deployment } from '../deployment/model.ts';
import type { Said } from '../deployment/notice.ts';
import { orderOf } from '../deployment/order.ts';
import type { Progress } from '../deployment/progress.ts';
import type { DeploymentStatus } from '../deployment/status.ts';
import { jobIdOf, type Job } from '../host/job.ts';
import type { AuditEvent, JobAuditEvent } from '../trail/audit-event.ts';
import { auditEvent } from '../trail/job-audit.ts';
import { afterState, withNotice } from '../lane/rules/state/notices.ts';
import { isoOf, type DeploymentActor } from './actor.ts';
import { LONGEST_PAUSE_MS } from '../deployment/rules/durations.ts';
import { advance } from './progress.ts';
import type { ClaimStep, InspectStep, Place, PlanStep } from './step.ts';

export function goTo(actor: DeploymentActor, place: Place): DeploymentActor {
  return { ...actor, step: { kind: 'to', place } };
}

/** Enters a new state. A notice about the previous state stays long enough to be read. */
export function advanceTo(
  actor: DeploymentActor,
  status: DeploymentStatus,
  now: number,
  more: Partial<Progress> = {},
): DeploymentActor {
  return enterState(actor, advance(actor.progress, status, isoOf(now), more), now);
}

export function enterState(actor: DeploymentActor, progress: Progress, now: number): DeploymentActor {
  const { id } = actor.input.deployment;
  const { notice } = actor.showing;
  const kept = notice && afterState({ [id]: notice }, id, isoOf(now))[id];
  return { ...actor, progress, showing: { ...actor.showing, notice: kept } };
}

/** Adds to the current state. */
export function note(actor: DeploymentActor, more: Partial<Progress>): DeploymentActor {
  return { ...actor, progress: { ...actor.progress, ...more } };
}

/** Shows a sentence to a person who just asked for something. */
export function notify(actor: DeploymentActor, said: Said, now: number): DeploymentActor {
  const { id } = actor.input.deployment;
  return { ...actor, showing: { ...actor.showing, notice: withNotice({}, id, said, isoOf(now))[id] } };
}

/** The deployment last made from each progress, so that its appearance on the forge is computed once. */
const lastDeployments = new WeakMap<Progress, Deployment>();

/** The deployment as it stands, with the lane's times from before its start; the same object until something changes. */
export function deploymentOf({ input, progress, showing, unlocked, cancellation }: DeploymentActor): Deployment {
  const { deployment } = input;
  const { checkRuns } = showing;
  const last = lastDeployments.get(progress);
  if (last?.checkRuns === checkRuns && last.unlocked === unlocked && last.cancellation === cancellation) return last;
  const times = { ...deployment.progress.times, ...progress.times };
  const people = { ...(unlocked && { unlocked }), ...(cancellation && { cancellation }) };
  const changed = { ...deployment, checkRuns, ...people, progress: { ...progress, times } };
  lastDeployments.set(progress, changed);
  return changed;
}

/** Returns the deployment with one more job of this phase, and the job. */
export function openJob(actor: DeploymentActor, phase: 'plan' | 'apply', now: number): readonly [DeploymentActor, Job] {
  const { hosts, input } = actor;
  const number = hosts.jobs[phase] + 1;
  const job = { id: jobIdOf(input.deployment.id, phase, number), startedAt: isoOf(now) };
  return [{ ...actor, hosts: { ...hosts, jobs: { ...hosts.jobs, [phase]: number } } }, job];
}

export function hostJobOf({ input: { repository, deployment } }: DeploymentActor, jobId: string): HostJob {
  return { jobId, order: orderOf(repository, deployment) };
}

/** Between plan and apply, people may take days, so a host that applies asks for a token of its own, or has one. */
export function planJobOf(actor: DeploymentActor, jobId: string): HostJob {
  return { ...hostJobOf(actor, jobId), ...defined({ readToken: actor.input.readToken }) };
}

/** A host whose answer ends the deployment cleans up by itself, and also deletes the kept plan. */
export function delegateCleanUp(actor: DeploymentActor, hostId: string): DeploymentActor {
  const used = actor.hosts.used.filter((one) => one !== hostId);
  return { ...actor, hosts: { ...actor.hosts, used, keepsPlan: false } };
}

/** Keeps an event for the next write to the audit trail. */
export function audit(actor: DeploymentActor, job: Job, state: JobAuditEvent['state']): DeploymentActor {
  return withAudits(actor, [auditEvent(actor.input.repository, deploymentOf(actor), job, state)]);
}

export function withAudits(actor: DeploymentActor, audits: readonly AuditEvent[]): DeploymentActor {
  return { ...actor, trail: { ...actor.trail, audits: [...actor.trail.audits, ...audits] } };
}

/**
 * Writes what waits for the next write, where that may be days away: a person is asked again. Called while the deployment still has
 * the plan and the review that the events are about.
 */
export function writeAudits(actor: DeploymentActor): DeploymentActor {
  const { trail, input } = actor;
  if (trail.audits.length === 0) return actor;
  const one = { repository: input.repository, deployment: deploymentOf(actor), audits: trail.audits };
  return { ...actor, trail: { ...trail, audits: [], unapplied: [...trail.unapplied, one] } };
}

/** From now on, failures are tried again for as long as the deployment's patience lasts. */
export function withPatience(actor: DeploymentActor, now: number): DeploymentActor {
  const { durations, hosts, attempts } = actor;
  const patience = { deadline: now - hosts.waitedMs + durations.patienceMs, pauseMs: durations.pauseMs };
  return { ...actor, attempts: { ...attempts, patience } };
}

/** Shows the reason, and goes on after a pause that doubles; undefined when it is time to give up. */
export function pause(
  actor: DeploymentActor,
  reason: string,
  next: ClaimStep | PlanStep | InspectStep,
  now: number,
): DeploymentActor | undefined {
  const { deadline, pauseMs } = actor.attempts.patience;
  if (now - actor.hosts.waitedMs + pauseMs > deadline) return undefined;
  const patience = { deadline, pauseMs: Math.min(pauseMs * 2, LONGEST_PAUSE_MS) };
  return {
    ...note(actor, { reason }),
    attempts: { ...actor.attempts, patience },
    step: { kind: 'pause', until: now + pauseMs, next },
  };
}
