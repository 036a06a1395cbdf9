/** Decides whose approvals of a pull request count. Pure: permissions on the repository are checked elsewhere. */
import { PAGE_SIZE, PAGES_LIMIT } from '../client/pages.ts';
import type { PullRequest } from './pull-requests.ts';
import { isSamePerson, type Person } from '../people/person.ts';

/** A person's review of a pull request. */
export interface Review {
  /** GitHub login. */
  readonly author: string;
  /** GitHub's id of the same person, where it is known. */
  readonly authorId?: number | undefined;
  /** GitHub's word; a dismissed review becomes `DISMISSED` and keeps its place in the list. */
  readonly state: string;
  /** The reviewed commit; null when it is gone. */
  readonly sha: string | null;
}

/** No more reviews than these are read. */
export const REVIEWS_LIMIT = PAGE_SIZE * PAGES_LIMIT;

/** States that replace an earlier answer of the same person; a comment does not. */
const ANSWERS = ['APPROVED', 'CHANGES_REQUESTED', 'DISMISSED'];

/**
 * The people who approved exactly this head and did not take their approval back, newest first; not the author of the pull
 * request, nor those of its commits. `reviews` are all reviews, oldest first. When they reach the limit, a newer one may be
 * missing, so no approval counts.
 */
export function approversOf(
  { author, authorId, headSha }: Pick<PullRequest, 'author' | 'authorId' | 'headSha'>,
  reviews: readonly Review[],
  contributors: readonly Person[],
): readonly string[] {
  if (reviews.length >= REVIEWS_LIMIT) return [];
  const last = new Map<string, Review>();
  for (const review of reviews) {
    if (!ANSWERS.includes(review.state)) continue;
    const person = review.author.toLowerCase();
    last.delete(person);
    last.set(person, review);
  }
  const authors = [{ login: author, id: authorId }, ...contributors];
  const isAuthor = (review: Review) =>
    authors.some((person) => isSamePerson(person, { login: review.author, id: review.authorId }));
  return [...last.values()]
    .filter((review) => review.state === 'APPROVED' && review.sha === headSha && !isAuthor(review))
    .map((review) => review.author)
    .reverse();
}
