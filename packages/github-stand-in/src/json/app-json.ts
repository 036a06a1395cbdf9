import { findAccount } from '../state/accounts.ts';
import type { Installation } from '../state/model.ts';
import { accountJson } from './account-json.ts';
import { nodeId, type Json } from './json.ts';
import type { View } from '../world.ts';

/** The App itself: `integration`. */
export function appJson(view: View): Json {
  const { id, slug, clientId, owner, url, permissions, events } = view.app;
  const [first] = view.store.state.installations;
  const createdAt = first?.createdAt ?? '2024-01-01T00:00:00Z';
  return {
    id,
    slug,
    client_id: clientId,
    node_id: nodeId('Integration', id),
    owner: accountJson(view, owner ?? first?.account ?? slug),
    name: slug,
    description: '',
    external_url: view.url,
    html_url: url,
    created_at: createdAt,
    updated_at: createdAt,
    permissions,
    events,
    installations_count: view.store.state.installations.length,
  };
}

export function installationJson(view: View, installation: Installation): Json {
  const account = findAccount(view.store, installation.account);
  return {
    id: installation.id,
    client_id: view.app.clientId,
    account: accountJson(view, installation.account),
    repository_selection: 'all',
    access_tokens_url: `${view.apiUrl}/app/installations/${installation.id}/access_tokens`,
    repositories_url: `${view.apiUrl}/installation/repositories`,
    html_url: `${view.url}/settings/installations/${installation.id}`,
    app_id: view.app.id,
    app_slug: view.app.slug,
    target_id: account?.id ?? 0,
    target_type: account?.type ?? 'User',
    permissions: view.app.permissions,
    events: view.app.events,
    created_at: installation.createdAt,
    updated_at: installation.createdAt,
    single_file_name: null,
    has_multiple_single_files: false,
    single_file_paths: [],
    suspended_by: null,
    suspended_at: null,
  };
}
