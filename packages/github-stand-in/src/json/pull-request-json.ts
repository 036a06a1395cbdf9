import { commentsOf } from '../state/find.ts';
import type { PullRequest, Repository, Review } from '../state/model.ts';
import { accountJson } from './account-json.ts';
import { nodeId, type Json } from './json.ts';
import { repositoryJson, repositoryUrl } from './repository-json.ts';
import type { View } from '../world.ts';

/** The facts about a pull request that GitHub has to work out from git. */
export interface PullRequestFacts {
  readonly mergeable: boolean | null;
  readonly mergeableState: string;
  readonly commits: number;
  readonly additions: number;
  readonly deletions: number;
  readonly changedFiles: number;
}

/** `pull-request`, as `GET pulls/:number` and webhooks write it. */
export function pullRequestJson(view: View, repository: Repository, pr: PullRequest, facts: PullRequestFacts): Json {
  return {
    ...pullRequestSimpleJson(view, repository, pr),
    merged: pr.merged !== null,
    mergeable: facts.mergeable,
    rebaseable: facts.mergeable,
    mergeable_state: facts.mergeableState,
    merged_by: pr.merged ? accountJson(view, pr.merged.by) : null,
    comments: commentsOf(view.store, pr).length,
    review_comments: 0,
    maintainer_can_modify: false,
    commits: facts.commits,
    additions: facts.additions,
    deletions: facts.deletions,
    changed_files: facts.changedFiles,
  };
}

/** `pull-request-simple`, as lists write it. */
export function pullRequestSimpleJson(view: View, repository: Repository, pr: PullRequest): Json {
  return {
    ...identity(view, repository, pr),
    state: pr.state,
    locked: false,
    title: pr.title,
    user: accountJson(view, pr.author),
    body: pr.body === '' ? null : pr.body,
    labels: [],
    milestone: null,
    active_lock_reason: null,
    created_at: pr.createdAt,
    updated_at: pr.updatedAt,
    closed_at: pr.closedAt,
    merged_at: pr.merged?.at ?? null,
    merge_commit_sha: pr.merged?.sha ?? null,
    assignee: null,
    assignees: [],
    requested_reviewers: [],
    requested_teams: [],
    head: {
      ...headJson(view, repository, pr),
      ...(pr.fromDeletedFork && { repo: null }),
    },
    base: endJson(view, repository, pr.baseBranch, pr.baseSha),
    author_association: 'COLLABORATOR',
    auto_merge: null,
    draft: pr.draft,
  };
}

/** `pull-request-minimal`, as check runs write it. */
export function pullRequestMinimalJson(view: View, repository: Repository, pr: PullRequest): Json {
  const repo = { id: repository.id, url: repositoryUrl(view, repository), name: repository.name };
  return {
    id: pr.id,
    number: pr.number,
    url: `${repo.url}/pulls/${pr.number}`,
    head: { ref: pr.headBranch, sha: pr.headSha, repo },
    base: { ref: pr.baseBranch, sha: pr.baseSha, repo },
  };
}

/** `pull-request-review`; webhooks write the state in lower case. */
export function reviewJson(view: View, repository: Repository, pr: PullRequest, review: Review): Json {
  const html = `${pullRequestPage(view, repository, pr)}#pullrequestreview-${review.id}`;
  const url = `${repositoryUrl(view, repository)}/pulls/${pr.number}`;
  return {
    id: review.id,
    node_id: nodeId('PullRequestReview', review.id),
    user: accountJson(view, review.author),
    body: review.body,
    state: review.state,
    html_url: html,
    pull_request_url: url,
    author_association: 'COLLABORATOR',
    _links: { html: { href: html }, pull_request: { href: url } },
    submitted_at: review.submittedAt,
    commit_id: review.commit,
  };
}

export function pullRequestPage(view: View, repository: Repository, pr: PullRequest): string {
  return `${view.url}/${repository.owner}/${repository.name}/pull/${pr.number}`;
}

function identity(view: View, repository: Repository, pr: PullRequest): Json {
  const url = repositoryUrl(view, repository);
  const page = pullRequestPage(view, repository, pr);
  const links = {
    self: `${url}/pulls/${pr.number}`,
    html: page,
    issue: `${url}/issues/${pr.number}`,
    comments: `${url}/issues/${pr.number}/comments`,
    review_comments: `${url}/pulls/${pr.number}/comments`,
    review_comment: `${url}/pulls/comments{/number}`,
    commits: `${url}/pulls/${pr.number}/commits`,
    statuses: `${url}/statuses/${pr.headSha}`,
  };
  return {
    url: links.self,
    id: pr.id,
    node_id: nodeId('PullRequest', pr.id),
    html_url: page,
    diff_url: `${page}.diff`,
    patch_url: `${page}.patch`,
    issue_url: links.issue,
    commits_url: links.commits,
    review_comments_url: links.review_comments,
    review_comment_url: links.review_comment,
    comments_url: links.comments,
    statuses_url: links.statuses,
    number: pr.number,
    _links: Object.fromEntries(Object.entries(links).map(([name, href]) => [name, { href }])),
  };
}

function headJson(view: View, repository: Repository, { fork, headBranch, headSha }: PullRequest): Json {
  if (fork === undefined) return endJson(view, repository, headBranch, headSha);
  const { owner, repositoryId: id } = fork;
  const head = endJson(view, { ...repository, id, owner }, headBranch, headSha);
  return { ...head, repo: { ...repositoryJson(view, { ...repository, id, owner }), fork: true } };
}

function endJson(view: View, repository: Repository, branch: string, sha: string): Json {
  const repo = repositoryJson(view, repository);
  return { label: `${repository.owner}:${branch}`, ref: branch, sha, user: repo['owner'], repo };
}
