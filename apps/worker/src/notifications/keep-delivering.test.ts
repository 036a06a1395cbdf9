import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { ServerConfig } from '@nereid/config';
import type { Notification } from '@nereid/domain/notification';
import { createOutbox, openObjectStore, type Outbox } from '@nereid/storage';
import { folderOfEachTest } from '@nereid/test-kit/folders';
import { openReceiver, silence, status, type Receiver } from '@nereid/test-kit/receiver';
import { keepDelivering, type Delivering } from './keep-delivering.ts';

type Destination = ServerConfig['notifications'][number];

const SECRET = `whsec_${Buffer.alloc(32, 'a').toString('base64')}`;

const folder = folderOfEachTest();
let outbox: Outbox;
let well: Receiver;
let sick: Receiver;
let notifications: readonly Destination[];
let delivering: Delivering[];
let logged: string[];

beforeEach(async () => {
  outbox = createOutbox(await openObjectStore(`file:${folder}/records`));
  await writeFile(join(folder, 'secret'), SECRET);
  [well, sick] = await Promise.all([openReceiver(), openReceiver()]);
  [notifications, delivering, logged] = [[aDestination('well', well), aDestination('sick', sick)], [], []];
});

afterEach(async () => {
  await Promise.all([well.close(), sick.close()]);
  await Promise.all(delivering.map((each) => each.close()));
});

function aDestination(name: string, { url }: Receiver): Destination {
  const target = { kind: 'webhook', url, secretFile: join(folder, 'secret') } as const;
  return { name, target, when: ['failed'], repositories: [], roots: [] };
}

function begin(workerId = 'w1'): Delivering {
  const one = keepDelivering({
    server: { current: () => ({ notifications }) },
    outbox,
    logger: { warn: (fields: object, message?: string) => void logged.push(JSON.stringify({ fields, message })) },
    onDelivery: () => undefined,
    onOldest: () => undefined,
    workerId,
    paceMs: 0,
    everyMs: 10,
  });
  delivering.push(one);
  return one;
}

async function keep(destination: string, id: string): Promise<void> {
  const at = new Date();
  const notification: Notification = { version: 1, id, type: 'failed', at: at.toISOString(), sentence: 's', links: {} };
  await outbox.keep(destination, notification, at);
}

const idsAt = (receiver: Receiver) => receiver.received().map(({ headers }) => headers['webhook-id']);

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const endMs = Date.now() + 60_000;
  while (!(await isTrue())) {
    if (Date.now() > endMs) throw new Error('expected it within a minute');
    await sleep(5);
  }
}

test('a destination that never answers holds up no other', async () => {
  sick.always(silence);
  await keep('sick', 'a');
  await keep('well', 'b');

  begin();

  await until(() => idsAt(well).includes('b'));
});

test('a notification that is kept while a worker runs is delivered at once', async () => {
  const one = begin();
  await keep('well', 'a');
  one.deliverNow();
  await until(() => idsAt(well).includes('a'));
  await until(async () => (await outbox.readState('well'))?.state.holder === undefined);

  await keep('well', 'b');
  one.deliverNow();

  await until(() => idsAt(well).includes('b'));
  expect(idsAt(well)).toEqual(['a', 'b']);
});

test('of several workers, one sends each notification', async () => {
  const ids = Array.from({ length: 20 }, (_, n) => `n${String(n).padStart(2, '0')}`);
  for (const id of ids) await keep('well', id);

  for (const id of ['w1', 'w2', 'w3']) begin(id);

  await until(async () => (await outbox.listWaiting('well', 1)).length === 0);
  expect(idsAt(well).toSorted()).toEqual(ids);
});

test('a destination that goes from the file is left alone, with what waits for it', async () => {
  notifications = notifications.filter(({ name }) => name === 'well');
  await keep('sick', 'a');
  await keep('well', 'b');

  begin();

  await until(() => idsAt(well).includes('b'));
  expect(idsAt(sick)).toEqual([]);
  expect(await outbox.listWaiting('sick', 1)).toHaveLength(1);
});

test('no line of the log has the secret, or the path of an address', async () => {
  sick.always(status(401, SECRET));
  notifications = notifications.map(
    (each) => ({ ...each, target: { ...each.target, url: `${sick.url}/token-in-path` } }) as Destination,
  );
  await keep('sick', 'a');

  begin();

  await until(() => logged.length > 0);
  expect(logged.join('\n')).toContain('answered 401');
  expect(logged.join('\n')).not.toMatch(/whsec_|token-in-path/);
});
