/**
 * The comment on a pull request: the same as its check run says, where people talk. Pure functions.
 *
 * Unlike a check run, a comment notifies the people whom it mentions, and appears on the issues to which it refers. So text from
 * outside mentions nobody and refers to nothing.
 */
import { shortSha } from '@nereid/domain/deployment';
import { code, cutToLimit, fenced, link, OUTPUT_LIMIT_BYTES, quietly } from '@nereid/forge';
import { pullRequestTitle, type PullRequestSubject } from './pull-request-check-run.ts';
import { changesSomething, isOpen, isPlanned, pullRequestTable, removedLines } from './pull-request-table.ts';

/** Room for the invisible mark by which the comment is found again. */
const MARK_BYTES = 100;

/** Markdown. */
export function renderPullRequestComment(subject: PullRequestSubject): string {
  const { headSha, detailsUrl, previews, removed = [], verdict } = subject;
  const head = code(shortSha(headSha));
  const blocks = [
    `### ${quietly(pullRequestTitle(subject))}`,
    ...(verdict
      ? [`This is about ${head}.`, ...(verdict.lines.length > 0 ? [fenced(verdict.lines, 'text')] : [])]
      : [
          `This is what merging ${head} would change. It is planned again after the merge, and nothing is applied before that.`,
        ]),
  ];
  const page = link('All plans, with their logs', detailsUrl);
  return cutToLimit(
    [
      ...blocks,
      page,
      ...(verdict ? [] : [pullRequestTable(previews, quietly), ...removedLines(removed, previews)]),
    ].join('\n\n'),
    '_There are more: the page has all of them._',
    OUTPUT_LIMIT_BYTES - MARK_BYTES,
  );
}

/** Whether there is something that people want to be told: a plan with changes, or none although there should be one. */
export function isWorthAComment({ previews, verdict }: PullRequestSubject): boolean {
  if (verdict) return verdict.conclusion === 'failure';
  return previews.some((one) => changesSomething(one) || !(isOpen(one) || isPlanned(one)));
}
