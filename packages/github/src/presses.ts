/** What GitHub has kept of the webhooks that it sent us: so nobody else can say that a person pressed a button. */
import type { Press } from '@nereid/forge';
import type { Clients } from './client/clients.ts';
import { isNotFound } from './client/failures.ts';

/** Undefined when GitHub has forgotten the delivery, or it tells of no press. `id` is the limit of one attempt. */
export async function readPress(clients: Clients, id: number): Promise<Press | undefined> {
  try {
    const { data } = await clients.askApp('GET delivery', (octokit) =>
      octokit.request('GET /app/hook/deliveries/{delivery_id}', { delivery_id: id }),
    );
    const { event, action, request } = data;
    return event === 'check_run' && action === 'requested_action' ? pressIn(request.payload) : undefined;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** As the payload of a webhook `check_run` with the action `requested_action` says. */
function pressIn(payload: unknown): Press {
  return {
    repository: fieldOf(payload, 'repository', 'full_name'),
    installationId: fieldOf(payload, 'installation', 'id'),
    checkRunId: fieldOf(payload, 'check_run', 'id'),
    checkRunName: fieldOf(payload, 'check_run', 'name'),
    headSha: fieldOf(payload, 'check_run', 'head_sha'),
    externalId: fieldOf(payload, 'check_run', 'external_id'),
    identifier: fieldOf(payload, 'requested_action', 'identifier'),
    sender: fieldOf(payload, 'sender', 'login'),
    senderId: fieldOf(payload, 'sender', 'id'),
  };
}

function fieldOf(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (part, name) =>
      typeof part === 'object' && part !== null ? Object.entries(part).find(([key]) => key === name)?.[1] : undefined,
    value,
  );
}
