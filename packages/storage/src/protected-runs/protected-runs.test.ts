import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { ProtectedRun } from '@nereid/domain/intake';
import type { ObjectStore } from '../objects/object-store.ts';
import { openObjectStore } from '../objects/open-object-store.ts';
import { aFolder } from '../testing.ts';
import { createProtectedRuns } from './protected-runs.ts';

let store: ObjectStore;

beforeEach(async () => {
  store = await openObjectStore(`file:${await aFolder()}`);
});

afterEach(() => {
  store.close();
});

function aRun(runId: number, environment = 'production', name = 'infra', deploymentId = 10 * runId): ProtectedRun {
  const repository = { owner: 'acme', name, installationId: 1 };
  const about = { kind: 'protected-run', repository, runId, deploymentId, askedAt: '2026-01-31T14:00:00Z' } as const;
  const event = { ...about, environment, sha: 'a'.repeat(40), sender: 'ada' };
  const body = { version: 1, delivery: `d${runId}`, receivedAt: '2026-01-31T14:00:00.000Z', event } as const;
  return { version: 1, received: { body, signature: 'of the gateway' }, reports: 0 };
}

const listed = async () =>
  await createProtectedRuns(store).list((error) => {
    throw error;
  });

test('runs are kept as they were signed, until they are removed', async () => {
  const runs = createProtectedRuns(store);
  await runs.add(aRun(1));
  await runs.add(aRun(1, 'a/../b\n', 'app'));
  await runs.remove(aRun(1));

  expect(await listed()).toEqual([aRun(1, 'a/../b\n', 'app')]);
});

test('a run that waits already stays as it is, also if too many wait', async () => {
  const runs = createProtectedRuns(store, 1);
  await runs.add(aRun(1));
  await runs.write({ ...aRun(1), said: 'waiting', reports: 1 });

  expect(await runs.add(aRun(1, 'PRODUCTION'))).toMatchObject({ said: 'waiting', reports: 1 });
  expect(await listed()).toHaveLength(1);
});

test('no more of a repository wait than the limit, whatever waits elsewhere', async () => {
  const runs = createProtectedRuns(store, 2);
  for (const runId of [1, 2]) await runs.add(aRun(runId));

  expect(await runs.add(aRun(3))).toBeUndefined();
  expect(await runs.add(aRun(3, 'production', 'app'))).toBeDefined();
  expect(await listed()).toHaveLength(3);
});

test('a record that nobody can read hides no other', async () => {
  await createProtectedRuns(store).add(aRun(1));
  await store.put('protected-runs/acme/infra/2-x.json', Buffer.from('{'));
  const unreadable: unknown[] = [];

  const found = await createProtectedRuns(store).list((error) => unreadable.push(error));

  expect(found).toEqual([aRun(1)]);
  expect(unreadable).toHaveLength(1);
});

test('each attempt of a run has its own record, and so has each of its environments', async () => {
  const runs = createProtectedRuns(store);
  await runs.add({ ...aRun(1), said: 'waiting', reports: 1 });
  await runs.add(aRun(1, 'Продакшн 🚀/../'.repeat(10)));
  const again = aRun(1, 'production', 'infra', 11);

  expect(await runs.add(again)).toEqual(again);
  expect(await listed()).toHaveLength(3);
  await runs.remove(aRun(1));
  expect(await listed()).toHaveLength(2);
});

test('what was written long ago is forgotten, though nobody can read it', async () => {
  const runs = createProtectedRuns(store);
  await runs.add(aRun(1));
  await store.put('protected-runs/acme/infra/2-x.json', Buffer.from('{'));

  await runs.forget(new Date(Date.now() - 60_000));
  expect(await listed().catch(() => 'unreadable')).toBe('unreadable');
  await runs.forget(new Date(Date.now() + 60_000));
  expect(await listed()).toEqual([]);
});
