import { expect, test } from '@jest/globals';
import { DestinationList } from '@nereid/api';
import type { Destination } from '@nereid/config';
import { FRESH_DESTINATION, type DestinationState, type Notification } from '@nereid/domain/notification';
import { createOutbox, type ObjectStore } from '@nereid/storage';
import { aConsole, aControl, TOKEN } from '../testing.ts';

const SINCE = '2026-11-22T10:00:00.000Z';
const AN_HOUR_LATER = '2026-11-22T11:00:00.000Z';

const destination = (name: string): Destination => {
  return { name, target: { kind: 'teams', secretFile: '/s' }, when: ['failed'], repositories: [], roots: [] };
};

const NOTIFICATIONS = [destination('chat'), destination('pager')];

async function write(store: ObjectStore, name: string, state: Partial<DestinationState>, waiting = 0): Promise<void> {
  const outbox = createOutbox(store);
  await outbox.writeState(name, { ...FRESH_DESTINATION, ...state }, undefined);
  for (let n = 0; n < waiting; n += 1) await outbox.keep(name, aNotification(`${n}`), new Date());
}

function aNotification(id: string): Notification {
  return { version: 1, id, type: 'failed', at: SINCE, sentence: 's', links: {} };
}

async function readDeliveries(get: (path: string) => Promise<Response>) {
  const { items } = DestinationList.parse(await (await get('/api/v1/notifications')).json());
  const page = (await (await get('/notifications')).text()).replaceAll(/<[^>]+>/g, '').replaceAll(/\s+/g, ' ');
  return { items, page };
}

test('operators see of each destination what waits, and what it took or refused last', async () => {
  const { get, store } = await aConsole({ isLocal: true, notifications: NOTIFICATIONS });
  const lastAttempt = { at: SINCE, tookMs: 120 };
  await write(store, 'chat', { deliveredAt: SINCE, lastAttempt }, 3);

  const { items, page } = await readDeliveries(get);

  expect(items).toEqual([
    {
      ...{ name: 'chat', kind: 'teams', state: 'fine', sentence: expect.any(String), waiting: 3, dropped: 0 },
      ...{ deliveredAt: SINCE, lastAttempt },
    },
    { name: 'pager', kind: 'teams', state: 'fine', sentence: 'pager took none yet', waiting: 0, dropped: 0 },
  ]);
  expect(page).toContain('taken, after 120 ms');
});

test('a destination that has failed for an hour is said to have, with its answer and what to do', async () => {
  const { get, store } = await aConsole({ isLocal: true, notifications: NOTIFICATIONS });
  const reason = 'answered 500 <b>';
  const failing = { since: SINCE, attempts: 9, lastAt: AN_HOUR_LATER, nextAt: AN_HOUR_LATER, reason };
  await write(store, 'chat', { failing, lastAttempt: { at: AN_HOUR_LATER, tookMs: 10_000, reason }, dropped: 2 });

  const { items, page } = await readDeliveries(get);

  expect(items[0]).toMatchObject({ state: 'stuck', dropped: 2 });
  expect(page).toContain('Has failed for an hour');
  expect(page).toContain('answered 500 &lt;b&gt;, after 10000 ms');
  expect(page).toContain('Dropped so far 2');
});

test('an operator has what a destination refused sent again, without a script as well', async () => {
  const { asked, requests } = aControl();
  const { get, store, url } = await aConsole({ isLocal: true, notifications: NOTIFICATIONS, requests });
  await write(store, 'chat', { refused: { id: 'n', at: SINCE, reason: 'answered 404' } });
  const page = await (await get('/notifications')).text();
  const { csrf = '' } = /name="csrf" value="(?<csrf>[^"]+)"/.exec(page)?.groups ?? {};
  expect(page.match(/id="act-send_again-[^"]+"/g)).toEqual(['id="act-send_again-chat"']);

  const post = (name: string) =>
    fetch(`${url}/api/v1/notifications/${name}/send-again`, { method: 'POST', body: new URLSearchParams({ csrf }) });

  expect([(await post('chat')).status, (await post('nowhere')).status]).toEqual([200, 404]);
  expect(asked).toMatchObject([{ request: { action: 'send_again', destination: 'chat' } }]);
});

test('what GitHub refused to show is sent again as well', async () => {
  const { asked, requests } = aControl();
  const deployments = destination('github.deployments');
  const { get, store, url } = await aConsole({ isLocal: true, notifications: [deployments], requests });
  await write(store, deployments.name, { refused: { id: 'n', at: SINCE, reason: 'no permission' } });
  const page = await (await get('/notifications')).text();
  const { action = '' } = /action="(?<action>[^"]+send-again)"/.exec(page)?.groups ?? {};
  const { csrf = '' } = /name="csrf" value="(?<csrf>[^"]+)"/.exec(page)?.groups ?? {};

  const response = await fetch(new URL(action, `${url}/notifications`), {
    method: 'POST',
    body: new URLSearchParams({ csrf }),
  });

  expect(response.status).toBe(200);
  expect(asked).toMatchObject([{ request: { action: 'send_again', destination: 'github.deployments' } }]);
});

test('people who are no operators, or only look, have no such button', async () => {
  const { get, store } = await aConsole({ isLocal: true, notifications: NOTIFICATIONS });
  await write(store, 'chat', { refused: { id: 'n', at: SINCE, reason: 'answered 404' } });

  const page = await (await get('/notifications')).text();

  expect(page).toContain('Has refused the last one');
  expect(page).not.toContain('class="act"');
});

test('a state that cannot be read hides no other destination', async () => {
  const { get, store } = await aConsole({ isLocal: true, notifications: NOTIFICATIONS });
  await store.put('outbox/chat/state.json', Buffer.from('{"version":99}'));

  const { items } = await readDeliveries(get);

  expect(items.map(({ state }) => state)).toEqual(['unread', 'fine']);
});

test('nobody else learns who is notified', async () => {
  const { get } = await aConsole({ notifications: NOTIFICATIONS });

  const statuses = [];
  for (const path of ['/notifications', '/api/v1/notifications'])
    for (const headers of [{}, { authorization: `Bearer ${TOKEN}` }]) statuses.push((await get(path, headers)).status);

  for (const status of statuses) expect([401, 403, 404]).toContain(status);
});
