import type { ConfirmedForMerge } from '../plan/merge-review.ts';
import type { Signed } from '../signed.ts';
import type { DeploymentRequest } from './request.ts';
import type { Lock, Unlock } from './lock.ts';
import type { CheckRunRef } from './check-run.ts';
import type { Progress } from './progress.ts';

/** One attempt to bring one revision to one root, as its lane knows it. */
export interface Deployment extends DeploymentRequest {
  /** A UUID; also the id of its terraform workflow and the `external_id` of its check runs. */
  readonly id: string;
  /** ISO 8601. */
  readonly receivedAt: string;
  readonly progress: Progress;
  /** The forge's check runs of this deployment, oldest first; the last one is the one people see. */
  readonly checkRuns: readonly CheckRunRef[];
  /** A sentence that a person has to read before they confirm the plan. */
  readonly warning?: string;
  /** Present once somebody lifted the lock that the deployment had set or waited for. */
  readonly unlocked?: Signed<Unlock>;
  /** Present once somebody asked for the deployment's end. */
  readonly cancellation?: Signed<Cancel>;
  /** Present when the deployment was skipped because another one of its lane contains it. */
  readonly carrier?: Carrier;
  /** Of a preview, whose plan the merge is to apply. Only control says so: nothing that came through Temporal has it. */
  readonly confirmedForMerge?: ConfirmedForMerge;
  /** The lock that the deployment found when it was popped. Restored if the deployment ends before its apply began. */
  readonly foundLock?: Lock;
}

/**
 * Signal `cancel`, in an envelope of control: this person, who may, asked for the end of this deployment. A waiting one leaves the
 * queue, a running one is asked to end gracefully. The lane passes it on as the signal `cancelling`.
 */
export interface Cancel {
  readonly version: 1;
  /** A repeated request gets the same answer. */
  readonly requestId: string;
  readonly deploymentId: string;
  /** Login on the forge. */
  readonly by: string;
  /** The forge's id of the same person, where it gave one. */
  readonly byId?: number;
  /** When the person asked, ISO 8601. */
  readonly askedAt: string;
}

/** The deployment that contains a skipped one, and is deployed in its place. */
export interface Carrier {
  readonly deploymentId: string;
  /** 40 hex digits. */
  readonly revision: string;
}
