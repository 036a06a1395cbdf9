import { askGate, type GateClosed, type GateFacts, type GateName } from '@nereid/domain/gates';
import { withoutMentions } from '@nereid/domain/lane';

/** A gate at the door `apply` does not let a deployment pass. */
class GateClosedError extends Error {
  override readonly name = 'GateClosedError';
  readonly code: string;

  constructor(gate: GateName, { kind, sentence }: GateClosed) {
    super(MESSAGES[gate](sentence));
    this.code = CODES[gate][kind];
  }
}

/** `DEPENDENCY_OPEN` alone is worth another attempt: the deployments of the other lanes end. */
const CODES: Readonly<Record<GateName, Readonly<Record<GateClosed['kind'], string>>>> = {
  turn: { waits: 'LANE_LOCKED', refuses: 'LANE_LOCKED' },
  order: { waits: 'DEPENDENCY_OPEN', refuses: 'DEPENDENCY_FAILED' },
  policy: { waits: 'POLICY_CHANGED', refuses: 'POLICY_CHANGED' },
  review: { waits: 'POLICY_CHANGED', refuses: 'POLICY_CHANGED' },
};

/** With what people can do about it. */
const MESSAGES: Readonly<Record<GateName, (sentence: string) => string>> = {
  turn: (sentence) => `${withoutMentions(sentence)}: unlock it, then press Re-run`,
  order: (sentence) => sentence,
  policy: (sentence) => `${sentence}: press Re-run`,
  review: () => "the server's file asks for a review of this plan by now: press Re-run",
};

/** Throws unless the gate lets the deployment pass that these facts are about. */
export function requireOpenGate<Name extends GateName>(name: Name, facts: GateFacts[Name]): void {
  const answer = askGate(name, facts, Date.now());
  if (answer.kind !== 'passes') throw new GateClosedError(name, answer);
}
