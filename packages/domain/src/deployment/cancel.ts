/**
 * Signal `cancel`, in an envelope of control: this person, who may, asked for the end of this deployment. A waiting one leaves the
 * queue, a running one is asked to end gracefully. The lane passes it on as the signal `cancelling`.
 */
export interface Cancel {
  readonly version: 1;
  /** A repeated request gets the same answer. */
  readonly requestId: string;
  readonly deploymentId: string;
  /** GitHub login. */
  readonly by: string;
  /** GitHub's id of the same person, where GitHub told it. */
  readonly byId?: number;
  /** When the person asked, ISO 8601. */
  readonly askedAt: string;
}
