import type { Repository } from '../state/model.ts';
import { accountJson } from './account-json.ts';
import { nodeId, type Json } from './json.ts';
import type { View } from '../world.ts';

/** The addresses in GitHub's answer that consist of the repository's own address and a suffix. */
const SUFFIXES: Readonly<Record<string, string>> = {
  archive_url: '/{archive_format}{/ref}',
  assignees_url: '/assignees{/user}',
  blobs_url: '/git/blobs{/sha}',
  branches_url: '/branches{/branch}',
  collaborators_url: '/collaborators{/collaborator}',
  comments_url: '/comments{/number}',
  commits_url: '/commits{/sha}',
  compare_url: '/compare/{base}...{head}',
  contents_url: '/contents/{+path}',
  contributors_url: '/contributors',
  deployments_url: '/deployments',
  downloads_url: '/downloads',
  events_url: '/events',
  forks_url: '/forks',
  git_commits_url: '/git/commits{/sha}',
  git_refs_url: '/git/refs{/sha}',
  git_tags_url: '/git/tags{/sha}',
  hooks_url: '/hooks',
  issue_comment_url: '/issues/comments{/number}',
  issue_events_url: '/issues/events{/number}',
  issues_url: '/issues{/number}',
  keys_url: '/keys{/key_id}',
  labels_url: '/labels{/name}',
  languages_url: '/languages',
  merges_url: '/merges',
  milestones_url: '/milestones{/number}',
  notifications_url: '/notifications{?since,all,participating}',
  pulls_url: '/pulls{/number}',
  releases_url: '/releases{/id}',
  stargazers_url: '/stargazers',
  statuses_url: '/statuses/{sha}',
  subscribers_url: '/subscribers',
  subscription_url: '/subscription',
  tags_url: '/tags',
  teams_url: '/teams',
  trees_url: '/git/trees{/sha}',
};

/** `full-repository`, which has all fields that `repository` and `minimal-repository` require. */
export function repositoryJson(view: View, repository: Repository): Json {
  const fullName = `${repository.owner}/${repository.name}`;
  const url = repositoryUrl(view, repository);
  const page = `${view.url}/${fullName}`;
  return {
    id: repository.id,
    node_id: nodeId('Repository', repository.id),
    name: repository.name,
    full_name: fullName,
    private: repository.private,
    owner: accountJson(view, repository.owner),
    html_url: page,
    description: null,
    fork: false,
    url,
    ...Object.fromEntries(Object.entries(SUFFIXES).map(([name, suffix]) => [name, url + suffix])),
    created_at: repository.createdAt,
    updated_at: repository.pushedAt,
    pushed_at: repository.pushedAt,
    git_url: `${page.replace(/^https?/, 'git')}.git`,
    ssh_url: `git@${new URL(view.url).hostname}:${fullName}.git`,
    clone_url: `${page}.git`,
    svn_url: page,
    mirror_url: null,
    homepage: null,
    size: 0,
    language: null,
    license: null,
    default_branch: repository.defaultBranch,
    visibility: repository.private ? 'private' : 'public',
    ...FEATURES,
    ...counts(view, repository),
  };
}

/** The repository in a push webhook has two of its times in seconds since 1970. */
export function pushedRepositoryJson(view: View, repository: Repository): Json {
  const seconds = (iso: string): number => Date.parse(iso) / 1000;
  return {
    ...repositoryJson(view, repository),
    created_at: seconds(repository.createdAt),
    pushed_at: seconds(repository.pushedAt),
    master_branch: repository.defaultBranch,
    stargazers: 0,
  };
}

export function repositoryUrl(view: View, repository: Repository): string {
  return `${view.apiUrl}/repos/${repository.owner}/${repository.name}`;
}

const FEATURES: Json = {
  has_issues: true,
  has_projects: false,
  has_downloads: false,
  has_wiki: false,
  has_pages: false,
  has_discussions: false,
  archived: false,
  disabled: false,
  allow_forking: false,
  is_template: false,
  web_commit_signoff_required: false,
  allow_merge_commit: true,
  allow_squash_merge: true,
  allow_rebase_merge: true,
  allow_auto_merge: false,
  delete_branch_on_merge: false,
  allow_update_branch: false,
  use_squash_pr_title_as_default: false,
  squash_merge_commit_message: 'COMMIT_MESSAGES',
  squash_merge_commit_title: 'COMMIT_OR_PR_TITLE',
  merge_commit_message: 'PR_TITLE',
  merge_commit_title: 'MERGE_MESSAGE',
  topics: [],
  custom_properties: {},
};

function counts(view: View, repository: Repository): Json {
  const open = view.store.state.pullRequests.filter(
    ({ repositoryId, state }) => repositoryId === repository.id && state === 'open',
  ).length;
  const none = ['forks', 'forks_count', 'watchers', 'watchers_count', 'stargazers_count', 'subscribers_count'];
  return {
    ...Object.fromEntries([...none, 'network_count'].map((name) => [name, 0])),
    open_issues: open,
    open_issues_count: open,
  };
}
