import type { Door } from './gate.ts';
import { askGate, gatesAt, type ClosedGate, type GateAt, type GateFacts, type GateName } from './gates.ts';

/** All gates of a door that do not let a deployment pass, of those whose facts are known to whoever asks. */
export function knownClosedGates<At extends Door>(
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
