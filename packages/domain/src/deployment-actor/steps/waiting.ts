/** The wait for a host that has a free slot. A wait that lasts is shown with its reason, and then the host that plans. */
import type { AtWork, WaitExplained } from '../../host/claim.ts';
import { LONGEST_SHOWN_MS } from '../../deployment/rules/durations.ts';
import { isoOf, type DeploymentActor } from '../actor.ts';
import { enterState, note } from '../changes.ts';
import { advance, withoutReason } from '../progress.ts';
import type { ClaimStep, ClaimWait, PlanStep } from '../step.ts';

export function beginWait(actor: DeploymentActor, step: ClaimStep | PlanStep, now: number): DeploymentActor {
  const { claimShownAfterMs, claimRefreshMs } = actor.durations;
  const wait = { since: now, explainAt: now + claimShownAfterMs, pauseMs: claimRefreshMs, isAsking: false };
  return { ...actor, step: { ...step, wait } };
}

/** Such a wait is no failure, and uses up no patience. */
export function endWait(actor: DeploymentActor, { wait }: ClaimStep | PlanStep, now: number): DeploymentActor {
  const waitedMs = actor.hosts.waitedMs + (wait === undefined ? 0 : now - wait.since);
  const progress = actor.progress.waitsFor === undefined ? actor.progress : withoutReason(actor.progress);
  return { ...actor, progress, hosts: { ...actor.hosts, waitedMs } };
}

/** The wait that is under way. */
export function waitOf({ step, work }: DeploymentActor): ClaimWait | undefined {
  return (step.kind === 'claim' || step.kind === 'plan') && work?.kind === step.kind ? step.wait : undefined;
}

export function beginExplaining(actor: DeploymentActor): DeploymentActor {
  return withWait(actor, { isAsking: true });
}

/**
 * Shows the reason. The next one is asked for later and later: thousands may wait at the same time, and the numbers change all the
 * time. Those of the moment are on the console's page of hosts. Once a host plans, nothing is asked any more.
 */
export function explained(actor: DeploymentActor, answer: WaitExplained | undefined, now: number): DeploymentActor {
  const { step } = actor;
  const wait = waitOf(actor);
  if (wait === undefined) return actor;
  if (answer?.kind === 'at work' && step.kind === 'plan') return plannerFound(actor, step, answer, now);
  const shown = answer?.kind === 'waits' ? note(actor, { reason: answer.why, waitsFor: 'host' }) : actor;
  const pauseMs = Math.min(wait.pauseMs * 2, LONGEST_SHOWN_MS);
  return withWait(shown, { isAsking: false, explainAt: now + wait.pauseMs, pauseMs });
}

function withWait(actor: DeploymentActor, more: Partial<ClaimWait>): DeploymentActor {
  const { step } = actor;
  if ((step.kind !== 'claim' && step.kind !== 'plan') || step.wait === undefined) return actor;
  return { ...actor, step: { ...step, wait: { ...step.wait, ...more } } };
}

/** This host plans. Its clock may differ from the workflow's. */
export function plannerFound(
  actor: DeploymentActor,
  step: PlanStep,
  { hostId, since }: AtWork,
  now: number,
): DeploymentActor {
  const { hosts } = actor;
  const used = [...new Set([...hosts.used, hostId])];
  const there = { ...actor, hosts: { ...hosts, used, keepsPlan: true } };
  if (step.host !== undefined) return note(there, { hostId });
  const at = Math.min(Math.max(Date.parse(since), step.wait?.since ?? now), now) || now;
  const { wait: _over, ...own } = step;
  const over = endWait(there, step, at);
  const jobs = { plan: { id: step.jobId, startedAt: isoOf(at) } };
  const planning = advance(over.progress, 'planning', isoOf(at), { hostId, jobs });
  return { ...enterState(over, planning, now), step: { ...own, host: { hostId, since: isoOf(at) } } };
}
