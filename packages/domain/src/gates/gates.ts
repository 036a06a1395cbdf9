/**
 * Everything that may make a deployment wait. The lane asks the gates of the door `plan`, the deployment those of `confirm`, and
 * control all of `apply` again, by what storage knows and what is signed: nobody at Temporal's port can skip a gate.
 */
import { GATE_NAMES, type GateName } from '../deployment/wait-reason.ts';
import { gateOfAge } from './clock/age.ts';
import { gateOfBudget } from './budgets/budget.ts';
import type { ClosedGate, Door, Gate, GateAnswer, WaitAtApply } from './gate.ts';
import { gateOfOrder } from './order.ts';
import { gateOfPolicy } from './policy.ts';
import { gateOfReview } from './review.ts';
import { gateOfSoak } from './clock/soak.ts';
import { gateOfStop } from './clock/stop.ts';
import { gateOfTurn } from './turn.ts';
import { gateOfWindow } from './clock/window.ts';

/** A gate is one file, one row, one test. `GATE_NAMES` has their order. */
const GATES = {
  turn: gateOfTurn,
  stop: gateOfStop,
  window: gateOfWindow,
  soak: gateOfSoak,
  order: gateOfOrder,
  budget: gateOfBudget,
  age: gateOfAge,
  policy: gateOfPolicy,
  review: gateOfReview,
} as const satisfies Readonly<Record<GateName, object>>;

export type { GateName };

/** The facts by which each gate decides. */
export type GateFacts = { readonly [Name in GateName]: Parameters<(typeof GATES)[Name]['decide']>[0] };

/** The gates that stand at a door. */
export type GateAt<At extends Door> = {
  [Name in GateName]: At extends (typeof GATES)[Name]['doors'][number] ? Name : never;
}[GateName];

/** In the order in which they are asked. */
export function gatesAt<At extends Door>(door: At): readonly GateAt<At>[] {
  return NAMES_AT[door] as readonly GateAt<At>[]; // By what the rows say.
}

/** Found once: a lane asks the gates of a thousand deployments at a time. */
const NAMES_AT: Readonly<Record<Door, readonly GateName[]>> = {
  plan: namesAt('plan'),
  confirm: namesAt('confirm'),
  apply: namesAt('apply'),
};

function namesAt(door: Door): readonly GateName[] {
  const here = GATE_NAMES.filter((name) => (GATES[name].doors as readonly Door[]).includes(door));
  const isLast = (name: GateName) => door === 'apply' && 'isTakenAtApply' in GATES[name];
  return [...here.filter((name) => !isLast(name)), ...here.filter(isLast)];
}

export function askGate<Name extends GateName>(name: Name, facts: GateFacts[Name], now: number): GateAnswer {
  const gate = GATES[name] as unknown as Gate<GateFacts[Name]>; // The type of its own facts.
  return gate.decide(facts, now);
}

/** The result of a wait at this gate when permission to apply is requested. */
export function waitAtApply(name: GateAt<'apply'>): WaitAtApply {
  return GATES[name].waitAtApply;
}

/** Whether a deployment passes all gates of a door. */
export function isDoorOpen<At extends Door>(door: At, facts: Pick<GateFacts, GateAt<At>>, now: number): boolean {
  return stoppingGate(door, facts, now) === undefined;
}

/** All gates of a door that do not let a deployment pass, of those whose facts are known to whoever asks. */
export function closedGates<At extends Door>(
  door: At,
  facts: Partial<Pick<GateFacts, GateAt<At>>>,
  now: number,
): readonly ClosedGate[] {
  const names: readonly GateName[] = gatesAt(door);
  const known: Partial<GateFacts> = facts;
  return names.flatMap((gate) => {
    const own = known[gate];
    if (own === undefined) return [];
    const answer = askGate<GateName>(gate, own, now);
    return answer.kind === 'passes' ? [] : [{ gate, ...answer }];
  });
}

/** The gate that a deployment stops at: one that ends it, or else the first one at which it waits. */
export function stoppingGate<At extends Door>(
  door: At,
  facts: Pick<GateFacts, GateAt<At>>,
  now: number,
): ClosedGate | undefined {
  const closed = closedGates(door, facts, now);
  return closed.find(({ kind }) => kind === 'refuses') ?? closed[0];
}
