import type { Repository } from '../../root/repository.ts';
import type { Signed } from '../../signed.ts';

/** `late-outcome/<job id>`: the workflow that shows the outcome of an apply whose deployment has ended already. */
export function lateOutcomeWorkflowId(jobId: string): string {
  return `late-outcome/${jobId}`;
}

/** A host that came back says what became of an apply that it had begun, and that was given up as unknown. */
export interface LateOutcome {
  readonly version: 1;
  readonly repository: Repository;
  readonly rootName: string;
  /** As in `Root`. */
  readonly pool?: string;
  readonly deploymentId: string;
  /** For people, at most 500 characters. Quotes Terraform: hostile. */
  readonly sentence: string;
}

/** On the queue `deploy`, for the `ask` workflow. */
export interface LateOutcomeActivities {
  /**
   * Shows the outcome on the deployment's check run. It lifts no lock and does not change how the deployment ended. Returns a
   * sentence that says what was shown, or why nothing was. Can be retried.
   */
  showLateOutcome(outcome: Signed<LateOutcome>): Promise<string>;
}
