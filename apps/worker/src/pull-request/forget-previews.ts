/** Removes what nobody reads any more of pull requests: previews of older heads, and of those that were closed. */
import type { PreviewSubject } from '@nereid/contracts';
import { StorageUnavailableError, type OldPreview } from '@nereid/storage';
import type { WorkerContext } from '../context.ts';

type Context = Pick<WorkerContext, 'pullRequestRecords' | 'jobLogs' | 'logger'>;

/** Whoever looks for a preview that is older asks for a new plan. */
const KEPT_MS = 30 * 24 * 60 * 60_000;

/** What is left is the next round's. */
const FORGET_LIMIT = 200;

export async function forgetPreviews(context: Context, nowMs: number): Promise<void> {
  const before = new Date(nowMs - KEPT_MS);
  for (const place of await context.pullRequestRecords.previewsBefore(before, FORGET_LIMIT)) {
    try {
      await forget(context, place, before);
    } catch (error) {
      if (error instanceof StorageUnavailableError) throw error;
      context.logger.warn({ err: error, ...place }, 'an old preview could not be removed');
    }
  }
}

async function forget({ pullRequestRecords, jobLogs }: Context, place: OldPreview, before: Date): Promise<void> {
  const preview = await pullRequestRecords.readPreview(place, place.rootName, place.id);
  const { pullRequest: number, preview: parents, progress } = preview?.deployment ?? {};
  if (number !== undefined) {
    const subject: PreviewSubject = { number, ...(parents?.group !== undefined && { group: parents.group }) };
    const look = (await pullRequestRecords.read(place, subject))?.look;
    if (look?.isOpen === true && look.previews.some(({ deploymentId }) => deploymentId === place.id))
      return pullRequestRecords.keepPreview(place);
    if (look?.isOpen === false && look.at < before.toISOString()) await pullRequestRecords.remove(place, subject);
  }
  const job = progress?.jobs.plan;
  if (job !== undefined) await jobLogs.remove(job.id);
  await pullRequestRecords.removePreview(place);
}
