/** Finds what people confirmed before a merge, so that the orders of its deployments name it. */
import type { Repository, ReviewedBefore, Root } from '@nereid/contracts';
import { GitHubRefusedError, GitHubUnavailableError } from '@nereid/github';
import type { StoredMergeReview } from '@nereid/storage';
import pMap from 'p-map';
import { isExpired } from '../../lane/leave/review-outdated.ts';
import { viewLane } from '../../lane/view-lane.ts';
import type { RevisionTools } from '../intake-call.ts';

export interface Merged {
  readonly repository: Repository;
  readonly sha: string;
  /** The same for all attempts at one merge. */
  readonly source: string;
  /** Of the revision on its branch. */
  readonly position: number;
}

/** Storage answers in milliseconds; more at once would only wait there. */
const AT_ONCE = 20;

/** More open pull requests of one root are never confirmed at once. */
const REVIEWS_READ = 100;

/** By root. Whether a review holds is judged when the deployment has its turn, and said if it does not. */
export async function findMergeReviews(
  tools: RevisionTools,
  merge: Merged,
  roots: readonly Root[],
): Promise<ReadonlyMap<string, ReviewedBefore>> {
  const asked = roots.filter(({ planReview }) => planReview === 'before_merge');
  const found = await pMap(asked, ({ name }) => findFor(tools, merge, name), { concurrency: AT_ONCE });
  return new Map(found.flatMap((review) => (review === undefined ? [] : [[review.rootName, review] as const])));
}

async function findFor(
  { context, signal }: RevisionTools,
  { repository, sha, source, position }: Merged,
  rootName: string,
): Promise<ReviewedBefore | undefined> {
  const stored = await context.mergeReviews.list(repository, rootName, REVIEWS_READ);
  const now = Date.now();
  const free = stored.filter((one) => !isExpired(one, now) && (one.usedBy ?? source) === source);
  if (free.length === 0) return undefined;
  const tree = await context.mirrors.treeId(repository, sha, signal);
  const newest = free.toSorted((one, other) => other.at.localeCompare(one.at));
  const found = newest.find((one) => one.tree === tree) ?? (await firstMerged(context, repository, newest));
  if (found === undefined || !(await context.mergeReviews.use(repository, found, source))) return undefined;
  const ahead = await deploymentAhead(context, repository, { rootName, source, position });
  const { usedBy: _ours, ...review } = found;
  return { ...review, ...(ahead !== undefined && { ahead }) };
}

/** Each costs a request. */
const PULL_REQUESTS_ASKED = 10;

/** A review of other files is named too, so that people are told why it does not count. That is worth no failure. */
async function firstMerged(
  { github, logger }: RevisionTools['context'],
  repository: Repository,
  reviews: readonly StoredMergeReview[],
): Promise<StoredMergeReview | undefined> {
  try {
    for (const review of reviews.slice(0, PULL_REQUESTS_ASKED))
      if ((await github.pullRequests.get(repository, review.pullRequest)).merged) return review;
  } catch (error) {
    if (!(error instanceof GitHubUnavailableError || error instanceof GitHubRefusedError)) throw error;
    logger.warn({ err: error, repository }, 'GitHub could not be asked which reviews a merge is about');
  }
  return undefined;
}

/** What runs or waits in the lane already goes first, and what was reviewed was planned without it. */
async function deploymentAhead(
  context: RevisionTools['context'],
  repository: Repository,
  { rootName, source, position }: Pick<Merged, 'source' | 'position'> & { readonly rootName: string },
): Promise<string | undefined> {
  const lane = await viewLane(context, repository, rootName);
  // A later merge may have come between two attempts at this one.
  const before = lane?.waiting.filter(({ trigger, revision }) => trigger === 'manual' || revision.position < position);
  const others = [...(lane?.running ? [lane.running] : []), ...(before ?? [])];
  return others.find(({ requestId }) => requestId !== `${source}:${rootName}`)?.id;
}
