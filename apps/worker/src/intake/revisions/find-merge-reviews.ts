/** Finds what people confirmed before a merge, so that the orders of its deployments name it. */
import { defined } from '@nereid/domain/defined';
import type { ReviewedBefore, StoredMergeReview } from '@nereid/domain/plan';
import type { Repository, Root } from '@nereid/domain/root';
import { ForgeRefusedError, ForgeUnavailableError } from '@nereid/forge';
import pMap from 'p-map';
import { isExpired } from '../../lane/turn/review-outdated.ts';
import { viewLane } from '../../lane/view-lane.ts';
import type { RevisionTools } from '../../root/revision-tools.ts';

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

/** By root. Whether a review holds is judged when the deployment has its turn, and said if it does not. */
export async function findMergeReviews(
  tools: RevisionTools,
  merge: Merged,
  roots: readonly Root[],
): Promise<ReadonlyMap<string, ReviewedBefore>> {
  const asked = roots.filter(({ planReview }) => planReview === 'before_merge');
  if (asked.length === 0) return new Map();
  const tree = await tools.context.mirrors.treeId(merge.repository, merge.sha, tools.signal);
  const onForge = pullRequestsOnForge(tools.context, merge);
  const found = await pMap(asked, ({ name }) => findFor(tools, { ...merge, rootName: name, tree, onForge }), {
    concurrency: AT_ONCE,
  });
  return new Map(found.flatMap((one) => (one === undefined ? [] : [[one.review.body.rootName, one] as const])));
}

interface MergedRoot extends Merged {
  readonly rootName: string;
  /** Git's id of all merged files. */
  readonly tree: string;
  readonly onForge: PullRequestsOnForge;
}

async function findFor({ context }: RevisionTools, merge: MergedRoot): Promise<ReviewedBefore | undefined> {
  const { repository, source, rootName, tree } = merge;
  const [same] = newestFree(merge, await context.mergeReviews.ofTree(repository, rootName, tree));
  const found = same ?? (await findOfOtherFiles(context, merge));
  if (found === undefined || !(await context.mergeReviews.use(repository, found.review.body, source))) return undefined;
  const ahead = await deploymentAhead(context, merge);
  return { review: found.review, ...defined({ ahead }) };
}

function newestFree({ source }: Merged, reviews: readonly StoredMergeReview[]): readonly StoredMergeReview[] {
  const now = Date.now();
  const free = reviews.filter(({ review, usedBy = source }) => !isExpired(review.body, now) && usedBy === source);
  return free.toSorted((one, other) => other.review.body.at.localeCompare(one.review.body.at));
}

/** Enough to find those of a push that brings several merges, of which the forge names only the last. */
const REVIEWS_READ = 100;

/** A review of other files is named too, so that people are told why it does not count. That is worth no failure. */
async function findOfOtherFiles(
  context: RevisionTools['context'],
  merge: MergedRoot,
): Promise<StoredMergeReview | undefined> {
  const { repository, rootName, onForge } = merge;
  const listed = await context.mergeReviews.list(repository, rootName, REVIEWS_READ);
  if (listed.length === 0) return undefined;
  try {
    const found = await pMap(await onForge.numbers(), (number) => reviewOf(context, merge, number), {
      concurrency: AT_ONCE,
    });
    const own = found.filter((review) => review !== undefined);
    return await firstMerged(onForge, [...newestFree(merge, own), ...newestFree(merge, listed)]);
  } catch (error) {
    if (!(error instanceof ForgeUnavailableError || error instanceof ForgeRefusedError)) throw error;
    context.logger.warn({ err: error, repository }, 'the forge could not be asked which reviews a merge is about');
    return undefined;
  }
}

/** Of the plan that the pull request showed last. */
async function reviewOf(
  { pullRequestRecords, mergeReviews }: RevisionTools['context'],
  { repository, rootName }: MergedRoot,
  number: number,
): Promise<StoredMergeReview | undefined> {
  const record = await pullRequestRecords.read(repository, { number });
  const shown = record?.look?.isOpen === true ? record.look.previews : record?.lastPreviews;
  const preview = shown?.find((one) => one.rootName === rootName);
  return preview && mergeReviews.read(repository, rootName, preview.deploymentId);
}

/** Each costs a request. */
const PULL_REQUESTS_ASKED = 10;

async function firstMerged(
  onForge: PullRequestsOnForge,
  reviews: readonly StoredMergeReview[],
): Promise<StoredMergeReview | undefined> {
  for (const one of reviews.slice(0, PULL_REQUESTS_ASKED))
    if (await onForge.isMerged(one.review.body.pullRequest)) return one;
  return undefined;
}

/** Each question is asked once, however many roots have it. */
interface PullRequestsOnForge {
  /** Of the merge. */
  numbers(): Promise<readonly number[]>;
  isMerged(number: number): Promise<boolean>;
}

function pullRequestsOnForge({ forge }: RevisionTools['context'], { repository, sha }: Merged): PullRequestsOnForge {
  let numbers: Promise<readonly number[]> | undefined;
  const merged = new Map<number, Promise<boolean>>();
  return {
    numbers: () => (numbers ??= forge.commits.pullRequests(repository, sha)),
    isMerged(number) {
      const isMerged = merged.get(number) ?? forge.pullRequests.get(repository, number).then((found) => found.merged);
      merged.set(number, isMerged);
      return isMerged;
    },
  };
}

/** What runs or waits in the lane already goes first, and what was reviewed was planned without it. */
async function deploymentAhead(
  context: RevisionTools['context'],
  { repository, rootName, source, position }: MergedRoot,
): Promise<string | undefined> {
  const lane = await viewLane(context, repository, rootName);
  // A later merge may have come between two attempts at this one.
  const before = lane?.waiting.filter(({ trigger, revision }) => trigger === 'manual' || revision.position < position);
  const others = [...(lane?.running ? [lane.running] : []), ...(before ?? [])];
  return others.find(({ requestId }) => requestId !== `${source}:${rootName}`)?.id;
}
