import type { Signed } from '../signed.ts';

/** Signal `plan-review`, in an envelope of control, after it asked the forge whether this person may: an answer to a plan. */
export interface PlanReview {
  readonly version: 1;
  readonly requestId: string;
  readonly deploymentId: string;
  readonly answer: 'approved' | 'rejected';
  /** The plan's. */
  readonly digest: string;
  /** Login on the forge. */
  readonly by: string;
  /** The forge's id of the same person, where it gave one. */
  readonly byId?: number;
  /** Of the teams that the review asks for, those that the person was a member of; absent where it asks for none. */
  readonly teams?: readonly string[];
  /** The digest of an equal plan of the same deployment, which the person saw: control carried the answer over to this one. */
  readonly carriedFrom?: string;
  /** ISO 8601. */
  readonly at: string;
}

/** Signal `extend`, in an envelope of control, after it asked the forge whether this person may: the plan waits until then. */
export interface ReviewExtension {
  readonly version: 1;
  readonly requestId: string;
  readonly deploymentId: string;
  /** The plan's. */
  readonly digest: string;
  /** ISO 8601, both. */
  readonly until: string;
  readonly at: string;
  /** Login on the forge. */
  readonly by: string;
  /** The forge's id of the same person, where it gave one. */
  readonly byId?: number;
}

/** As a deployment shows it. */
export interface Review {
  readonly answer: 'approved' | 'rejected';
  /** Login on the forge. */
  readonly by: string;
  /** The forge's id of the same person, where it gave one. */
  readonly byId?: number;
  /** When it was taken, ISO 8601. */
  readonly at: string;
  /** The press of a button from which it was taken: nobody is shown a review that says something else. */
  readonly press?: Signed<PlanReview>;
}
