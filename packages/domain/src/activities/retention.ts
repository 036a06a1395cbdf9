import type { InParts } from '../parts.ts';

/** On the queue `deploy`, for the retention workflow. */
export interface RetentionActivities {
  sweep: InParts<SweepParts>;
}

/** The kinds of objects that are removed once they are older than operators have them kept, each by its own call. */
export const SWEEP_PARTS = ['logs', 'deployments', 'rollouts', 'days', 'begun'] as const;

export type SweepPart = (typeof SWEEP_PARTS)[number];

/**
 * Each can be retried. `at` is when the sweep began, by the clock of Temporal, ISO 8601; `after` is where the call before stopped.
 * A caller who schedules one can have nothing removed that the next sweep would not remove.
 */
export type SweepParts = Readonly<Record<SweepPart, (at: string, after: string | undefined) => Promise<SweptPart>>>;

export interface SweptPart {
  readonly removed: number;
  /** Could not be removed; the log of the worker says why. */
  readonly failed: number;
  /** Where to go on; absent when nothing is left. */
  readonly next?: string;
}

/** Result of the retention workflow, for the Temporal UI. */
export type RetentionResult = Readonly<Record<SweepPart, { readonly removed: number; readonly failed: number }>>;
