/** Decides whose approvals of a pull request count. Pure: permissions on the repository are checked elsewhere. */
import { isSamePerson, type Person, type PullRequest, type ReadReviews, type Review } from '@nereid/forge';

/** States that replace an earlier answer of the same person; a comment does not. */
const ANSWERS: readonly Review['state'][] = ['approved', 'changes-requested', 'dismissed'];

/**
 * The people who approved exactly this head and did not take their approval back, newest first; not the author of the pull
 * request, nor those of its commits. Where a newer review may be missing, no approval counts.
 */
export function approversOf(
  { author, authorId, headSha }: Pick<PullRequest, 'author' | 'authorId' | 'headSha'>,
  { reviews, isWhole }: ReadReviews,
  contributors: readonly Person[],
): readonly string[] {
  if (!isWhole) return [];
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
    .filter((review) => review.state === 'approved' && review.sha === headSha && !isAuthor(review))
    .map((review) => review.author)
    .reverse();
}
