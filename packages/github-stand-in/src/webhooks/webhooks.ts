import { randomUUID } from 'node:crypto';
import type { Faults, WebhookFault } from '../faults/faults.ts';
import type { Json } from '../json/json.ts';
import type { Delivery } from '../state/model.ts';
import type { Store } from '../state/store.ts';
import { attempt, type Envelope, type Target } from './attempt.ts';

export interface Webhook {
  readonly event: string;
  /** Undefined for events without one: push, ping. */
  readonly action?: string;
  readonly installationId: number;
  readonly repositoryId: number | null;
  readonly payload: Json;
}

/** Sends each webhook to the App once, whatever the outcome. Only a person or the App can have it sent again. */
export interface Webhooks {
  /** Where they are sent. */
  url(): string;
  /** From now on they go there, signed with this secret. */
  aim(target: Pick<Target, 'url' | 'secret' | 'appId'>): void;
  send(webhook: Webhook): void;
  /** Sends the same payload with the same GUID again. Resolves with the new attempt's outcome. */
  redeliver(delivery: Delivery): Promise<Delivery>;
  /** Resolves when nothing is on its way. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** GitHub keeps deliveries for days. We limit their number, because each holds a payload of about 15 kB. */
const KEPT_DELIVERIES = 300;

export function createWebhooks(store: Store, faults: Faults, first: Target): Webhooks {
  let target = first;
  const underWay = new Set<Promise<Delivery>>();
  const closing = new AbortController();
  let held: Envelope[] = [];

  const deliver = async (envelope: Envelope, redelivery: boolean): Promise<Delivery> => {
    const id = store.newId();
    const delivery = { id, redelivery, ...(await attempt(envelope, target, closing.signal)) };
    store.state.deliveries.push(delivery);
    store.state.deliveries.splice(0, store.state.deliveries.length - KEPT_DELIVERIES);
    store.changed();
    return delivery;
  };

  const start = (envelope: Envelope, redelivery = false): Promise<Delivery> => {
    const delivery = deliver(envelope, redelivery);
    underWay.add(delivery);
    void delivery.finally(() => underWay.delete(delivery));
    return delivery;
  };

  const hold = (envelope: Envelope, count: number): void => {
    held.push(envelope);
    if (held.length < count) return;
    const reversed = held.reverse();
    held = [];
    for (const each of reversed) void start(each);
  };

  const sendWith = (fault: WebhookFault | undefined, envelope: Envelope): void => {
    if (fault?.kind === 'lost webhook') return;
    if (fault?.kind === 'webhooks out of order') {
      hold(envelope, fault.count);
      return;
    }
    void start(envelope);
    if (fault?.kind === 'duplicate webhook') void start(envelope);
  };

  return {
    url: () => target.url,
    aim(next) {
      target = { ...target, ...next };
    },
    send(webhook) {
      if (!closing.signal.aborted) sendWith(faults.meetWebhook(webhook.event), toEnvelope(webhook));
    },
    redeliver: (delivery) => start(delivery, true),
    async settled() {
      while (underWay.size > 0) await Promise.all(underWay);
    },
    async close() {
      closing.abort();
      await Promise.all(underWay);
    },
  };
}

function toEnvelope({ event, action, installationId, repositoryId, payload }: Webhook): Envelope {
  const text = JSON.stringify(action === undefined ? payload : { action, ...payload });
  return { guid: randomUUID(), event, action: action ?? null, installationId, repositoryId, payload: text };
}
