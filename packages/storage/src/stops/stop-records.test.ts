import { describe, expect, test } from '@jest/globals';
import type { PoolStop, Stop } from '@nereid/domain/gates';
import type { Signed } from '@nereid/domain/signed';
import { storeOfEachTest } from '../objects/testing/store-of-each-test.ts';
import { createStopRecords } from './stop-records.ts';

const INFRA = { owner: 'acme', name: 'infra' };

const store = storeOfEachTest();

function stopOf(requestId: string): Signed<Stop> {
  const times = { at: '2026-01-31T14:00:00.000Z', until: '2026-01-31T16:00:00.000Z' };
  const body = { version: 1, requestId, repository: INFRA, directories: ['prod/**'], reason: 'r', by: 'ada' } as const;
  return { body: { ...body, ...times }, signature: `signature of ${requestId}` };
}

test('a repository that nobody stopped has no stops', async () => {
  expect(await createStopRecords(store).read(INFRA)).toEqual({ stops: [], glass: [] });
});

test('stops are kept as they were signed, each repository on its own', async () => {
  const records = createStopRecords(store);
  await records.change(INFRA, (found) => ({ ...found, stops: [...found.stops, stopOf('r1')] }));

  expect((await records.read(INFRA)).stops).toEqual([stopOf('r1')]);
  expect((await records.read({ ...INFRA, name: 'app' })).stops).toEqual([]);
});

test('the word that lets a deployment pass is kept beside the stops, and forgotten after its end', async () => {
  const records = createStopRecords(store);
  const times = { at: '2026-01-31T14:00:00.000Z', until: '2026-01-31T16:00:00.000Z' };
  const body = { version: 1, requestId: 'r1', repository: INFRA, deploymentId: '1', reason: 'r', by: 'ada' } as const;
  const glass = { body: { ...body, ...times }, signature: 'a..b' };
  await records.change(INFRA, (found) => ({ ...found, glass: [glass] }));
  await records.change(INFRA, (found) => ({ ...found, stops: [stopOf('r1')] }));

  expect(await records.read(INFRA)).toEqual({ stops: [stopOf('r1')], glass: [glass] });
  await records.forgetEnded('2026-01-31T17:00:00.000Z', () => undefined);
  expect(await records.read(INFRA)).toEqual({ stops: [], glass: [] });
});

test('of two people who stop it at once, both count', async () => {
  const records = createStopRecords(store);
  await Promise.all(
    ['r1', 'r2', 'r3'].map((id) =>
      records.change(INFRA, (found) => ({ ...found, stops: [...found.stops, stopOf(id)] })),
    ),
  );

  expect((await records.read(INFRA)).stops.map(({ body }) => body.requestId).toSorted()).toEqual(['r1', 'r2', 'r3']);
});

test('a record that cannot be read stays, unless its reader replaces it', async () => {
  const records = createStopRecords(store);
  await store.put('stops/acme/infra.json', Buffer.from('{'));

  await expect(records.change(INFRA, () => ({ stops: [], glass: [] }))).rejects.toHaveProperty('code', 'BROKEN_RECORD');
  await expect(records.read(INFRA)).rejects.toHaveProperty('code', 'BROKEN_RECORD');

  const told: string[] = [];
  const change = () => ({ stops: [stopOf('r1')], glass: [] });
  await records.change(INFRA, change, ({ code }) => void told.push(code));
  expect(told).toEqual(['BROKEN_RECORD']);
  expect((await records.read(INFRA)).stops).toEqual([stopOf('r1')]);
});

test('a stop that is over is forgotten, with its person, and no other', async () => {
  const records = createStopRecords(store);
  const later = { ...stopOf('r2'), body: { ...stopOf('r2').body, until: '2026-01-31T18:00:00.000Z' } };
  await records.change(INFRA, () => ({
    stops: [stopOf('r1'), later],
    glass: [],
    thawedAt: '2026-01-30T00:00:00.000Z',
  }));

  await records.forgetEnded('2026-01-31T17:00:00.000Z', () => undefined);

  expect((await records.read(INFRA)).stops).toEqual([later]);
  await records.change(INFRA, (found) => {
    expect(found.thawedAt).toBe('2026-01-30T00:00:00.000Z');
    return found;
  });
});

describe('stops of pools', () => {
  const ofPool = (pool: string, until = '2026-01-31T16:00:00.000Z'): Signed<PoolStop> => ({
    body: { ...{ version: 1, requestId: pool, pool, reason: 'r', by: 'ada' }, at: '2026-01-31T14:00:00.000Z', until },
    signature: `signature of ${pool}`,
  });

  test('are kept as they were signed, apart from those of repositories', async () => {
    const records = createStopRecords(store);
    expect(await records.readPools()).toEqual({ stops: [], thawed: [] });
    await records.change(INFRA, (found) => ({ ...found, stops: [stopOf('r1')] }));
    await records.changePools((found) => ({ ...found, stops: [ofPool('*'), ofPool('gpu')] }));

    expect((await records.readPools()).stops).toEqual([ofPool('*'), ofPool('gpu')]);
    expect(await records.list(() => undefined)).toEqual([{ repository: INFRA, stops: [stopOf('r1')], glass: [] }]);
    expect((await records.read(INFRA)).stops).toEqual([stopOf('r1')]);
  });

  test('are forgotten once they are over, and when they were thawed is not', async () => {
    const records = createStopRecords(store);
    const later = ofPool('gpu', '2026-01-31T18:00:00.000Z');
    const thawed = [{ pool: '*', at: '2026-01-30T00:00:00.000Z' }];
    await records.changePools(() => ({ stops: [ofPool('*'), later], thawed }));

    await records.forgetEnded('2026-01-31T17:00:00.000Z', () => undefined);

    expect(await records.readPools()).toEqual({ stops: [later], thawed });
  });

  test('that cannot be read are told, stay, and are no reason to leave out those of repositories', async () => {
    const records = createStopRecords(store);
    await records.change(INFRA, (found) => ({ ...found, stops: [stopOf('r1')] }));
    await store.put('stops/pools.json', Buffer.from('{'));
    const told: string[] = [];

    await records.forgetEnded('2026-01-31T17:00:00.000Z', ({ key }) => void told.push(key));

    expect(told).toEqual(['stops/pools.json']);
    expect((await records.read(INFRA)).stops).toEqual([]);
    await expect(records.readPools()).rejects.toMatchObject({ code: 'BROKEN_RECORD', key: 'stops/pools.json' });
  });
});
