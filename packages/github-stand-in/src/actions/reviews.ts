import { ImpossibleError } from '../errors.ts';
import { reviewJson } from '../json/pull-request-json.ts';
import { ensureAccount, sameName } from '../state/accounts.ts';
import { reviewsOf } from '../state/find.ts';
import type { PullRequest, Repository, Review } from '../state/model.ts';
import { now } from '../state/store.ts';
import { emit } from '../events/emit.ts';
import type { World } from '../world.ts';
import { describePullRequest } from '../events/pull-request-events.ts';

export interface NewReview {
  readonly state: Exclude<Review['state'], 'DISMISSED'>;
  /** Login. */
  readonly by: string;
  readonly body?: string;
}

/** A person reviews the change: approves it, asks for changes, or only comments. */
export async function reviewPullRequest(
  world: World,
  repository: Repository,
  pr: PullRequest,
  { state, by, body = '' }: NewReview,
): Promise<Review> {
  if (sameName(by, pr.author) && state !== 'COMMENTED') {
    throw new ImpossibleError(`${by} cannot review their own pull request`);
  }
  ensureAccount(world.store, by);
  const id = world.store.newId();
  const review: Review = { id, pullRequestId: pr.id, author: by, state, body, commit: pr.headSha, submittedAt: now() };
  world.store.state.reviews.push(review);
  world.store.changed();
  await emitReview(world, repository, pr, review, { action: 'submitted', by });
  return review;
}

/** Somebody dismisses the last review of a person. The review stays, marked as dismissed. */
export async function dismissReview(
  world: World,
  repository: Repository,
  pr: PullRequest,
  { of, by }: { readonly of: string; readonly by: string },
): Promise<void> {
  const review = reviewsOf(world.store, pr).findLast(({ author, state }) => sameName(author, of) && DISMISSED[state]);
  if (!review) throw new ImpossibleError(`#${pr.number} has no review of ${of} that can be dismissed`);
  review.state = 'DISMISSED';
  world.store.changed();
  await emitReview(world, repository, pr, review, { action: 'dismissed', by });
}

/** Whether a review in this state can be dismissed. */
const DISMISSED: Readonly<Record<Review['state'], boolean>> = {
  APPROVED: true,
  CHANGES_REQUESTED: true,
  COMMENTED: false,
  DISMISSED: false,
};

async function emitReview(
  world: World,
  repository: Repository,
  pr: PullRequest,
  review: Review,
  { action, by }: { readonly action: string; readonly by: string },
): Promise<void> {
  const json = { ...reviewJson(world, repository, pr, review), state: review.state.toLowerCase(), updated_at: now() };
  const payload = { review: json, pull_request: await describePullRequest(world, repository, pr) };
  emit(world, { event: 'pull_request_review', action, repository, sender: by, payload });
}
