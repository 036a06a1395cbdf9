/** Control could not gather the facts of a gate, so nobody passes it. */
import type { GateClosed } from '../gate.ts';

/** `away`: whoever keeps them does not answer at this moment. `broken`: somebody has to mend them first. */
export type Unreadable = 'away' | 'broken';

/** Why is for the operator: it may quote what nobody else should read. */
export const LOG_SAYS_WHY = 'the log of the worker says why';

/** `what` is a clause: "Nereid cannot read how the waves of this merge stand". `keeper`: "storage". */
export function waitsForFacts(what: string, keeper: string, why: Unreadable): GateClosed {
  const waits = { kind: 'waits', who: ['operators'] } as const;
  if (why === 'broken') return { ...waits, sentence: `${what}; ${LOG_SAYS_WHY}` };
  const sentence = `${what}, because ${keeper} does not answer; ${LOG_SAYS_WHY}. It goes on once ${keeper} answers`;
  return { ...waits, sentence, askAgain: 'soon' };
}
