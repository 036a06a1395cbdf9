import type { Action } from '../actions/actions.ts';
import type { EndedStatus } from '../deployment/status.ts';

/** Where a deployment may have to wait: before its plan, once it has a plan and a person may be asked, and before its apply. */
export type Door = 'plan' | 'confirm' | 'apply';

/** One reason to wait: pure, from facts that others have gathered. */
export interface Gate<Facts> {
  readonly doors: readonly Door[];
  /** `now` is in epoch milliseconds. */
  readonly decide: (facts: Facts, now: number) => GateAnswer;
}

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
