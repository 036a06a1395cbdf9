import { describe, expect, test } from '@jest/globals';
import { STREAM_EVENTS } from '@nereid/api';
import { aDeployment, aPlan } from '@nereid/domain/testing';
import { createDrainRecords, createHostRecords } from '@nereid/storage';
import { readEvents, type EventReader, type ReceivedEvent } from '../platform/streams/testing.ts';
import { aConsole, aLaneRecord, REPOSITORY, RUNNING, type Outside } from '../testing.ts';

const EVENTS = '/api/v1/events';
const REVIEW = aDeployment({ status: 'awaiting-review', plan: aPlan() });
const DATABASE = aLaneRecord({ rootName: 'database' });

describe('of the fleet', () => {
  test('a lane that changes is told with what lists show of it, and so is what moved in it', async () => {
    const { url, becomes } = await aFollowed({ lane: { running: RUNNING } });
    const events = await opened(`${url}${EVENTS}`);

    await becomes({ running: REVIEW });

    const [lane, deployment] = [await events.next(), await events.next()];
    expect(lane).toMatchObject({ event: 'lane', data: { rootName: 'network', lane: { state: 'review' } } });
    expect(deployment).toMatchObject({ event: 'deployment', data: { id: RUNNING.id, status: 'awaiting-review' } });
    for (const one of [lane, deployment]) expectDocumented(one);
  });

  test('how a deployment ended is told once its record says so', async () => {
    const { url, becomes, records } = await aFollowed({ lane: { running: RUNNING } });
    const events = await opened(`${url}${EVENTS}?kinds=deployment`);
    const deployment = aDeployment({ status: 'rejected', plan: aPlan() });

    await becomes({});
    await records.write({ version: 1, repository: REPOSITORY, deployment, endedAt: new Date().toISOString() });

    expect(await events.next()).toMatchObject({ event: 'deployment', data: { id: RUNNING.id, status: 'rejected' } });
  });

  test('a lane that is gone is told without what it was', async () => {
    const { url, store } = await aFollowed({ lane: {} });
    const events = await opened(`${url}${EVENTS}`);

    await store.delete('lanes/acme/infra/network.json');

    expect((await events.next())?.data).toEqual({ repository: 'acme/infra', rootName: 'network' });
  });

  test('hosts are told when an operator drains one', async () => {
    const { store, url } = await aFollowed();
    const at = '2026-02-01T10:00:00.000Z';
    await createHostRecords(store).write({
      version: 1,
      hostId: 'h1',
      at,
      slots: { total: 4, used: 1 },
      draining: false,
    });
    const events = await opened(`${url}${EVENTS}?kinds=hosts`);

    const drain = { version: 1, hostId: 'h1', action: 'drain', requestId: 'r1', by: 'bob', at } as const;
    await createDrainRecords(store).ask(drain);

    const told = await events.next();
    expect(told).toMatchObject({ event: 'hosts', data: { items: [{ id: 'h1', drain: { by: 'bob' } }] } });
    expectDocumented(told);
  });

  test('hosts are told when one changes, and not when one is heard of again', async () => {
    const { url, store } = await aFollowed();
    const hosts = createHostRecords(store);
    const record = { version: 1, hostId: 'h1', at: '2026-02-01T10:00:00.000Z', draining: false } as const;
    await hosts.write({ ...record, slots: { total: 4, used: 1 } });
    const events = await opened(`${url}${EVENTS}?kinds=hosts`);

    await hosts.write({ ...record, slots: { total: 4, used: 1 }, at: '2026-02-01T10:00:05.000Z' });
    await hosts.write({ ...record, slots: { total: 4, used: 2 } });

    const told = await events.next();
    expect(told).toMatchObject({ event: 'hosts', data: { items: [{ id: 'h1', slots: { used: 2 } }] } });
    expectDocumented(told);
  });

  test('a source that does not answer any more is told', async () => {
    const { url, store } = await aFollowed({ lane: {} });
    const events = await opened(`${url}${EVENTS}`);

    store.listStamped = () => {
      throw new Error('away');
    };

    const told = await events.next();
    expect(told).toMatchObject({ event: 'unavailable', data: { unavailable: ['storage'] } });
    expectDocumented(told);
  });

  test.each([
    ['repository=acme/infra&root=database', 'database'],
    ['repository=acme/other', 'elsewhere'],
    ['repository=ACME/Other', 'elsewhere'],
  ])('only what %s asks for is told', async (filter, rootName) => {
    const { url, lanes } = await aFollowed();
    const events = await opened(`${url}${EVENTS}?${filter}`);

    await lanes.write(aLaneRecord({}), null);
    await lanes.write(DATABASE, null);
    await lanes.write(
      { ...aLaneRecord({ rootName: 'elsewhere' }), repository: { ...REPOSITORY, name: 'other' } },
      null,
    );

    expect(await events.next()).toMatchObject({ event: 'lane', data: { rootName } });
  });

  test('in brief, all that changes together is one event', async () => {
    const { url, lanes, becomes } = await aFollowed({ lane: { running: RUNNING } });
    const events = await opened(`${url}${EVENTS}?brief=yes`);

    await becomes({ running: REVIEW });
    const first = await events.next();
    await lanes.write(DATABASE, null);

    expect(first).toMatchObject({ event: 'changed', data: {} });
    expect(await events.next()).toMatchObject({ event: 'changed', data: {} });
  });
});

