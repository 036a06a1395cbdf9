/** Removes what nobody reads any more of pull requests: previews of older heads, and of those that were closed. */
import type { RetentionConfig } from '@nereid/config';
import { defined } from '@nereid/domain/defined';
import type { PreviewRef, PreviewSubject, PullRequestLook, PreviewRecord } from '@nereid/domain/pull-request';
import { poolOf } from '@nereid/domain/root';
import { StorageUnavailableError, type OldPreview, type OldPullRequest } from '@nereid/storage';
import type { WorkerContext } from '../platform/context.ts';
import { forgetForMerge } from './forget-for-merge.ts';
import type { PoolsConfig } from '../platform/keys/pool-keys.ts';
import { scheduleGroupSync, schedulePullRequestSync } from './schedule-sync.ts';

type Context = Pick<
  WorkerContext,
  'pullRequestRecords' | 'mergeReviews' | 'keptPlans' | 'jobLogs' | 'temporal' | 'logger'
> & {
  readonly server: { current(): PoolsConfig & { readonly retention: Pick<RetentionConfig, 'previewsMs'> } };
};

const DAY_MS = 24 * 60 * 60_000;

/** The deployment of a merge may wait in its lane. */
const KEPT_FOR_MERGE_MS = 7 * DAY_MS;

/** What is left is the next round's. */
const FORGET_LIMIT = 200;

export async function forgetPreviews(context: Context, nowMs: number): Promise<void> {
  const forMerge = new Date(nowMs - KEPT_FOR_MERGE_MS);
  const kept = await context.mergeReviews.keptBefore(forMerge, FORGET_LIMIT);
  await each(context, kept, (place) => forgetKept(context, place, { before: forMerge, nowMs }));
  const before = new Date(nowMs - context.server.current().retention.previewsMs);
  const old = await context.pullRequestRecords.previewsBefore(before, FORGET_LIMIT);
  await each(context, old, (place) => forget(context, place));
  const pulls = await context.pullRequestRecords.pullRequestsBefore(before, FORGET_LIMIT);
  await each(context, pulls, (place) => forgetPullRequest(context, place, before));
}

/** One that cannot be removed holds up no other. */
async function each<T extends OldPreview | OldPullRequest>(
  { logger }: Context,
  places: readonly T[],
  remove: (place: T) => Promise<void>,
): Promise<void> {
  for (const place of places) {
    try {
      await remove(place);
    } catch (error) {
      if (error instanceof StorageUnavailableError) throw error;
      logger.warn({ err: error, place }, 'what is old of a pull request could not be removed');
    }
  }
}

/** The plan goes seven days after its pull request was closed, or at once when it is no longer shown. */
async function forgetKept(
  context: Context,
  place: OldPreview,
  { before, nowMs }: { readonly before: Date; readonly nowMs: number },
): Promise<void> {
  const preview = await context.pullRequestRecords.readPreview(place, place.rootName, place.id);
  const look = await lookOf(context, place, preview);
  const isClosedLately = look?.isOpen === false && look.at >= before.toISOString();
  if (isShown(look, place)) await context.mergeReviews.keepFrom(place, new Date(nowMs));
  else if (isClosedLately) await context.mergeReviews.keepFrom(place, new Date(look.at));
  else await forgetForMerge(context, place, { replaced: refsOf(context, place, preview) });
  // Last, so that another attempt finds what this one has left.
  await context.mergeReviews.forget(place);
}

/** Without its record, nobody knows which pool has the plan. */
function refsOf({ server }: Context, place: OldPreview, preview: PreviewRecord | undefined): readonly PreviewRef[] {
  const pools = preview
    ? [preview.deployment.root.pool]
    : [undefined, ...server.current().pools.map(({ name }) => name)];
  const { rootName, id: deploymentId } = place;
  return pools.map((pool) => ({ rootName, deploymentId, ...defined({ pool }) }));
}

async function lookOf(
  { pullRequestRecords }: Context,
  place: OldPreview,
  preview: PreviewRecord | undefined,
): Promise<PullRequestLook | undefined> {
  const number = preview?.deployment.pullRequest;
  return number === undefined ? undefined : (await pullRequestRecords.read(place, { number }))?.look;
}

function isShown(look: PullRequestLook | undefined, { id }: OldPreview): boolean {
  return look?.isOpen === true && look.previews.some(({ deploymentId }) => deploymentId === id);
}

async function forget({ pullRequestRecords, jobLogs }: Context, place: OldPreview): Promise<void> {
  const preview = await pullRequestRecords.readPreview(place, place.rootName, place.id);
  const { pullRequest: number, preview: parents, progress, root } = preview?.deployment ?? {};
  if (number !== undefined) {
    const subject: PreviewSubject = { number, ...(parents?.group !== undefined && { group: parents.group }) };
    const look = (await pullRequestRecords.read(place, subject))?.look;
    if (isShown(look, place)) return pullRequestRecords.keepPreview(place);
  }
  const job = progress?.jobs.plan;
  if (job !== undefined && root !== undefined) await jobLogs.of(poolOf(root)).remove(job.id);
  await pullRequestRecords.removePreview(place);
}

/** One that is said to be open may have been closed without our knowing: the forge is asked, and the next time it goes. */
async function forgetPullRequest(context: Context, place: OldPullRequest, before: Date): Promise<void> {
  const { pullRequestRecords } = context;
  const { number } = place.subject;
  const record = await pullRequestRecords.read(place, place.subject);
  if (record === undefined || (record.look?.isOpen === false && record.look.at < before.toISOString())) {
    await pullRequestRecords.removePullRequest(place);
    return;
  }
  const { repository, look, group } = record;
  if (look?.isOpen !== false && group) await scheduleGroupSync(context, repository, number, group);
  else if (look?.isOpen !== false) await schedulePullRequestSync(context, repository, number);
  await pullRequestRecords.keepPullRequest(place);
}
