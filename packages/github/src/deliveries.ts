import { defined } from '@nereid/domain/defined';
import type { Buttons, Deliveries } from '@nereid/forge';
import type { Clients } from './client/clients.ts';
import { isNotFound } from './client/failures.ts';
import { PAGE_SIZE } from './client/pages.ts';
import { readPress } from './presses.ts';

/** GitHub keeps deliveries for three days; a busy App has some thousands a day, and nearly none of them fails. */
const PAGES_LIMIT = 10;

export function createDeliveries(clients: Clients): Deliveries & Buttons {
  return {
    async failedSince(at) {
      const webhooks = new Map<string, Webhook>();
      for await (const attempt of newestFirst(clients)) {
        if (attempt.at < at) break;
        const known = webhooks.get(attempt.guid);
        // Attempts come newest first, so the first one of a webhook is its last attempt.
        if (known === undefined) webhooks.set(attempt.guid, { last: attempt, first: attempt });
        else known.first = attempt;
      }
      return [...webhooks.values()]
        .filter(({ first, last }) => last.hasFailed && !first.isRedelivery)
        .map(({ first, last: { id, guid, event, at: lastAt } }) => ({ id, guid, event, firstAt: first.at, lastAt }));
    },
    async findPress(guid, since) {
      for await (const attempt of newestFirst(clients)) {
        // GitHub tells times to the second.
        if (Date.parse(attempt.at) < Date.parse(since)) return undefined;
        if (attempt.guid === guid) return readPress(clients, attempt.id);
      }
      return undefined;
    },
    async redeliver(id) {
      try {
        await clients.askApp('POST attempt of a delivery', (octokit) =>
          octokit.request('POST /app/hook/deliveries/{delivery_id}/attempts', { delivery_id: id }),
        );
        return true;
      } catch (error) {
        if (isNotFound(error)) return false;
        throw error;
      }
    },
  };
}

interface Attempt {
  readonly id: number;
  readonly guid: string;
  readonly event: string;
  readonly at: string;
  readonly isRedelivery: boolean;
  readonly hasFailed: boolean;
}

interface Webhook {
  readonly last: Attempt;
  first: Attempt;
}

async function* newestFirst(clients: Clients): AsyncGenerator<Attempt> {
  let cursor: string | undefined;
  for (let page = 1; page <= PAGES_LIMIT; page += 1) {
    const { data, headers } = await clients.askApp('GET deliveries', (octokit) =>
      octokit.request('GET /app/hook/deliveries', { per_page: PAGE_SIZE, ...defined({ cursor }) }),
    );
    for (const { id, guid, event, delivered_at: at, redelivery: isRedelivery, status_code: status } of data) {
      yield { id: Number(id), guid, event, at, isRedelivery, hasFailed: status < 200 || status >= 400 };
    }
    cursor = cursorIn(headers.link);
    if (cursor === undefined) return;
  }
}

/** Deliveries are paged by a cursor, which stands in the link to the next page. */
function cursorIn(link: string | undefined): string | undefined {
  const next = /<([^>]*)>; rel="next"/.exec(link ?? '')?.[1];
  return next === undefined ? undefined : (URL.parse(next)?.searchParams.get('cursor') ?? undefined);
}
