/** A plan that was reviewed before the merge is not applied, and nobody is to blame: it is planned and asked again. */
import { shortSha } from '@nereid/domain/deployment';
import type { Locking } from '@nereid/domain/lane';
import { APPROVAL_EXPIRED } from '@nereid/domain/temporal-names';

/** The plan that was reviewed before the merge is not the one that would be applied. */
export class ReviewOutdatedError extends Error {
  override readonly name = 'ReviewOutdatedError';
  readonly code = 'REVIEW_OUTDATED';
}

const DAY_MS = 24 * 60 * 60_000;

/** A plan waits a week for its review, or as long as its root says. */
const REVIEW_OPEN_MS = 7 * DAY_MS;

/** A plan was confirmed so long ago that a person has to see another one: a window was closed meanwhile, or somebody kept it back. */
export class ApprovalExpiredError extends Error {
  override readonly name = 'ApprovalExpiredError';
  readonly code = APPROVAL_EXPIRED;

  constructor(at: string, lifeMs: number) {
    const hours = Math.round(lifeMs / (60 * 60_000));
    super(`the plan was confirmed more than ${hours} hours ago, at ${at}`);
  }
}

/** A plan that was confirmed is applied within minutes, or after an outage or a weekend within days. Throws an `ApprovalExpiredError`. */
export function refuseOldApproval({ at }: { readonly at: string }, nowMs: number, openMs = REVIEW_OPEN_MS): void {
  const lifeMs = openMs + DAY_MS;
  if (!(nowMs - Date.parse(at) <= lifeMs)) throw new ApprovalExpiredError(at, lifeMs);
}

/** The last deployment that had its turn in the lane. */
export function appliedSince(last: Pick<Locking, 'revision'> | undefined): string {
  return `${last === undefined ? 'another commit' : shortSha(last.revision.sha)} was applied to this root since that plan was made, or was about to be`;
}

/** Longer than a pull request that is about to be merged waits. */
const REVIEW_LIFE_MS = 7 * 24 * 60 * 60_000;

export function isExpired({ at }: { readonly at: string }, nowMs: number): boolean {
  return !(nowMs - Date.parse(at) <= REVIEW_LIFE_MS);
}

export const EXPIRED = 'that was more than 7 days ago';

export const NOT_ALLOWED = "the server's file now asks for a review after the merge";
