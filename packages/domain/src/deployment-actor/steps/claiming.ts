/** Claims a slot on a host, to apply there. */
import type { Claim } from '../../host/claim.ts';
import type { Signed } from '../../signed.ts';
import type { DeploymentActor } from '../actor.ts';
import { goTo } from '../changes.ts';
import type { EffectFailure } from '../events.ts';
import type { ClaimStep } from '../step.ts';
import { replaceHost } from './applying.ts';
import { askPermission } from './permission.ts';
import { planAnew } from './plan-anew.ts';
import { endWait } from './waiting.ts';

export function claimed(actor: DeploymentActor, step: ClaimStep, claim: Signed<Claim>, now: number): DeploymentActor {
  const { hostId } = claim.body;
  const over = endWait(actor, step, now);
  const used = [...new Set([...over.hosts.used, hostId])];
  const there = { ...over, hosts: { ...over.hosts, claim, used } };
  switch (step.for.kind) {
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
    case 'reviewed':
      return planAnew(over, failure.why, now);
    case 'another host':
      return replaceHost(over, step.for.applying, failure.why, now);
  }
}
