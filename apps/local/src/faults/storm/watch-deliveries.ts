/** All webhooks of a storm: the stand-in itself keeps the last few hundred. */
import type { Delivery } from '@nereid/test-kit';
import type { Stack } from '../../stack/stack.ts';

/** Far fewer than the stand-in keeps are sent in this time. */
const LOOKED_EVERY_MS = 200;

/** Without payloads, but for the head of a push. */
export interface SeenDelivery extends Pick<Delivery, 'id' | 'event' | 'statusCode'> {
  readonly pushed?: string;
}

/** Until it is stopped, which answers every attempt that was made. */
export function watchDeliveries({ github }: Pick<Stack, 'github'>): () => readonly SeenDelivery[] {
  const seen = new Map<number, SeenDelivery>();
  const look = () => {
    for (const delivery of github.deliveries()) {
      if (!seen.has(delivery.id)) seen.set(delivery.id, withoutPayload(delivery));
    }
  };
  const looking = setInterval(look, LOOKED_EVERY_MS).unref();
  return () => {
    clearInterval(looking);
    look();
    return [...seen.values()];
  };
}

function withoutPayload({ id, event, statusCode, payload }: Readonly<Delivery>): SeenDelivery {
  // GitHub's own webhook.
  const pushed = event === 'push' ? (JSON.parse(payload) as { after: string }).after : undefined;
  return { id, event, statusCode, ...(pushed !== undefined && { pushed }) };
}
