import {
  askGate,
  gatesAt,
  gateWaitOf,
  waitAtApply,
  type GateAt,
  type GateClosed,
  type GateFacts,
  type GateWait,
} from '@nereid/domain/gates';
import { withoutMentions } from '@nereid/domain/deployment';
import { PLAN_TOO_OLD } from '@nereid/domain/temporal-names';

/** A gate at the door `apply` does not let a deployment pass. */
class GateClosedError extends Error {
  override readonly name = 'GateClosedError';
  readonly code: string;
  /** Present where the deployment keeps waiting at the gate. */
  readonly wait?: GateWait;

  constructor(gate: GateAt<'apply'>, closed: GateClosed, said: Pick<GateWait, 'isRepeated'>) {
    super(MESSAGES[gate](closed.sentence));
    this.code = CODES[gate][closed.kind];
    if (closed.kind === 'refuses' || waitAtApply(gate) !== 'keeps waiting') return;
    this.wait = { ...gateWaitOf({ gate, ...closed }), ...said };
  }
}

/** Why a deployment keeps waiting at a gate, if that is the error. */
export function gateWaitIn(error: unknown): GateWait | undefined {
  return error instanceof GateClosedError ? error.wait : undefined;
}

const CODES: Readonly<Record<GateAt<'apply'>, Readonly<Record<GateClosed['kind'], string>>>> = {
  turn: { waits: 'LANE_LOCKED', refuses: 'LANE_LOCKED' },
  order: { waits: 'DEPENDENCY_OPEN', refuses: 'DEPENDENCY_FAILED' },
  stop: { waits: 'GATE_CLOSED', refuses: 'GATE_CLOSED' },
  window: { waits: 'GATE_CLOSED', refuses: 'GATE_CLOSED' },
  soak: { waits: 'GATE_CLOSED', refuses: 'GATE_CLOSED' },
  age: { waits: PLAN_TOO_OLD, refuses: PLAN_TOO_OLD },
  policy: { waits: 'POLICY_CHANGED', refuses: 'POLICY_CHANGED' },
  review: { waits: 'POLICY_CHANGED', refuses: 'POLICY_CHANGED' },
  budget: { waits: 'GATE_CLOSED', refuses: 'GATE_CLOSED' },
};

/** The codes of closed gates after which the activity is not tried again: the deployment ends, or waits by itself. */
export const FINAL_CODES: readonly string[] = gatesAt('apply').flatMap((gate) =>
  waitAtApply(gate) === 'is asked again' ? [CODES[gate].refuses] : Object.values(CODES[gate]),
);

/** With what people can do about it. */
const MESSAGES: Readonly<Record<GateAt<'apply'>, (sentence: string) => string>> = {
  turn: (sentence) => `${withoutMentions(sentence)}: unlock it, then press Re-run`,
  order: (sentence) => sentence,
  stop: (sentence) => sentence,
  window: (sentence) => sentence,
  soak: (sentence) => sentence,
  age: (sentence) => sentence,
  policy: (sentence) => `${sentence}: press Re-run`,
  budget: (sentence) => sentence,
  review: () =>
    "by now, the server's file requires a review of this plan, or more people than confirmed it: press Re-run",
};

/** Throws unless the gate lets the deployment pass that these facts are about. Its row says whether it is asked again. */
export function requireOpenGate<Name extends GateAt<'apply'>>(
  name: Name,
  facts: GateFacts[Name],
  said: Pick<GateWait, 'isRepeated'> = {},
): void {
  const answer = askGate(name, facts, Date.now());
  if (answer.kind !== 'passes') throw new GateClosedError(name, answer, said);
}
