import { findAccount } from '../state/accounts.ts';
import type { Team } from '../state/model.ts';
import { nodeId, type Json } from './json.ts';
import type { View } from '../world.ts';

/** Any time will do, because nobody asks when a team was made. */
const LONG_AGO = '2020-01-01T00:00:00Z';

/** `team-full`, as `GET team` writes it. */
export function teamJson(view: View, { organization, slug, members }: Team): Json {
  const org = `${view.apiUrl}/orgs/${organization}`;
  const url = `${org}/teams/${slug}`;
  const id = findAccount(view.store, organization)?.id ?? 0;
  const times = { created_at: LONG_AGO, updated_at: LONG_AGO };
  return {
    ...times,
    id,
    node_id: nodeId('Team', id),
    name: slug,
    slug,
    description: null,
    privacy: 'closed',
    notification_setting: 'notifications_enabled',
    permission: 'pull',
    parent: null,
    type: 'organization',
    url,
    html_url: `${view.url}/orgs/${organization}/teams/${slug}`,
    members_url: `${url}/members{/member}`,
    repositories_url: `${url}/repos`,
    members_count: members.length,
    repos_count: 0,
    organization: {
      ...times,
      login: organization,
      id,
      node_id: nodeId('Organization', id),
      url: org,
      repos_url: `${org}/repos`,
      events_url: `${org}/events`,
      hooks_url: `${org}/hooks`,
      issues_url: `${org}/issues`,
      members_url: `${org}/members{/member}`,
      public_members_url: `${org}/public_members{/member}`,
      avatar_url: `${view.url}/-/avatar/${organization}`,
      html_url: `${view.url}/${organization}`,
      description: null,
      has_organization_projects: true,
      has_repository_projects: true,
      public_repos: 0,
      public_gists: 0,
      followers: 0,
      following: 0,
      type: 'Organization',
      archived_at: null,
    },
  };
}
