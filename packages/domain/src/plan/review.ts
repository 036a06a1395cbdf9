/** Signal `plan-review`: a person's answer at the gate. */
import { defined } from '../defined.ts';

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
  /** ISO 8601. */
  readonly at: string;
  /** Intake's, over `reviewFacts`, after it asked the forge whether this person may. */
  readonly signature?: string;
}

/** What intake signs: that this person, who may, gave this answer. */
export function reviewFacts({ version, requestId, deploymentId, answer, digest, by, byId, at }: PlanReview): object {
  return { version, requestId, deploymentId, answer, digest, by, byId, at };
}

export interface Review {
  readonly answer: 'approved' | 'rejected';
  /** Login on the forge. */
  readonly by: string;
  /** The forge's id of the same person, where it gave one. */
  readonly byId?: number;
  /** When it was taken, ISO 8601. */
  readonly at: string;
  /** What intake signed, besides the answer and the person. */
  readonly press?: Press;
}

/** The rest of `reviewFacts`. */
export interface Press {
  readonly requestId: string;
  readonly digest: string;
  /** ISO 8601. */
  readonly at: string;
  readonly signature: string;
}

/** The press of a button from which a review was taken; undefined when the review does not say. */
export function pressOf(deploymentId: string, { answer, by, byId, press }: Review): PlanReview | undefined {
  return press && { version: 1, deploymentId, answer, by, ...defined({ byId }), ...press };
}
