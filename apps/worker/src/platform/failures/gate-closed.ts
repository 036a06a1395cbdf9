import { askGate, gatesAt, waitAtApply, type GateAt, type GateClosed, type GateFacts } from '@nereid/domain/gates';
import { withoutMentions } from '@nereid/domain/lane';

/** A gate at the door `apply` does not let a deployment pass. */
class GateClosedError extends Error {
  override readonly name = 'GateClosedError';
  readonly code: string;

  constructor(gate: GateAt<'apply'>, { kind, sentence }: GateClosed) {
    super(MESSAGES[gate](sentence));
    this.code = CODES[gate][kind];
  }
}

const CODES: Readonly<Record<GateAt<'apply'>, Readonly<Record<GateClosed['kind'], string>>>> = {
  turn: { waits: 'LANE_LOCKED', refuses: 'LANE_LOCKED' },
  order: { waits: 'DEPENDENCY_OPEN', refuses: 'DEPENDENCY_FAILED' },
  policy: { waits: 'POLICY_CHANGED', refuses: 'POLICY_CHANGED' },
  review: { waits: 'POLICY_CHANGED', refuses: 'POLICY_CHANGED' },
};

/** The codes of closed gates that end a deployment: another attempt cannot help. */
export const FINAL_CODES: readonly string[] = gatesAt('apply').flatMap((gate) =>
  waitAtApply(gate) === 'ends it' ? Object.values(CODES[gate]) : [CODES[gate].refuses],
);

/** With what people can do about it. */
const MESSAGES: Readonly<Record<GateAt<'apply'>, (sentence: string) => string>> = {
  turn: (sentence) => `${withoutMentions(sentence)}: unlock it, then press Re-run`,
  order: (sentence) => sentence,
  policy: (sentence) => `${sentence}: press Re-run`,
  review: () =>
    "the server's file asks for a review of this plan by now, or for more people than confirmed it: press Re-run",
};

/** Throws unless the gate lets the deployment pass that these facts are about. Its row says whether it is asked again. */
export function requireOpenGate<Name extends GateAt<'apply'>>(name: Name, facts: GateFacts[Name]): void {
  const answer = askGate(name, facts, Date.now());
  if (answer.kind !== 'passes') throw new GateClosedError(name, answer);
}
