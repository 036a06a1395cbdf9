/** Writes the check run `nereid/plan` of a pull request, from what is stored of its previews. */
import { createHash } from 'node:crypto';
import {
  fullName,
  hasEnded,
  pullRequestWorkflowId,
  type PreviewSubject,
  type PullRequestLook,
  type PullRequestRecord,
  type Repository,
} from '@nereid/contracts';
import {
  GitHubRefusedError,
  GitHubUnavailableError,
  pullRequestUrl,
  renderPullRequest,
  type CheckRunContent,
  type ShownPreview,
} from '@nereid/github';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import pMap from 'p-map';
import type { WorkerContext } from '../context.ts';
import { checkRunLinks } from '../lane/show/check-run-links.ts';

/** Storage answers in milliseconds; more at once would only wait there. */
const AT_ONCE = 20;

/** Shares of an attempt of a minute: a write takes twelve seconds at most. */
const BEGUN_WITHIN_MS = 30_000;
const GIVEN_UP_AFTER_MS = 45_000;

/**
 * Throws `GitHubUnavailableError` while GitHub does not take it. Between the first plan and the last, the check run only counts;
 * so it is written at most once, and the check runs of the roots say the rest.
 */
export async function showPullRequest(
  context: WorkerContext,
  repository: Repository,
  subject: PreviewSubject,
  { isRetry, signal }: { readonly isRetry: boolean; readonly signal: AbortSignal },
): Promise<void> {
  const record = await context.pullRequestRecords.read(repository, subject);
  const look = record?.look;
  if (record === undefined || !look?.isOpen || (look.previews.length === 0 && look.verdict === undefined)) return;
  const previews = await shownPreviews(context, repository, look.previews);
  const isOver = previews.every(({ deployment }) => deployment === undefined || hasEnded(deployment.progress.status));
  const { shown, checkRuns: known } = record;
  if (!isOver && known.at(-1)?.completed === false && !isRetry) return;

  const content = renderPullRequest({
    headSha: look.headSha,
    externalId: pullRequestWorkflowId(repository, subject),
    detailsUrl: pullRequestUrl(context.config.github.url, repository, subject.number),
    previews,
    ...(look.unplanned !== undefined && { unplanned: look.unplanned }),
    ...(look.notRenewed && { remark: REMARKS[look.notRenewed](context.server.current().commentNames[0]) }),
    ...(look.verdict && { verdict: look.verdict }),
    ...(shown?.conclusion && { before: shown.conclusion }),
  });
  const digest = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  if (digest === shown?.digest && !isRetry) return;
  try {
    const checkRuns = await context.github.checkRuns.present(repository, known, content, {
      creationUncertain: isRetry,
      priority: 'preview',
      signal: AbortSignal.any([signal, AbortSignal.timeout(GIVEN_UP_AFTER_MS)]),
      begin: AbortSignal.any([signal, AbortSignal.timeout(BEGUN_WITHIN_MS)]),
    });
    await context.pullRequestRecords.change(repository, subject, (newest) =>
      newest?.look?.headSha === look.headSha
        ? { ...newest, checkRuns, shown: shownAs(content, digest, look) }
        : undefined,
    );
  } catch (error) {
    if (error instanceof GitHubUnavailableError && error.retryAfterMs !== undefined) {
      throw ApplicationFailure.create({
        message: error.message,
        type: 'NOT_SHOWN',
        category: ApplicationFailureCategory.BENIGN,
        nextRetryDelay: error.retryAfterMs,
      });
    }
    if (!(error instanceof GitHubRefusedError) || error.status === 401) throw error;
    const fields = { err: error, repository: fullName(repository), ...subject };
    context.logger.error(fields, 'GitHub refuses the check run of a pull request: it stays as it is');
  }
}

const REMARKS = {
  draft: () => 'a draft: not planned again',
  idle: (commentName: string) => `at rest for two weeks: comment \`${commentName} plan\` for a new plan`,
} as const;

/** The conclusion of plans stays while they are made again; that of a pull request without plans does not. */
function shownAs(
  { conclusion }: CheckRunContent,
  digest: string,
  { verdict }: PullRequestLook,
): NonNullable<PullRequestRecord['shown']> {
  const isOfPlans = verdict === undefined && conclusion !== undefined;
  const isVerdict = isOfPlans && conclusion !== 'cancelled' && conclusion !== 'timed_out';
  return { digest, ...(isVerdict && { conclusion }) };
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
    if (record === undefined) return [{ rootName: ref.rootName }];
    const { deployment } = record;
    const { outdatedBy } = ref;
    return [
      {
        rootName: ref.rootName,
        deployment,
        url: linksOf(deployment).deploymentUrl,
        ...(outdatedBy !== undefined && { outdatedBy }),
      },
    ];
  });
}
