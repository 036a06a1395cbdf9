/** Collects all webhooks of a storm, because the stand-in itself keeps only the last few hundred. */
import type { Delivery } from '@nereid/github-stand-in';
import type { Stack } from '../../stack/stack.ts';

/** In this time, far fewer webhooks are sent than the stand-in keeps. */
const LOOKED_EVERY_MS = 200;

/** A delivery without its payload, except for the head of a push. */
export interface SeenDelivery extends Pick<Delivery, 'id' | 'event' | 'statusCode'> {
  readonly pushed?: string;
}

/** Watches until the returned function is called, which returns every attempt that was made. */
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
  // Every push webhook of GitHub has `after`.
  const pushed = event === 'push' ? (JSON.parse(payload) as { after: string }).after : undefined;
  return { id, event, statusCode, ...(pushed !== undefined && { pushed }) };
}