describe('of one thing', () => {
  test('a deployment is told whenever its page would be another one, to everybody with its link', async () => {
    const { url, pathOf, becomes } = await aConsole({ lane: { running: RUNNING } });
    const query = `deployment=${RUNNING.id}&${pathOf(RUNNING.id).split('?')[1] ?? ''}`;
    const [one, other] = [await opened(`${url}${EVENTS}?${query}`), await opened(`${url}${EVENTS}?${query}&brief=yes`)];

    await becomes({ running: REVIEW });

    const told = await one.next();
    expect(told).toMatchObject({ event: 'deployment', data: { id: RUNNING.id, status: 'awaiting-review' } });
    expectDocumented(told);
    expect(await other.next()).toMatchObject({ event: 'changed' });
  });

  test('the plans of a pull request are told to everybody with their link', async () => {
    const { url, pullRequests, pullPathOf } = await aConsole();
    const record = { version: 1, repository: REPOSITORY, number: 12, checkRuns: [] } as const;
    const look = { isOpen: true, headSha: 'a'.repeat(40), baseBranch: 'main', at: RUNNING.receivedAt, previews: [] };
    await pullRequests.change(REPOSITORY, { number: 12 }, () => record);
    const key = pullPathOf(12).split('?')[1] ?? '';
    const events = await opened(`${url}${EVENTS}?repository=acme/infra&pull=12&${key}`);

    await pullRequests.change(REPOSITORY, { number: 12 }, () => ({ ...record, look }));

    const told = await events.next();
    expect(told).toMatchObject({ event: 'pull-request', data: { number: 12, headline: 'Not planned' } });
    expectDocumented(told);
  });

  test('however many follow a deployment, it is looked at once; and the pages that ask for it then, too', async () => {
    const { url, pathOf, get, reads } = await aConsole({ lane: { running: RUNNING } });
    const query = pathOf(RUNNING.id).split('?')[1] ?? '';
    for (let count = 0; count < 3; count += 1) await opened(`${url}${EVENTS}?deployment=${RUNNING.id}&${query}`);
    const before = reads.length;

    await Promise.all(Array.from({ length: 200 }, () => get(`/deployments/${RUNNING.id}/fragment?${query}`)));

    // The one look at it goes on meanwhile.
    expect(reads.length - before).toBeLessThan(200);
  });
});

describe('a client that comes back', () => {
  test.each(['header', 'query'])(
    'gets what it has missed, and nothing else (its place is in the %s)',
    async (place) => {
      const { url, lanes, becomes } = await aFollowed({ lane: { running: RUNNING } });
      const first = await opened(`${url}${EVENTS}?kinds=lane`);
      await becomes({ running: REVIEW });
      const id = (await first.next())?.id ?? '';
      first.leave();
      await lanes.write(DATABASE, null);

      const again =
        place === 'header'
          ? await readEvents(`${url}${EVENTS}?kinds=lane`, { 'last-event-id': id })
          : await readEvents(`${url}${EVENTS}?kinds=lane&since=${id}`);

      expect(await again.next()).toMatchObject({ event: 'lane', data: { rootName: 'database' } });
    },
  );

  test('has missed nothing, although nobody looked meanwhile', async () => {
    const { url, becomes } = await aFollowed({ lane: { running: RUNNING } });
    const first = await readEvents(`${url}${EVENTS}`);
    const id = (await first.next())?.id ?? '';
    first.leave();
    await becomes({ running: REVIEW });

    const again = await readEvents(`${url}${EVENTS}`, { 'last-event-id': id });

    expect(await again.next()).toMatchObject({ event: 'lane', data: { lane: { state: 'review' } } });
  });

  test.each(['beside', 'instead'] as const)(
    'takes the whole state again from a console %s the one that it knew',
    async (place) => {
      const { url, close, another } = await aFollowed({ lane: { running: RUNNING } });
      const first = await readEvents(`${url}${EVENTS}`);
      const id = (await first.next())?.id ?? '';
      if (place === 'instead') await close();
      const other = await another(place);

      const again = await readEvents(`${other}${EVENTS}`, { 'last-event-id': id });

      expect(await again.next()).toMatchObject({ event: 'reset' });
    },
  );

  test.each(['none', '0-0', `${'f'.repeat(8)}-1`, 'x'.repeat(90)])(
    'takes the whole state again when its place is %s, which is none',
    async (id) => {
      const { url } = await aFollowed();

      expect(await (await readEvents(`${url}${EVENTS}`, { 'last-event-id': id })).next()).toMatchObject({
        event: 'reset',
      });
    },
  );
});

