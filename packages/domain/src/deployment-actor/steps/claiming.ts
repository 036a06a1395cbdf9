/** Claims a slot on a host. A wait that lasts is shown, with its reason. */
import type { Claim } from '../../host/claim.ts';
import type { Signed } from '../../signed.ts';
import { isPreview, type DeploymentActor } from '../actor.ts';
import { goTo, note } from '../changes.ts';
import { LONGEST_SHOWN_MS } from '../../deployment/rules/durations.ts';
import type { EffectFailure } from '../events.ts';
import { withoutReason } from '../progress.ts';
import type { ClaimStep, ClaimWait } from '../step.ts';
import { replaceHost } from './applying.ts';
import { askPermission } from './permission.ts';
import { planAnew } from './plan-anew.ts';
import { failPlanning, planOn } from './planning.ts';

/** What the slot is for; a person has already waited for an apply. */
export function claimsOf(actor: DeploymentActor, step: ClaimStep): 'plan' | 'preview' | 'apply' {
  if (step.for.kind !== 'plan') return 'apply';
  return isPreview(actor) ? 'preview' : 'plan';
}

export function beginClaim(actor: DeploymentActor, step: ClaimStep, now: number): DeploymentActor {
  const { claimShownAfterMs, claimRefreshMs } = actor.durations;
  const wait = { since: now, explainAt: now + claimShownAfterMs, pauseMs: claimRefreshMs, isAsking: false };
  return { ...actor, step: { ...step, wait } };
}

export function claimed(actor: DeploymentActor, step: ClaimStep, claim: Signed<Claim>, now: number): DeploymentActor {
  const { hostId } = claim.body;
  const over = endWait(actor, step, now);
  const used = [...new Set([...over.hosts.used, hostId])];
  const there = { ...over, hosts: { ...over.hosts, claim, used } };
  switch (step.for.kind) {
    case 'plan':
      return planOn(there, hostId, now);
    case 'reviewed':
      return goTo(there, { kind: 'permission', plan: step.for.plan });
    case 'another host':
      return askPermission(there, 'elsewhere', step.for.applying);
  }
}

/** Only for good: a claim is retried for as long as it takes. */
export function failClaim(actor: DeploymentActor, step: ClaimStep, failure: EffectFailure, now: number) {
  const over = endWait(actor, step, now);
  switch (step.for.kind) {
    case 'plan':
      return failPlanning(over, failure, now);
    case 'reviewed':
      return planAnew(over, failure.why, now);
    case 'another host':
      return replaceHost(over, step.for.applying, failure.why, now);
  }
}

/** Such a wait is no failure, and uses up no patience. */
export function endWait(actor: DeploymentActor, { wait }: ClaimStep, now: number): DeploymentActor {
  const waitedMs = actor.hosts.waitedMs + (wait === undefined ? 0 : now - wait.since);
  const progress = actor.progress.waitsFor === undefined ? actor.progress : withoutReason(actor.progress);
  return { ...actor, progress, hosts: { ...actor.hosts, waitedMs } };
}

/** The wait of a claim that is under way. */
export function waitOf({ step, work }: DeploymentActor): ClaimWait | undefined {
  return step.kind === 'claim' && work?.kind === 'claim' ? step.wait : undefined;
}

export function beginExplaining(actor: DeploymentActor): DeploymentActor {
  return withWait(actor, { isAsking: true });
}

/**
 * Shows the reason. The next one is asked for later and later: thousands may wait at the same time, and the numbers change all the
 * time. Those of the moment are on the console's page of hosts.
 */
export function explained(actor: DeploymentActor, reason: string | undefined, now: number): DeploymentActor {
  const wait = waitOf(actor);
  if (wait === undefined) return actor;
  const shown = reason === undefined ? actor : note(actor, { reason, waitsFor: 'host' });
  const pauseMs = Math.min(wait.pauseMs * 2, LONGEST_SHOWN_MS);
  return withWait(shown, { isAsking: false, explainAt: now + wait.pauseMs, pauseMs });
}

function withWait(actor: DeploymentActor, more: Partial<ClaimWait>): DeploymentActor {
  const { step } = actor;
  if (step.kind !== 'claim' || step.wait === undefined) return actor;
  return { ...actor, step: { ...step, wait: { ...step.wait, ...more } } };
}
