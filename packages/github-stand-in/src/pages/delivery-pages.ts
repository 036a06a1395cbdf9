import type { Router } from 'express';
import type { Delivery } from '../state/model.ts';
import type { World } from '../world.ts';
import { html, type Html } from './html.ts';
import { button } from './layout.ts';
import { act, PageRefusal, show, type PageCall, type PageContent } from './page-call.ts';

/** People look for the newest ones. */
const SHOWN_DELIVERIES = 50;

/** Shows the deliveries of webhooks, and sends a webhook again. */
export function addDeliveryPages(router: Router, world: World): void {
  show(router, world, '/deliveries', deliveriesPage);
  act(router, world, '/deliveries/:id/redeliver', redeliver);
}

function deliveriesPage({ world }: PageCall): PageContent {
  const newest = world.store.state.deliveries.slice(-SHOWN_DELIVERIES).reverse();
  const none = html`<div class="row">Nothing has been sent yet.</div>`;
  const content = html`<h1>Webhook deliveries</h1>
    <div class="box" id="deliveries" data-live>${newest.length === 0 ? none : newest.map(deliveryRow)}</div>`;
  return { title: 'Webhook deliveries', content };
}

function deliveryRow(delivery: Delivery): Html {
  const { id, guid, event, action, status, statusCode, durationMs, deliveredAt, redelivery } = delivery;
  const success = statusCode < 400;
  return html`<div class="row">
    <span class="mark ${success ? 'success' : 'failure'}" title="${status}">${success ? '✓' : '✗'}</span>
    <details class="grow" id="delivery-${id}">
      <summary>
        <b>${action === null ? event : `${event}.${action}`}</b> <code>${guid}</code>
        <span class="muted"
          >${statusCode} in ${durationMs} ms · ${deliveredAt}${redelivery ? ' · redelivery' : ''}</span
        >
      </summary>
      <p>${status}</p>
      <h2>Response</h2>
      <pre>${delivery.responseBody === '' ? '(empty)' : delivery.responseBody}</pre>
      <h2>Headers of the request</h2>
      <pre>${lines(delivery.requestHeaders)}</pre>
      <h2>Payload</h2>
      <pre>${JSON.stringify(JSON.parse(delivery.payload), null, 2)}</pre>
    </details>
    ${button(`/deliveries/${id}/redeliver`, 'Redeliver')}
  </div>`;
}

function lines(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}

async function redeliver({ world, param }: PageCall): Promise<string> {
  const delivery = world.store.state.deliveries.find(({ id }) => id === Number(param('id')));
  if (!delivery) throw new PageRefusal(404, 'There is no such delivery.');
  await world.webhooks.redeliver(delivery);
  return '/deliveries';
}
