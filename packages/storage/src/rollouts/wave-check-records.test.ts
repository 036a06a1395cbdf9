import { expect, test } from '@jest/globals';
import type { WaveChecks } from '@nereid/domain/gates';
import type { Signed } from '@nereid/domain/signed';
import { openObjectStore } from '../objects/open-object-store.ts';
import { aFolder, aRepository } from '../testing.ts';
import { createWaveCheckRecords } from './wave-check-records.ts';

const { owner, name } = aRepository;
const ROLLOUT = `${'a'.repeat(40)}/delivery-1`;

function signed(answer: string): Signed<WaveChecks> {
  const at = '2026-01-31T14:00:00.000Z';
  const results = [{ check: 'errors', at, failures: 1, answer }];
  const about = { version: 1, repository: { owner, name }, rollout: ROLLOUT, wave: 1 } as const;
  return { body: { ...about, since: at, state: 'checking', at, results }, signature: 'a..b' };
}

async function open() {
  const store = await openObjectStore(`file:${await aFolder()}`, {});
  return { records: createWaveCheckRecords(store), store };
}

test('what came of checks is read as it was signed, each wave on its own', async () => {
  const { records } = await open();
  await records.write(signed('answered 500'), undefined);

  expect(await records.read(aRepository, ROLLOUT, 1)).toMatchObject({ checks: signed('answered 500') });
  expect(await records.read(aRepository, ROLLOUT, 2)).toBeUndefined();
});

test('of two that ask at once, the first one counts', async () => {
  const { records } = await open();
  const first = await Promise.all([records.write(signed('1'), undefined), records.write(signed('2'), undefined)]);
  const found = await records.read(aRepository, ROLLOUT, 1);

  expect(first.toSorted()).toEqual([false, true]);
  expect(await records.write(signed('3'), found?.version)).toBe(true);
  expect(await records.write(signed('4'), found?.version)).toBe(false);
  expect(await records.read(aRepository, ROLLOUT, 1)).toMatchObject({ checks: signed('3') });
});

test('a rollout whose checks are asked is listed once, until it is forgotten', async () => {
  const { records } = await open();
  await Promise.all([records.add(aRepository, ROLLOUT), records.add(aRepository, ROLLOUT)]);
  await records.add(aRepository, ROLLOUT);
  const { keys, next } = await records.list();
  const [key = ''] = keys;

  expect([keys.length, next]).toEqual([1, undefined]);
  expect(await records.find(key)).toEqual({ version: 1, repository: aRepository, rollout: ROLLOUT });
  await records.remove(key);
  expect(await records.list()).toEqual({ keys: [] });
  expect(await records.find(key)).toBeUndefined();
});

test('more rollouts than one list has come in the next one', async () => {
  const { records, store } = await open();
  const keys = Array.from({ length: 201 }, (_, index) => `checked-rollouts/acme/infra/${1_000 + index}.json`);
  await Promise.all(keys.map((key) => store.put(key, Buffer.from('{}'), { synced: false })));

  const first = await records.list();

  expect(first).toEqual({ keys: keys.slice(0, 200), next: keys[199] });
  expect(await records.list(first.next)).toEqual({ keys: keys.slice(200) });
});

test('a record that is broken has no checks that passed', async () => {
  const { records, store } = await open();
  await store.put(`rollout-checks/${owner}/${name}/${ROLLOUT}/1.json`, Buffer.from('{"version":1,"checks":{}}'));

  await expect(records.read(aRepository, ROLLOUT, 1)).rejects.toMatchObject({ code: 'BROKEN_RECORD' });
});
