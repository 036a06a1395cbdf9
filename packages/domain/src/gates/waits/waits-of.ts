/**
 * Why a deployment does not go on: every gate that is closed, as far as its facts are known to people who ask, and everything else that
 * holds it up. The lane and the deployment decide by all facts.
 */
import { defined } from '../../defined.ts';
import type { Lock } from '../../deployment/lock.ts';
import type { Deployment } from '../../deployment/model.ts';
import { readWaitAtGate, type GateName, type OtherReason, type WaitAtGate } from '../../deployment/wait-reason.ts';
import type { ClosedGate } from '../gate.ts';
import { closedGates, type GateFacts } from '../gates.ts';
import { confirmFacts } from '../reviews/confirm-facts.ts';

/** The sentence says what it waits for. It may quote names from outside: hostile. */
export type Wait =
  | (Pick<WaitAtGate, 'who' | 'until'> & { readonly reason: GateName; readonly sentence: string })
  | { readonly reason: OtherReason; readonly sentence: string };

/** The place of a deployment in its lane. */
interface PlaceInLane {
  /** Of its lane. */
  readonly lock?: Lock | undefined;
  /** How many deployments go before it. */
  readonly ahead?: number;
  /** Who has stopped its root, for whoever knows: its next plan or apply would wait for that. */
  readonly stop?: GateFacts['stop'];
  /** Whether a window keeps its root closed for that, for whoever knows. */
  readonly window?: GateFacts['window'];
}

/** None for a deployment that is at work, about to begin, or over. `now` is in epoch milliseconds. */
export function waitsOf(deployment: Deployment, place: PlaceInLane, now: number): readonly Wait[] {
  const { status, reason, waitsFor } = deployment.progress;
  if (waitsFor === 'host') return [{ reason: 'host', sentence: reason ?? 'no host has a free slot' }];
  switch (status) {
    case 'queued':
      return inQueue(deployment, place, now);
    case 'blocked':
      return blocked(deployment, place, now);
    case 'awaiting-review':
      return [...awaitingReview(deployment, now), ...atItsApply(deployment, place, now)];
    default:
      return [];
  }
}

function inQueue(deployment: Deployment, { lock, ahead = 0 }: PlaceInLane, now: number): readonly Wait[] {
  const { reason: others } = deployment.progress;
  const order = others === undefined ? ({ kind: 'ready' } as const) : ({ kind: 'waiting', sentence: others } as const);
  const closed = closedGates('plan', { turn: { deployment, lock }, order }, now).map(waitAt);
  if (ahead === 0) return closed;
  const sentence =
    ahead === 1 ? 'one deployment of this lane goes first' : `${ahead} deployments of this lane go first`;
  return [...closed, { reason: 'queue', sentence }];
}

/** It names one gate, which was closed when it asked last. A stop or a window may hold it up as well. */
function blocked({ progress }: Deployment, { stop, window }: PlaceInLane, now: number): readonly Wait[] {
  const first = blockedBy(progress);
  if (progress.glass !== undefined) return [first];
  const later = closedGates(doorOf(progress), defined({ stop, window }), now).filter(
    ({ gate }) => gate !== first.reason,
  );
  return [first, ...later.map((closed) => wouldWait(closed, doorOf(progress)))];
}

/** The door at which a deployment stands that waits at a gate. */
export function doorOf({ plan }: Deployment['progress']): 'plan' | 'apply' {
  return plan === undefined ? 'plan' : 'apply';
}

function wouldWait(closed: ClosedGate, door: 'plan' | 'apply'): Wait {
  return waitAt({ ...closed, sentence: `its ${door} would wait: ${closed.sentence}` });
}

function blockedBy({ reason, waitsFor }: Deployment['progress']): Wait {
  const atGate = readWaitAtGate(waitsFor);
  if (atGate === undefined)
    return { reason: 'outside', sentence: reason ?? 'something outside of Nereid does not answer' };
  return waitAt({ ...atGate, kind: 'waits', sentence: reason ?? 'this gate is closed' });
}

/** The plan expires, whoever is asked. */
function awaitingReview({ root, progress }: Deployment, now: number): readonly Wait[] {
  const { plan, review } = progress;
  if (plan === undefined) return [];
  const until = plan.expiresAt === undefined ? undefined : Date.parse(plan.expiresAt);
  const facts = confirmFacts(root, progress, plan, review?.answer);
  return closedGates('confirm', facts, now).map((closed) => ({ ...waitAt(closed), ...defined({ until }) }));
}

/** What its apply would wait for, whoever confirms the plan by then. */
function atItsApply({ progress: { plan, glass } }: Deployment, { stop }: PlaceInLane, now: number): readonly Wait[] {
  if (stop === undefined || glass !== undefined || plan?.made.body.hasChanges === false) return [];
  return closedGates('apply', { stop }, now).map((closed) => wouldWait(closed, 'apply'));
}

function waitAt(closed: ClosedGate): Wait {
  const { gate: reason, sentence } = closed;
  if (closed.kind === 'refuses') return { reason, sentence, who: [] };
  return { reason, sentence, who: closed.who, ...defined({ until: closed.until }) };
}
