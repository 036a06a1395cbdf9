import { accountJson } from '../json/account-json.ts';
import { installationJson } from '../json/app-json.ts';
import { nodeId, type Json } from '../json/json.ts';
import { pushedRepositoryJson, repositoryJson } from '../json/repository-json.ts';
import { findAccount } from '../state/accounts.ts';
import { NOT_INSTALLED, type Installation, type Repository } from '../state/model.ts';
import type { App, World } from '../world.ts';
import type { Webhook } from '../webhooks/webhooks.ts';

export interface Event {
  readonly event: string;
  readonly action?: string;
  readonly repository: Repository;
  /** The login of the account that caused the event. */
  readonly sender: string;
  /** The fields of this event, without the fields that all events have. */
  readonly payload: Json;
}

/** Sends an event of a repository to the App, if it is installed there and hears it, with what GitHub adds to every event. */
export function emit(world: World, { event, action, repository, sender, payload }: Event): void {
  const { installationId } = repository;
  if (installationId === NOT_INSTALLED || !hears(world.app, event)) return;
  send(world, {
    event,
    ...(action === undefined ? {} : { action }),
    installationId,
    repositoryId: repository.id,
    payload: {
      ...payload,
      repository: event === 'push' ? pushedRepositoryJson(world, repository) : repositoryJson(world, repository),
      ...organizationOf(world, repository),
      sender: accountJson(world, sender),
      installation: { id: installationId, node_id: nodeId('Installation', installationId) },
    },
  });
}

/** Tells the App that an account has installed it, which no App has to subscribe to. */
export function sendInstalled(world: World, installation: Installation, sender: string): void {
  const repositories = world.store.state.repositories.filter((each) => each.installationId === installation.id);
  send(world, {
    event: 'installation',
    action: 'created',
    installationId: installation.id,
    repositoryId: null,
    payload: {
      installation: installationJson(world, installation),
      repositories: repositories.map((each) => {
        const { id, node_id, name, full_name, private: isPrivate } = repositoryJson(world, each);
        return { id, node_id, name, full_name, private: isPrivate };
      }),
      requester: null,
      sender: accountJson(world, sender),
    },
  });
}

/** Events of checks come with the permission: nobody subscribes to them. */
function hears({ permissions, events }: App, event: string): boolean {
  return events.includes(event) || (/^check_(run|suite)$/.test(event) && permissions['checks'] !== undefined);
}

/** GitHub's first message to a new webhook, to find out whether anybody is there. */
export function sendPing(world: World, hookUrl: string, hookId: number): void {
  const [installation] = world.store.state.installations;
  const createdAt = installation?.createdAt ?? '2024-01-01T00:00:00Z';
  send(world, {
    event: 'ping',
    installationId: installation?.id ?? 0,
    repositoryId: null,
    payload: {
      zen: 'Anything added dilutes everything else.',
      hook_id: hookId,
      hook: {
        type: 'App',
        id: hookId,
        name: 'web',
        active: true,
        events: ['push'],
        config: { content_type: 'json', insecure_ssl: '0', url: hookUrl, secret: '********' },
        updated_at: createdAt,
        created_at: createdAt,
        app_id: world.app.id,
        deliveries_url: `${world.apiUrl}/app/hook/deliveries`,
      },
    },
  });
}

function send(world: World, webhook: Webhook): void {
  const { event, action, payload } = webhook;
  const [name, whole] = action === undefined ? [event, payload] : [`${event}.${action}`, { action, ...payload }];
  const problems = world.checkAnswers ? world.contract.checkWebhook(name, whole) : [];
  if (problems.length > 0) throw new Error(`the webhook ${name} is not like GitHub's: ${JSON.stringify(problems)}`);
  world.webhooks.send(webhook);
}

function organizationOf(world: World, repository: Repository): Json {
  const owner = findAccount(world.store, repository.owner);
  if (owner?.type !== 'Organization') return {};
  const url = `${world.apiUrl}/orgs/${owner.login}`;
  return {
    organization: {
      login: owner.login,
      id: owner.id,
      node_id: nodeId('Organization', owner.id),
      url,
      repos_url: `${url}/repos`,
      events_url: `${url}/events`,
      hooks_url: `${url}/hooks`,
      issues_url: `${url}/issues`,
      members_url: `${url}/members{/member}`,
      public_members_url: `${url}/public_members{/member}`,
      avatar_url: `${world.url}/-/avatar/${owner.login}`,
      description: null,
    },
  };
}
