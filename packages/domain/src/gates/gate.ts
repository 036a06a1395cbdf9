import type { Action } from '../actions/actions.ts';
import type { EndedStatus } from '../deployment/status.ts';

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
}

/**
 * The result of a wait at the door `apply`, where nothing waits for long: the plan is confirmed, a host holds it, and whatever a
 * person saw of the world gets older. A gate that is to keep deployments waiting for hours stands at another door as well, so that
 * it closes at `apply` only in between.
 *
 * - `ends it`: at once. The deployment is cancelled with the sentence, or planned again if its plan was confirmed before the merge.
 * - `is asked again`: for minutes, because the wait may end by itself; then it ends the deployment all the same.
 */
export type WaitAtApply = 'ends it' | 'is asked again';

export type GateAnswer = { readonly kind: 'passes' } | GateClosed;

export type GateClosed =
  | {
      readonly kind: 'waits';
      /** For people: what it waits for. */
      readonly sentence: string;
      /** Who can end the wait. */
      readonly who: readonly Unblocker[];
      /** When the wait ends by itself, in epoch milliseconds. */
      readonly until?: number;
    }
  /** The deployment ends. */
  | { readonly kind: 'refuses'; readonly status: EndedStatus; readonly sentence: string };

/** A person who may do this, or the deployments of other lanes. */
export type Unblocker = Action | 'other lanes';

export const PASSES: GateAnswer = { kind: 'passes' };
