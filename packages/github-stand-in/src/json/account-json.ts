import { ensureAccount, findAccount, roleOf } from '../state/accounts.ts';
import { ROLES, type Account, type Repository, type Role } from '../state/model.ts';
import { nodeId, type Json } from './json.ts';
import type { View } from '../world.ts';

/** `simple-user` of a person, an organisation or a bot. */
export function accountJson(view: View, login: string): Json {
  const account = findAccount(view.store, login) ?? ensureAccount(view.store, login);
  const url = `${view.apiUrl}/users/${encodeURIComponent(account.login)}`;
  return {
    login: account.login,
    id: account.id,
    node_id: nodeId(account.type, account.id),
    avatar_url: `${view.url}/-/avatar/${encodeURIComponent(account.login)}`,
    gravatar_id: '',
    url,
    html_url: `${view.url}/-/people/${encodeURIComponent(account.login)}`,
    followers_url: `${url}/followers`,
    following_url: `${url}/following{/other_user}`,
    gists_url: `${url}/gists{/gist_id}`,
    starred_url: `${url}/starred{/owner}{/repo}`,
    subscriptions_url: `${url}/subscriptions`,
    organizations_url: `${url}/orgs`,
    repos_url: `${url}/repos`,
    events_url: `${url}/events{/privacy}`,
    received_events_url: `${url}/received_events`,
    type: account.type,
    site_admin: false,
  };
}

/** `public-user`. */
export function userJson(view: View, login: string): Json {
  const nothing = { name: null, company: null, blog: null, location: null, email: null, hireable: null, bio: null };
  const counts = { public_repos: 0, public_gists: 0, followers: 0, following: 0 };
  const since = '2020-01-01T00:00:00Z';
  return { ...accountJson(view, login), ...nothing, ...counts, created_at: since, updated_at: since };
}

/** `repository-collaborator-permission`. `permission` knows only GitHub's old names: maintain is write, triage is read. */
export function permissionJson(view: View, repository: Repository, account: Account): Json {
  const role = roleOf(repository, account.login) ?? (repository.private ? undefined : 'read');
  return {
    permission: role === undefined ? 'none' : OLD_NAMES[role],
    role_name: role ?? 'none',
    user: collaboratorJson(view, account.login, role),
  };
}

/** `collaborator`. */
export function collaboratorJson(view: View, login: string, role: Role | undefined): Json {
  return { ...accountJson(view, login), permissions: permissionsOf(role), role_name: role ?? 'none' };
}

/** The `permissions` of a person, as answers about them and about a repository have it. */
export function permissionsOf(role: Role | undefined): Json {
  const has = (least: Role): boolean => role !== undefined && ROLES.indexOf(role) >= ROLES.indexOf(least);
  return {
    pull: has('read'),
    triage: has('triage'),
    push: has('write'),
    maintain: has('maintain'),
    admin: has('admin'),
  };
}

const OLD_NAMES: Readonly<Record<Role, string>> = {
  read: 'read',
  triage: 'read',
  write: 'write',
  maintain: 'write',
  admin: 'admin',
};
