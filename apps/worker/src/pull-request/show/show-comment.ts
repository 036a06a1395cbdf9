/**
 * Keeps our one comment on a pull request up to date.
 *
 * It is created once, though answers are lost and workers are taken for dead: a worker creates it only after it has stored a claim
 * that no other has, and whoever finds a claim of another looks on the forge first. What a person deleted stays deleted until there
 * is a new head.
 */
import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { PullRequestComment } from '@nereid/config';
import type { KeptComment, PullRequestRecord } from '@nereid/domain/pull-request';
import type { Repository } from '@nereid/domain/root';
import { ForgeUnavailableError, type KeptCommentRequest } from '@nereid/forge';
import { isUnderWay, isWorthAComment, renderPullRequestComment, type PullRequestSubject } from '@nereid/texts';
import type { OfForge, WorkerContext } from '../../platform/context.ts';
import { notShown } from './not-shown.ts';

/** Somebody who reads a comment is not served by one that changes more often. */
const PAUSE_MS = 5_000;

/** A worker gives a create up after 45 s and GitHub after ten more; the rest is for clocks that differ. */
const CLAIM_MS = 75_000;

/** The forge's clock may be behind ours. */
const EARLIER_MS = 5 * 60_000;

/** While another worker may be creating the comment. */
const LOOK_AGAIN_MS = 10_000;

type CommentContext = OfForge<'comments'> & Pick<WorkerContext, 'pullRequestRecords'>;

export interface CommentToShow extends Pick<KeptCommentRequest, 'begin'> {
  readonly repository: Repository;
  readonly number: number;
  readonly mode: PullRequestComment;
  readonly subject: PullRequestSubject;
  readonly comment: KeptComment | undefined;
  readonly signal: AbortSignal;
}

export async function showComment(context: CommentContext, shown: CommentToShow): Promise<void> {
  const { mode, comment } = shown;
  if (mode === 'off') return;
  if (comment?.state !== 'written') return createOnce(context, shown, comment);
  const digest = digestOf(shown.subject);
  if (digest === comment.digest) return;
  const pauseMs = Date.parse(comment.at) + PAUSE_MS - Date.now();
  if (pauseMs > 0) await delay(Math.min(pauseMs, PAUSE_MS), undefined, { signal: shown.signal });
  const isThere = await update(context, shown, comment.id);
  if (isThere) return keep(context, shown, comment, writtenAs(shown, comment.id));
  const deleted = { state: 'deleted', headSha: comment.headSha } as const;
  await keep(context, shown, comment, deleted);
  return createOnce(context, shown, deleted);
}

/** Creates it where it is due; one that nobody knows of is found. */
async function createOnce(
  context: CommentContext,
  shown: CommentToShow,
  before: Exclude<KeptComment, { state: 'written' }> | undefined,
): Promise<void> {
  const { forge } = context;
  const { subject, mode } = shown;
  if (before?.state === 'deleted' && before.headSha === subject.headSha) return;
  if (before?.state === 'claimed') {
    const since = new Date(Date.parse(before.at) - EARLIER_MS).toISOString();
    const id = await forge.comments.kept.find(shown, since);
    if (id !== undefined) return adopt(context, shown, before, id);
    if (Date.parse(before.at) + CLAIM_MS > Date.now()) throw notShown('the comment may be under way', LOOK_AGAIN_MS);
  }
  const isDue = !subject.previews.some(isUnderWay) && (mode === 'always' || isWorthAComment(subject));
  if (!isDue) return;
  const claim: KeptComment = { state: 'claimed', claim: randomUUID(), at: new Date().toISOString() };
  if (!(await replace(context, shown, before, claim))) throw notShown('the comment may be under way', LOOK_AGAIN_MS);
  await createClaimed(context, shown, { before, claim });
}

async function createClaimed(
  context: CommentContext,
  shown: CommentToShow,
  { before, claim }: { readonly before: KeptComment | undefined; readonly claim: KeptComment },
): Promise<void> {
  const { kept } = context.forge.comments;
  let isSent = false;
  let known: number | undefined;
  let created: number | undefined;
  try {
    // The record may be younger than the comment.
    known = await kept.find(shown);
    isSent = known === undefined;
    if (isSent) created = await kept.create(shown, renderPullRequestComment(shown.subject));
  } catch (error) {
    const mayBeThere = isSent && !isCertain(error);
    if (!mayBeThere) await keep(context, shown, claim, before);
    throw error;
  }
  if (known !== undefined) await adopt(context, shown, claim, known);
  if (created !== undefined) await keep(context, shown, claim, writtenAs(shown, created));
}

/** An update comes first: once the id is stored with a digest, that is what the comment says. */
async function adopt(context: CommentContext, shown: CommentToShow, before: KeptComment, id: number): Promise<void> {
  if (await update(context, shown, id)) await keep(context, shown, before, writtenAs(shown, id));
}

function update({ forge }: CommentContext, shown: CommentToShow, id: number): Promise<boolean> {
  return forge.comments.kept.update(shown, id, renderPullRequestComment(shown.subject));
}

/** A create that the forge refused or limited did not happen. */
function isCertain(error: unknown): boolean {
  return !(error instanceof ForgeUnavailableError) || error.retryAfterMs !== undefined;
}

function writtenAs({ subject }: CommentToShow, id: number): KeptComment {
  const at = new Date().toISOString();
  return { state: 'written', id, digest: digestOf(subject), headSha: subject.headSha, at };
}

/** While plans are under way it is written once: the check runs of the roots say the rest. */
function digestOf(subject: PullRequestSubject): string {
  const { headSha, previews } = subject;
  const isOver = !previews.some(isUnderWay);
  const rounds = previews.map(({ deployment, outdatedBy, ahead }) => [deployment?.id, outdatedBy, ahead]);
  const content = isOver ? renderPullRequestComment(subject) : JSON.stringify([headSha, rounds]);
  return createHash('sha256').update(content).digest('hex');
}

async function keep(
  context: CommentContext,
  shown: CommentToShow,
  before: KeptComment,
  comment: KeptComment | undefined,
): Promise<void> {
  await replace(context, shown, before, comment);
}

/** False when the comment is not as it was before: another worker has changed it. */
async function replace(
  { pullRequestRecords }: CommentContext,
  { repository, number }: CommentToShow,
  before: KeptComment | undefined,
  comment: KeptComment | undefined,
): Promise<boolean> {
  let isReplaced = false;
  await pullRequestRecords.change(repository, { number }, (newest) => {
    isReplaced = newest !== undefined && isDeepStrictEqual(newest.comment, before);
    return newest && isReplaced ? withComment(newest, comment) : undefined;
  });
  return isReplaced;
}

function withComment({ comment: _before, ...record }: PullRequestRecord, comment: KeptComment | undefined) {
  return { ...record, ...(comment && { comment }) };
}
