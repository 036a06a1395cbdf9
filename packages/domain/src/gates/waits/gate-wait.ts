/** The wait of a deployment at a closed gate, as control tells its workflow, which shows it and asks again. */
import { withoutMentions } from '../../deployment/rules/without-mentions.ts';
import { isTime, readFields, readWaitAtGate, type Readers, type WaitAtGate } from '../../deployment/wait-reason.ts';
import type { AskAgain, ClosedGate } from '../gate.ts';

export interface GateWait extends WaitAtGate, OwnFields {}

/** The fields that people are not shown as they are. */
interface OwnFields {
  /** For people: what it waits for, and who can end that. Nobody signs it, so it mentions nobody. */
  readonly sentence: string;
  readonly askAgain?: AskAgain;
  /** The request, or an earlier attempt of it, may have told the audit trail of a start. */
  readonly isRepeated?: true;
}

export function gateWaitOf({ kind: _waits, sentence, ...wait }: ClosedGate & { readonly kind: 'waits' }): GateWait {
  return { ...wait, sentence: withoutMentions(sentence) };
}

/** Undefined unless it says which gate, and why. It may come from whoever reaches Temporal, so only what a wait can be is kept. */
export function readGateWait(said: unknown): GateWait | undefined {
  const wait = readWaitAtGate(said);
  const { sentence, ...own } = readFields(READERS, said);
  return wait === undefined || sentence === undefined ? undefined : { ...wait, ...own, sentence };
}

/** The parts that people read while it lasts. */
export function shownWait({ sentence, askAgain: _forWorkflow, isRepeated: _forTrail, ...waitsFor }: GateWait): {
  readonly reason: string;
  readonly waitsFor: WaitAtGate;
} {
  return { reason: sentence, waitsFor };
}

/** Longer ones are nobody's of ours: three stops have the longest. */
const SENTENCE_LIMIT = 600;

const READERS: Readers<OwnFields> = {
  sentence: (said) => (typeof said === 'string' ? withoutMentions(said.slice(0, SENTENCE_LIMIT)) : undefined),
  askAgain: (said) => (said === 'soon' || isTime(said) ? said : undefined),
  isRepeated: (said) => (said === true ? said : undefined),
};
