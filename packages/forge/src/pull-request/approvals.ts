import type { Repository } from '@nereid/domain/root';

/** A person's review of a pull request. */
export interface Review {
  /** Login. */
  readonly author: string;
  /** The forge's id of the same person, where it is known. */
  readonly authorId?: number | undefined;
  /** A dismissed review keeps its place in the list. `other`: a comment, or a review that is not sent yet. */
  readonly state: 'approved' | 'changes-requested' | 'dismissed' | 'other';
  /** The reviewed commit; null when it is gone. */
  readonly sha: string | null;
}

export interface ReadReviews {
  /** Oldest first. */
  readonly reviews: readonly Review[];
  /** False when there may be newer ones, which were not read. */
  readonly isWhole: boolean;
}

export interface Approvals {
  reviewsOf(repository: Repository, number: number): Promise<ReadReviews>;
}
