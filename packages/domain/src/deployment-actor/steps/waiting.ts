/** The wait for a host that has a free slot. A wait that lasts is shown with its reason, and then the host that plans. */
import type { AtWork, WaitExplained } from '../../host/claim.ts';
import { LONGEST_SHOWN_MS } from '../../deployment/rules/durations.ts';
import { isoOf, type DeploymentActor } from '../actor.ts';
import { enterState, note } from '../changes.ts';
import { advance, withoutReason } from '../progress.ts';
import type { ClaimStep, ClaimWait, PlanStep } from '../step.ts';

/** What is said of a claim until control has said more. */
const WAITING = 'Waiting for a free host';

/** The log of a plan can be read as soon as a host writes it, whoever that is. */
export function beginWait(actor: DeploymentActor, step: ClaimStep | PlanStep, now: number): DeploymentActor {
  const { claimRefreshMs } = actor.durations;
  const wait = { since: now, explainAt: now + claimRefreshMs, pauseMs: claimRefreshMs * 2, isAsking: false };
  const waiting = { ...actor, step: { ...step, wait } };
  return step.kind === 'plan' ? note(waiting, { jobs: { plan: { id: step.jobId, startedAt: isoOf(now) } } }) : waiting;
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

/**
 * When a claim that lasts is shown, in epoch milliseconds. A plan is not: nobody says yet whether a host has taken it, and a check run
 * says from the beginning that the first host with a free slot plans.
 */
export function claimShownAt(actor: DeploymentActor): number {
  const { step, progress, durations } = actor;
  const wait = waitOf(actor);
  if (step.kind !== 'claim' || wait === undefined || progress.waitsFor !== undefined) return Infinity;
  return wait.since + durations.claimShownAfterMs;
}

export function showLongClaim(actor: DeploymentActor, now: number): DeploymentActor {
  const { reason = WAITING } = actor.progress;
  return claimShownAt(actor) <= now ? note(actor, { reason, waitsFor: 'host' }) : actor;
}

export function beginExplaining(actor: DeploymentActor): DeploymentActor {
  return withWait(actor, { isAsking: true });
}

/**
 * Shows the reason. The next one is asked for later and later: thousands may wait at the same time, and the numbers change all the
 * time. Those of the moment are on the console's page of hosts. A host that is said to plan ends no asking: it may have died, and
 * anybody can pose as one.
 */
export function explained(actor: DeploymentActor, answer: WaitExplained | undefined, now: number): DeploymentActor {
  const wait = waitOf(actor);
  if (wait === undefined) return actor;
  const pauseMs = Math.min(wait.pauseMs * 2, LONGEST_SHOWN_MS);
  const next = withWait(actor, { isAsking: false, explainAt: now + wait.pauseMs, pauseMs });
  const { step } = next;
  if (answer?.kind === 'at work') return step.kind === 'plan' ? plannerFound(next, step, answer, now) : next;
  return answer === undefined ? next : note(withoutPlanner(next), { reason: answer.why, waitsFor: 'host' });
}

/** What was said to plan does not: the deployment has waited all the time. */
function withoutPlanner(actor: DeploymentActor): DeploymentActor {
  const { step } = actor;
  if (step.kind !== 'plan' || step.host === undefined || step.wait === undefined) return actor;
  const { host, wait, ...own } = step;
  const { hostId: _none, ...progress } = actor.progress;
  return { ...actor, progress, step: { ...own, wait: { ...wait, since: Date.parse(host.since) } } };
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
  const over = endWait(there, step, at);
  const jobs = { plan: { id: step.jobId, startedAt: isoOf(at) } };
  const planning = advance(over.progress, 'planning', isoOf(at), { hostId, jobs });
  return { ...enterState(over, planning, now), step: { ...step, host: { hostId, since: isoOf(at) } } };
}
