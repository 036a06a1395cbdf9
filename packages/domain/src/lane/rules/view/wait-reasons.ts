/**
 * Why a deployment of a lane does not go on: every gate that is closed, as far as a view tells its facts, and whatever else holds it
 * up. The lane and the deployment decide by all facts; this is for people who ask.
 */
import { PERMISSION_KEYS, rowOfRule, type PermissionKey } from '../../../actions/actions.ts';
import { defined } from '../../../defined.ts';
import type { Deployment } from '../../../deployment/model.ts';
import { describeRule } from '../../../gates/describe-rule.ts';
import type { Unblocker } from '../../../gates/gate.ts';
import { closedGates, type ClosedGate } from '../../../gates/gates.ts';
import { objectingPolicies } from '../../../gates/objecting-policies.ts';
import type { OrderFacts } from '../../../gates/order.ts';
import type { LaneView } from '../../view.ts';
import { waitIn } from './view.ts';

export interface WaitReason {
  /** The name of a gate; or `queue`, `host`, and `other` for what its workflow says itself. */
  readonly gate: string;
  /** What it waits for. May quote names from outside: hostile. */
  readonly sentence: string;
  /** Who or what can end the wait. */
  readonly who: readonly string[];
  /** When the wait ends by itself, ISO 8601. */
  readonly endsAt?: string;
}

/** None for a deployment that is at work, or about to begin. `now` is in epoch milliseconds. */
export function waitReasons(view: LaneView, deployment: Deployment, now: number): readonly WaitReason[] {
  return view.running?.id === deployment.id ? ofRunning(deployment, now) : ofWaiting(view, deployment, now);
}

function ofWaiting(view: LaneView, deployment: Deployment, now: number): readonly WaitReason[] {
  const { ahead } = waitIn(view, deployment);
  const gates = closedGates('plan', { turn: { deployment, lock: view.lock }, order: orderOf(deployment) }, now);
  const closed = gates.map((gate) => reasonOf(gate, deployment));
  const queue: WaitReason = {
    gate: 'queue',
    sentence: ahead === 1 ? 'one deployment of this lane goes first' : `${ahead} deployments of this lane go first`,
    who: ['the deployments that go first, when they end'],
  };
  const reasons = ahead === 0 ? closed : [...closed, queue];
  if (reasons.length > 0 || view.waitsFor === undefined) return reasons;
  return [other(view.waitsFor)];
}

/** While a deployment of a rollout waits in the queue, only others are a reason. */
function orderOf({ rollout, progress }: Deployment): OrderFacts {
  if (rollout === undefined || progress.reason === undefined) return { kind: 'ready' };
  return { kind: 'waiting', sentence: progress.reason };
}

function ofRunning(deployment: Deployment, now: number): readonly WaitReason[] {
  const { status, reason, waitsFor, plan, overrides, review } = deployment.progress;
  if (waitsFor === 'host') {
    const who = ['a host that has a free slot', 'an operator who adds or resumes one'];
    return [{ gate: 'host', sentence: reason ?? 'no host has a free slot', who }];
  }
  if (status === 'blocked') return [other(reason ?? 'something outside of Nereid does not answer')];
  if (status !== 'awaiting-review' || plan === undefined) return [];
  const facts = {
    policy: { plan: plan.made.body, overrides },
    review: {
      isRequired: plan.reviewRequired,
      answer: review?.answer,
      rules: deployment.root.permissions.confirm,
    },
  };
  return closedGates('confirm', facts, now).map((gate) => ({
    ...reasonOf(gate, deployment),
    ...defined({ endsAt: plan.expiresAt }),
  }));
}

function other(sentence: string): WaitReason {
  return { gate: 'other', sentence, who: ['nobody has to press anything: it goes on by itself once that has changed'] };
}

function reasonOf(closed: ClosedGate, deployment: Deployment): WaitReason {
  const { gate, sentence } = closed;
  if (closed.kind === 'refuses') return { gate, sentence, who: [] };
  const endsAt = closed.until === undefined ? undefined : new Date(closed.until).toISOString();
  return { gate, sentence, who: closed.who.map((who) => describeUnblocker(who, deployment)), ...defined({ endsAt }) };
}

function describeUnblocker(who: Unblocker, { root, progress }: Deployment): string {
  if (who === 'override') return `${rowOfRule(who).label}: ${ownersOf(progress)}`;
  if (isPermissionKey(who)) return `${rowOfRule(who).label}: ${describeRule(who, root.permissions[who])}`;
  return OTHERS[who] ?? who;
}

/** Whoever is no person that an action names. */
const OTHERS: Readonly<Record<string, string>> = {
  'other lanes': 'the deployments of other lanes, when they end',
};

function isPermissionKey(who: Unblocker): who is PermissionKey {
  return (PERMISSION_KEYS as readonly string[]).includes(who);
}

function ownersOf({ plan, overrides }: Deployment['progress']): string {
  const objecting = plan === undefined ? [] : objectingPolicies(plan.made.body, overrides);
  const owners = new Set(objecting.flatMap((policy) => policy.owners ?? []));
  return owners.size === 0 ? 'an owner of the policy' : [...owners].join('; and ');
}
