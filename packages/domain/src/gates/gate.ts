import type { EndedStatus } from '../deployment/status.ts';
import type { GateName, WaitAtGate } from '../deployment/wait-reason.ts';

/** Where a deployment may have to wait: before its plan, once it has a plan and a person may be asked, and before its apply. */
export type Door = 'plan' | 'confirm' | 'apply';

/** One reason to wait: pure, from facts that others have gathered. */
export type Gate<Facts> = Rule<Facts> & (BeforeApply | AtApply);

interface Rule<Facts> {
  /** `now` is in epoch milliseconds. */
  readonly decide: (facts: Facts, now: number) => GateAnswer;
}

interface BeforeApply {
  readonly doors: readonly Exclude<Door, 'apply'>[];
}

interface AtApply {
  readonly doors: readonly Door[];
  readonly waitAtApply: WaitAtApply;
  /** Asked last at the door `apply`, because it is taken there: a deployment that stops at another gate must leave it to others. */
  readonly isTakenAtApply?: true;
}

/**
 * The result of a wait at the door `apply`, where a plan is confirmed, and whatever a person saw of the world gets older.
 *
 * - `ends it`: at once. The deployment is cancelled with the sentence, or planned again if its plan was confirmed before the merge.
 * - `is asked again`: for minutes, because the wait may end by itself; then it ends the deployment all the same.
 * - `keeps waiting`: for as long as the gate is closed, with its plan and its approval, without a job and without the lane's turn.
 */
export type WaitAtApply = 'ends it' | 'is asked again' | 'keeps waiting';

export type GateAnswer = { readonly kind: 'passes' } | GateClosed;

export type GateClosed =
  | (Omit<WaitAtGate, 'gate'> & {
      readonly kind: 'waits';
      /** For people: what it waits for. */
      readonly sentence: string;
      readonly askAgain?: AskAgain;
    })
  /** The deployment ends. */
  | { readonly kind: 'refuses'; readonly status: EndedStatus; readonly sentence: string };

/**
 * When the gate is asked again, besides the usual times. A number: its answer may be another one then, although nobody tells; in epoch
 * milliseconds. `soon`: its facts could not be read, so it is asked within seconds at first.
 */
export type AskAgain = 'soon' | number;

export type ClosedGate = GateClosed & { readonly gate: GateName };

export const PASSES: GateAnswer = { kind: 'passes' };
