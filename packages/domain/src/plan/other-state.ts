/**
 * Whether a plan was made of the state that the deployment before it left. Where the backend of a root moved and its state did not, a plan
 * makes everything again, and Terraform sees nothing wrong with that. Pure.
 */
import type { MadePlan } from './model.ts';

/** `empty`: it was never written. `unrelated`: it has another lineage, which a state keeps for ever, wherever it is moved. */
export const OTHER_STATES = ['empty', 'unrelated'] as const;
export type OtherState = (typeof OTHER_STATES)[number];

/** The state that a deployment left, of which something is known. Hostile. */
export interface LeftState {
  /** Absent where that deployment made the state. */
  readonly lineage?: string;
}

type Versioned = Pick<MadePlan, 'stateVersion'>;

/** Undefined where nobody knows whether there is one. `isApplied`: all changes of the plan were made. */
export function leftStateOf(plan: Versioned, isApplied: boolean): LeftState | undefined {
  const lineage = lineageOf(plan);
  if (lineage === '') return isApplied ? {} : undefined;
  return lineage === undefined ? undefined : { lineage };
}

/** Undefined where it is that state, or nobody knows. */
export function otherStateOf(plan: Versioned, left: LeftState | undefined): OtherState | undefined {
  const lineage = lineageOf(plan);
  if (lineage === undefined || left === undefined) return undefined;
  if (lineage === '') return 'empty';
  return left.lineage === undefined || left.lineage === lineage ? undefined : 'unrelated';
}

/** Empty for a state that was never written; undefined where the plan does not tell. */
function lineageOf({ stateVersion }: Versioned): string | undefined {
  return stateVersion?.split(' ')[1];
}
