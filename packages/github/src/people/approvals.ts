/** Whose approval of a pull request stands. A pure decision; what somebody may do in the repository is asked elsewhere. */
import { PAGE_SIZE, PAGES_LIMIT } from '../client/pages.ts';
import type { PullRequest } from '../pull-requests.ts';

/** What a person said of a pull request. */
export interface Review {
  /** GitHub login. */
  readonly author: string;
  /** As GitHub says it; what is dismissed says `DISMISSED`, in its old place. */
  readonly state: string;
  /** The commit that was looked at; null when it is gone. */
  readonly sha: string | null;
}

/** More are never read. */
export const REVIEWS_LIMIT = PAGE_SIZE * PAGES_LIMIT;

/** What takes the place of an earlier answer of the same person; a comment does not. */
const ANSWERS = ['APPROVED', 'CHANGES_REQUESTED', 'DISMISSED'];

/**
 * Who approved exactly this head and did not take it back, newest first, but for the author. `reviews` are all of them,
 * oldest first: of as many as are read at most, a newer one may be missing, and nobody's approval is sure.
 */
export function approversOf(
  { author, headSha }: Pick<PullRequest, 'author' | 'headSha'>,
  reviews: readonly Review[],
): readonly string[] {
  if (reviews.length >= REVIEWS_LIMIT) return [];
  const last = new Map<string, Review>();
  for (const review of reviews) {
    if (!ANSWERS.includes(review.state)) continue;
    const person = review.author.toLowerCase();
    last.delete(person);
    last.set(person, review);
  }
  last.delete(author.toLowerCase());
  return [...last.values()]
    .filter(({ state, sha }) => state === 'APPROVED' && sha === headSha)
    .map((review) => review.author)
    .reverse();
}
