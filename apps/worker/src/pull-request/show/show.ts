/** Writes the check run `nereid/plan` of a pull request and our comment on it, from what is stored of its previews. */
import { createHash } from 'node:crypto';
import { hasEnded } from '@nereid/domain/deployment';
import {
  pullRequestWorkflowId,
  type PreviewSubject,
  type PullRequestLook,
  type PullRequestRecord,
  type PullRequestVerdict,
} from '@nereid/domain/pull-request';
import { fullName, type Repository } from '@nereid/domain/root';
import { policyFor } from '@nereid/config';
import { ForgeUnavailableError, isRefused, type CheckRunContent } from '@nereid/forge';
import { renderPullRequest, titleSubject, type PullRequestSubject, type ShownPreview } from '@nereid/texts';
import pMap from 'p-map';
import type { WorkerContext } from '../../platform/context.ts';
import { checkRunLinks } from '../../lane/show/check-run-links.ts';
import { notShown } from './not-shown.ts';
import { planPageUrl } from '../plan-page-url.ts';
import { showComment } from './show-comment.ts';

/** Storage answers in milliseconds; more at once would only wait there. */
const AT_ONCE = 20;

/** Shares of an attempt of a minute: a write takes twelve seconds at most. */
const BEGUN_WITHIN_MS = 30_000;
const GIVEN_UP_AFTER_MS = 45_000;

export interface ShowAttempt {
  readonly isRetry: boolean;
  readonly signal: AbortSignal;
  /** What `onCheckRun` got last, in this attempt or an earlier one. */
  readonly checkRunDigest?: string | undefined;
  /** Is told the digest of the check run that was written, and nothing before one is written: then nobody knows what the forge has. */
  readonly onCheckRun: (digest?: string) => void;
}

interface Showing extends Pick<ShowAttempt, 'isRetry' | 'checkRunDigest' | 'onCheckRun'> {
  readonly context: WorkerContext;
  readonly repository: Repository;
  readonly id: PreviewSubject;
  readonly record: PullRequestRecord;
  readonly subject: PullRequestSubject;
  readonly signal: AbortSignal;
  readonly begin: AbortSignal;
}

/** Throws `ForgeUnavailableError` while the forge does not take it. A pull request that is closed keeps what it shows. */
export async function showPullRequest(
  context: WorkerContext,
  repository: Repository,
  id: PreviewSubject,
  { signal, ...attempt }: ShowAttempt,
): Promise<void> {
  const record = await context.pullRequestRecords.read(repository, id);
  const look = record?.look;
  if (record === undefined || !look?.isOpen) return;
  const isPlanned = look.previews.length > 0 || look.verdict !== undefined;
  if (!isPlanned && record.comment?.state !== 'written') return;
  const showing = {
    ...{ context, repository, id, record, ...attempt },
    subject: await subjectOf(context, repository, id, { ...record, look }),
    signal: AbortSignal.any([signal, AbortSignal.timeout(GIVEN_UP_AFTER_MS)]),
    begin: AbortSignal.any([signal, AbortSignal.timeout(BEGUN_WITHIN_MS)]),
  };
  if (isPlanned) await unlessRefused(showing, 'check run', () => showCheckRun(showing));
  if (id.group === undefined) await unlessRefused(showing, 'comment', () => showCommentOf(showing));
}

async function subjectOf(
  context: WorkerContext,
  repository: Repository,
  id: PreviewSubject,
  { look, shown }: PullRequestRecord & { readonly look: PullRequestLook },
): Promise<PullRequestSubject> {
  const previews = await shownPreviews(context, repository, look.previews);
  const { headSha, removed, configWarnings, verdict = look.previews.length === 0 ? NOT_PLANNED : undefined } = look;
  const judged = verdict ? { ...look, verdict } : look;
  // The link stays the same while the plans do.
  const from = previews.reduce((last, { deployment }) => later(last, deployment?.receivedAt), '');
  return {
    headSha,
    externalId: pullRequestWorkflowId(repository, id),
    detailsUrl: await planPageUrl(context, repository, id, from === '' ? look.at : from),
    ...titleSubject({ look: judged, ...(shown && { shown }) }, previews),
    ...(removed && { removed }),
    ...(configWarnings && { configWarnings }),
  };
}