describe('a stream', () => {
  test('ends when the console stops, and stopping is quick', async () => {
    const { url, close } = await aFollowed();
    const events = await opened(`${url}${EVENTS}`);

    await close();

    expect(await events.next()).toBeUndefined();
  });

  test('is one of so many; the next one comes in when another one has left', async () => {
    const { url, get } = await aFollowed({ streamsLimit: 2 });
    const [first] = [await opened(`${url}${EVENTS}`), await opened(`${url}${EVENTS}`)];

    const refused = await get(EVENTS);
    first.leave();
    let next = await readEvents(`${url}${EVENTS}`);
    while (next.status === 503) next = await readEvents(`${url}${EVENTS}`);

    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '10']);
    expect(refused.headers.get('content-type')).toContain('application/problem+json');
    expect(next.status).toBe(200);
  });

  test('is text/event-stream that no proxy keeps back, and says when to come back', async () => {
    const { url } = await aFollowed();

    const { headers } = await opened(`${url}${EVENTS}`);

    expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(headers.get('x-accel-buffering')).toBe('no');
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test('has a head, which is all of an answer to HEAD', async () => {
    const { url } = await aFollowed({ streamsLimit: 1 });

    const head = await fetch(`${url}${EVENTS}`, { method: 'HEAD' });

    expect(head.status).toBe(200);
    expect((await opened(`${url}${EVENTS}`)).status).toBe(200);
  });
});

describe('nobody is told what they may not see', () => {
  test.each([
    ['', 'the fleet, to people with links'],
    [`?deployment=${RUNNING.id}`, 'a deployment, without its key'],
    [`?deployment=${RUNNING.id}&lane=acme/infra/network&key=20000-${'0'.repeat(32)}`, 'a deployment, with a wrong key'],
    ['?deployment=delivery%2f1&key=x', 'another workflow'],
    [`?repository=acme/infra&pull=12&key=20000-${'0'.repeat(32)}`, 'plans, with a wrong key'],
    ['?repository=acme/infra&pull=12', 'plans, without a key'],
  ])('the stream %j does not show %s', async (query) => {
    const { get } = await aConsole({ lane: { running: RUNNING } });

    const refused = await get(`${EVENTS}${query}`);

    expect(refused.status).toBe(404);
    expect(refused.headers.get('content-type')).toContain('application/problem+json');
  });

  test('and a deployment that there is not cannot be followed', async () => {
    const { get } = await aFollowed();

    expect((await get(`${EVENTS}?deployment=00000000-0d4b-4e7a-9c55-1f0e6b7a2d90`)).status).toBe(404);
  });
});

test.each([
  'root=network',
  'pull=12',
  'repository=acme',
  'repository=acme/infra&root=a/b',
  'repository=acme/infra&pull=0',
  'repository=acme/infra&pull=12&root=network',
  `repository=acme/infra&deployment=${RUNNING.id}`,
  'kinds=reset',
  'kinds=,',
  'kinds=lane,,hosts',
  'brief=maybe',
  `since=${'x'.repeat(101)}`,
])('%s is not understood', async (query) => {
  const { get } = await aFollowed();

  expect((await get(`${EVENTS}?${query}`)).status).toBe(400);
});

/** A console whose visitor sees everything. */
function aFollowed(outside: Outside = {}) {
  return aConsole({ ...outside, isLocal: true });
}

/** Returns once the stream has begun. */
async function opened(url: string): Promise<EventReader> {
  const events = await readEvents(url);
  expect(await events.next()).toMatchObject({ event: 'reset', id: expect.any(String) });
  return events;
}

/** A schema leaves out what it does not know. */
function expectDocumented(told: ReceivedEvent | undefined): void {
  const schema = Object.entries(STREAM_EVENTS).find(([name]) => name === told?.event)?.[1];
  expect(schema?.parse(told?.data)).toEqual(told?.data);
}
