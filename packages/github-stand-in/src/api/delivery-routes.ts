import type { Delivery } from '../state/model.ts';
import { notFound, ok } from './answer.ts';
import { paged } from './pages.ts';
import type { Call, Route } from './route.ts';

/** Says where webhooks go, lists their deliveries, and sends them again. */
export const deliveryRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/app/hook/config',
    access: 'app',
    answer: ({ world }) =>
      ok({ content_type: 'json', insecure_ssl: '0', secret: '********', url: world.webhooks.url() }),
  },
  {
    method: 'GET',
    path: '/app/hook/deliveries',
    access: 'app',
    answer: listDeliveries,
  },
  {
    method: 'GET',
    path: '/app/hook/deliveries/{delivery_id}',
    access: 'app',
    answer: (call) => ok(deliveryJson(requireDelivery(call))),
  },
  {
    method: 'POST',
    path: '/app/hook/deliveries/{delivery_id}/attempts',
    access: 'app',
    answer(call) {
      void call.world.webhooks.redeliver(requireDelivery(call));
      return { status: 202, body: {} };
    },
  },
];

/** Newest first. Pages are found by a cursor, because new deliveries come in at the front. */
async function listDeliveries(call: Call) {
  const { cursor, status } = call.query;
  const older = call.world.store.state.deliveries
    .toReversed()
    .filter((each) => (cursor === undefined || each.id <= Number(cursor)) && hasOutcome(each, status));
  const perPage = Number(call.query['per_page'] ?? 30);
  const next = older[perPage];
  const answer = await paged({ ...call, query: { per_page: String(perPage) } }, older, deliveryItemJson);
  const link = `<${call.address}?per_page=${perPage}&cursor=${next?.id ?? ''}>; rel="next"`;
  return { status: answer.status, body: answer.body, headers: next ? { link } : {} };
}

function hasOutcome({ statusCode }: Delivery, asked: string | undefined): boolean {
  return asked === undefined || (statusCode < 400 ? 'success' : 'failure') === asked;
}

/** `hook-delivery-item`. */
function deliveryItemJson(delivery: Delivery) {
  return {
    id: delivery.id,
    guid: delivery.guid,
    delivered_at: delivery.deliveredAt,
    redelivery: delivery.redelivery,
    duration: delivery.durationMs / 1000,
    status: delivery.status,
    status_code: delivery.statusCode,
    event: delivery.event,
    action: delivery.action,
    installation_id: delivery.installationId,
    repository_id: delivery.repositoryId,
    throttled_at: null,
  };
}

/** `hook-delivery`. */
function deliveryJson(delivery: Delivery) {
  // We wrote the payload, as an object.
  const payload = JSON.parse(delivery.payload) as Record<string, unknown>;
  return {
    ...deliveryItemJson(delivery),
    request: { headers: delivery.requestHeaders, payload },
    response: { headers: delivery.responseHeaders, payload: delivery.responseBody },
  };
}

function requireDelivery({ world, params }: Call): Delivery {
  const delivery = world.store.state.deliveries.find(({ id }) => id === Number(params['delivery_id']));
  if (!delivery) throw notFound();
  return delivery;
}
