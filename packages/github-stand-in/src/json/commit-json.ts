import type { ChangedFile, ChangedPaths } from '../git/changed-files.ts';
import type { Commit } from '../git/history.ts';
import { findAccount } from '../state/accounts.ts';
import type { Repository } from '../state/model.ts';
import { accountJson } from './account-json.ts';
import { nodeId, type Json } from './json.ts';
import { repositoryUrl } from './repository-json.ts';
import type { View } from '../world.ts';

/** `commit`, as lists of commits write it. */
export function commitJson(view: View, repository: Repository, commit: Commit): Json {
  const url = repositoryUrl(view, repository);
  const page = `${view.url}/${repository.owner}/${repository.name}/commit`;
  return {
    sha: commit.sha,
    node_id: nodeId('Commit', commit.sha),
    commit: {
      author: commit.author,
      committer: commit.committer,
      message: commit.message,
      tree: { sha: commit.tree, url: `${url}/git/trees/${commit.tree}` },
      url: `${url}/git/commits/${commit.sha}`,
      comment_count: 0,
      verification: { verified: false, reason: 'unsigned', signature: null, payload: null, verified_at: null },
    },
    url: `${url}/commits/${commit.sha}`,
    html_url: `${page}/${commit.sha}`,
    comments_url: `${url}/commits/${commit.sha}/comments`,
    author: signerJson(view, commit.author.email),
    committer: signerJson(view, commit.committer.email),
    parents: commit.parents.map((sha) => ({ sha, url: `${url}/commits/${sha}`, html_url: `${page}/${sha}` })),
  };
}

/** `simple-commit`, as check suites write it. */
export function simpleCommitJson(commit: Commit): Json {
  const { name, email } = commit.author;
  return {
    id: commit.sha,
    tree_id: commit.tree,
    message: commit.message,
    timestamp: commit.author.date,
    author: { name, email },
    committer: { name: commit.committer.name, email: commit.committer.email },
  };
}

/** A commit of a push webhook. */
export function pushedCommitJson(view: View, repository: Repository, commit: Commit, changed: ChangedPaths): Json {
  const signer = ({ name, email }: Commit['author']): Json => {
    const username = loginOf(view, email);
    return { name, email, ...(username === undefined ? {} : { username }) };
  };
  return {
    id: commit.sha,
    tree_id: commit.tree,
    distinct: true,
    message: commit.message,
    timestamp: commit.committer.date,
    url: `${view.url}/${repository.owner}/${repository.name}/commit/${commit.sha}`,
    author: signer(commit.author),
    committer: signer(commit.committer),
    added: changed.added,
    removed: changed.removed,
    modified: changed.modified,
  };
}

/** `diff-entry`. */
export function changedFileJson(view: View, repository: Repository, file: ChangedFile, sha: string): Json {
  const page = `${view.url}/${repository.owner}/${repository.name}`;
  const path = file.path.split('/').map(encodeURIComponent).join('/');
  return {
    sha: file.blob,
    filename: file.path,
    status: file.status,
    additions: file.additions,
    deletions: file.deletions,
    changes: file.additions + file.deletions,
    blob_url: `${page}/blob/${sha}/${path}`,
    raw_url: `${page}/raw/${sha}/${path}`,
    contents_url: `${repositoryUrl(view, repository)}/contents/${path}?ref=${sha}`,
    ...(file.patch === undefined ? {} : { patch: file.patch }),
    ...(file.previousPath === undefined ? {} : { previous_filename: file.previousPath }),
  };
}

/** GitHub recognises the person by the email address; ours are `<id>+<login>@users.noreply.github.com`, older ones have no id. */
function loginOf(view: Pick<View, 'store'>, email: string): string | undefined {
  const login = /^(?:\d+\+)?(?<login>[^@+]+)@users\.noreply\.github\.com$/.exec(email)?.groups?.['login'];
  return login === undefined ? undefined : findAccount(view.store, login)?.login;
}

function signerJson(view: View, email: string): Json | null {
  const login = loginOf(view, email);
  return login === undefined ? null : accountJson(view, login);
}
