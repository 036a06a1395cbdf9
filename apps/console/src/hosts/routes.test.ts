import { describe, expect, test } from '@jest/globals';
import { HostList } from '@nereid/api';
import type { HostRecord } from '@nereid/domain/host';
import { createDrainRecords, createHostRecords } from '@nereid/storage';
import { aConsole, aControl } from '../testing.ts';

const NOW = new Date().toISOString();

test('hosts are listed with what they say of themselves', async () => {
  const { get, store } = await aConsole({ isLocal: true });
  await createHostRecords(store).write(aHost());

  const { items } = HostList.parse(await (await get('/api/v1/hosts')).json());

  expect(items).toEqual([
    { id: 'h1', pool: 'default', state: 'ready', slots: { total: 4, used: 1 }, runs: [], at: NOW },
  ]);
  expect(await (await get('/hosts')).text()).toMatch(/1 of\s+4/);
});

describe('a host', () => {
  const DRAIN = { version: 1, hostId: 'h1', action: 'drain', requestId: 'r1', by: 'bob', at: NOW } as const;
  const STOPPED = { ...DRAIN, hostId: 'h2', by: '<b>eve' } as const;

  async function drained() {
    const console = await aConsole({ isLocal: true, requests: aControl().requests });
    const drains = createDrainRecords(console.store);
    await createHostRecords(console.store).write(aHost({ draining: true }));
    for (const each of [DRAIN, STOPPED]) await drains.ask(each);
    return { ...console, drains };
  }

  test('that an operator drained says who asked for it, and so does one that was stopped since', async () => {
    const { get } = await drained();

    const { items, stopped } = HostList.parse(await (await get('/api/v1/hosts')).json());
    const page = textOf(await (await get('/hosts')).text());

    expect(items).toMatchObject([{ id: 'h1', state: 'draining', drain: { by: 'bob', at: NOW } }]);
    expect(stopped).toEqual([{ id: 'h2', drain: { by: '<b>eve', at: NOW } }]);
    expect(page).toContain('Draining: takes no more work (asked for by @bob');
    expect(page).toContain('Stopped (starts drained, as asked by @&lt;b&gt;eve');
  });

  test('has a button that drains it, or lets it take work again', async () => {
    const { get, drains } = await drained();
    const actions = async () =>
      Array.from((await (await get('/hosts')).text()).matchAll(ACTION), ([, action]) => action);
    expect(await actions()).toEqual(['api/v1/hosts/h1/resume', 'api/v1/hosts/h2/resume']);

    await drains.ask({ ...DRAIN, action: 'resume' });

    expect(await actions()).toEqual(['api/v1/hosts/h1/drain', 'api/v1/hosts/h2/resume']);
  });

  test('has no button for people who are no operators', async () => {
    const login = { policy: { mode: 'local', as: 'alice' }, operators: ['bob'] } as const;
    const { get, store } = await aConsole({ isLocal: true, requests: aControl().requests, login });
    await createHostRecords(store).write(aHost());

    expect(await (await get('/hosts')).text()).toContain('h1');
    expect(await (await get('/hosts')).text()).not.toContain('class="act"');
  });

  test('has no button for people who only look', async () => {
    const { get, store } = await aConsole({ isLocal: true });
    await createHostRecords(store).write(aHost());

    expect(await (await get('/hosts')).text()).not.toContain('class="act"');
  });

  test('of which an operator asked something that cannot be read is shown without it', async () => {
    const { get, store } = await drained();
    await store.put('drains/h1.json', Buffer.from('{'));

    const { items } = HostList.parse(await (await get('/api/v1/hosts')).json());

    expect(items).toEqual([expect.not.objectContaining({ drain: expect.anything() })]);
  });

  test('whose record cannot be read takes no other host off the page', async () => {
    const { get, store } = await drained();
    await store.put('hosts/h3.json', Buffer.from('{'));

    expect(HostList.parse(await (await get('/api/v1/hosts')).json()).items).toMatchObject([{ id: 'h1' }]);
  });
});

const ACTION = /<form\s[^>]*class="act"[^>]*action="([^"]+)"/g;

/** What people read, on one line. */
function textOf(page: string): string {
  return page.replaceAll(/<[^>]+>/g, '').replaceAll(/\s+/g, ' ');
}

function aHost(changes: Partial<HostRecord> = {}): HostRecord {
  return { version: 1, hostId: 'h1', at: NOW, slots: { total: 4, used: 1 }, draining: false, ...changes };
}
