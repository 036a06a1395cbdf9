import type { ShownPlanText } from './plan/plan-text.ts';
import type { ShownRevert } from './revert.ts';

/** The rest of a check run, beside its deployment: found anew each time it is written. */
export interface CheckRunDetails {
  /** Shown if the summary shows the plan. */
  readonly planText?: ShownPlanText | undefined;
  /** Says that a window closes within a day, and what happens then. */
  readonly closing?: string | undefined;
  /** After a failed apply. */
  readonly revert?: ShownRevert | undefined;
}
