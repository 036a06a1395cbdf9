/** Which repositories a person may read: the console asks control, which asks the forge as the App. */
import type { Repository } from '../root/repository.ts';
import type { Signed } from '../signed.ts';

/** A question of the console. */
export interface AccessRequest {
  readonly version: 1;
  /** Login on the forge. */
  readonly login: string;
  /** At most `ACCESS_LIMIT`. */
  readonly repositories: readonly Pick<Repository, 'owner' | 'name'>[];
  /** Random: an answer is for one question, so nobody can give an old one again. */
  readonly nonce: string;
}

/** Signed by control: that the forge said this of exactly this person and these repositories, and when. */
export interface AccessAnswer extends AccessRequest {
  /** For each of the repositories, in the order of the request, whether the forge says that the person may read it. */
  readonly mayRead: readonly boolean[];
  /** When control answered, ISO 8601. */
  readonly at: string;
  /** How long ago the forge said the oldest of it, in milliseconds: control keeps answers for a while. */
  readonly ageMs: number;
}

/** Each takes the forge a tenth of a second or two, and the page waits for all of them. */
export const ACCESS_LIMIT = 50;

/** `access/<nonce>`: the workflow that asks which repositories a person may read. */
export function accessWorkflowId(nonce: string): string {
  return `access/${nonce}`;
}

/** On the queue `deploy`, for the `ask` workflow. */
export interface AccessActivities {
  /**
   * Asks the forge, and signs what it says. A repository that the server does not allow is one that nobody may read. Can be
   * retried.
   */
  askAccess(request: AccessRequest): Promise<Signed<AccessAnswer>>;
}