/** Its base was changed to a branch that is not deployed, or pull requests are planned no more. */
const NOT_PLANNED: PullRequestVerdict = { conclusion: 'neutral', title: 'No longer planned', lines: [] };

function later(one: string, other = ''): string {
  return one < other ? other : one;
}

/**
 * Between the first plan and the last, the check run only counts; so it is written at most once, and the check runs of the roots
 * say the rest.
 */
async function showCheckRun({ context, repository, id, record, subject, ...showing }: Showing): Promise<void> {
  const { shown, checkRuns: known } = record;
  const { isRetry, signal, begin, onCheckRun } = showing;
  const isOver = subject.previews.every(
    ({ deployment }) => deployment === undefined || hasEnded(deployment.progress.status),
  );
  if (!isOver && known.at(-1)?.completed === false && !isRetry) return;
  const content = renderPullRequest(subject);
  const digest = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  // The record does not say what an earlier attempt wrote whose answer was lost. One that came to the comment knows.
  if (digest === (isRetry ? showing.checkRunDigest : shown?.digest)) {
    onCheckRun(digest);
    return;
  }
  // Nothing is merged before the check run of a group in front.
  const priority = id.group === undefined ? 'preview' : 'first';
  const options = { creationUncertain: isRetry, priority, signal, begin } as const;
  onCheckRun();
  const checkRuns = await context.forge.status.present(repository, known, content, options);
  await context.pullRequestRecords.change(repository, id, (newest) =>
    newest?.look?.headSha === subject.headSha
      ? { ...newest, checkRuns, shown: shownAs(content, digest, subject.verdict) }
      : undefined,
  );
  onCheckRun(digest);
}

async function showCommentOf({ context, repository, id, record, subject, signal, begin }: Showing): Promise<void> {
  const policy = policyFor(context.server.current(), fullName(repository));
  const mode = policy?.pullRequestComment ?? 'off';
  const { comment } = record;
  await showComment(context, { repository, number: id.number, mode, subject, comment, signal, begin });
}

/** A refusal stays one: the next state tries again. */
async function unlessRefused(
  { context, repository, id }: Showing,
  what: string,
  show: () => Promise<void>,
): Promise<void> {
  try {
    await show();
  } catch (error) {
    if (error instanceof ForgeUnavailableError && error.retryAfterMs !== undefined)
      throw notShown(error.message, error.retryAfterMs);
    if (!isRefused(error)) throw error;
    const fields = { err: error, repository: fullName(repository), ...id };
    context.logger.error(fields, `the forge refuses the ${what} of a pull request: it stays as it is`);
  }
}

function shownAs(
  { conclusion, title }: CheckRunContent,
  digest: string,
  verdict: PullRequestVerdict | undefined,
): NonNullable<PullRequestRecord['shown']> {
  const isKnown = conclusion !== undefined && conclusion !== 'cancelled' && conclusion !== 'timed_out';
  return { digest, title, ...(isKnown && { conclusion }), ...(verdict && { isVerdict: true }) };
}

async function shownPreviews(
  context: WorkerContext,
  repository: Repository,
  previews: NonNullable<PullRequestRecord['look']>['previews'],
): Promise<readonly ShownPreview[]> {
  const linksOf = await checkRunLinks(context, repository);
  const found = await pMap(
    previews,
    ({ rootName, deploymentId }) => context.pullRequestRecords.readPreview(repository, rootName, deploymentId),
    { concurrency: AT_ONCE },
  );
  return found.flatMap((record, index) => {
    const ref = previews[index];
    if (ref === undefined) return [];
    if (record === undefined) return [{ rootName: ref.rootName, ...(ref.isRemoval && { isRemoval: ref.isRemoval }) }];
    const { deployment } = record;
    const { deploymentId: _id, ...shown } = ref;
    return [{ ...shown, deployment, url: linksOf(deployment).deploymentUrl }];
  });
}
