import { expect, test } from '@jest/globals';
import type { Rollout } from '@nereid/domain/rollout';
import { openObjectStore } from '../objects/open-object-store.ts';
import { aFolder, aRepository } from '../testing.ts';
import { createRolloutRecords } from './rollout-records.ts';

const { owner, name } = aRepository;

function aRollout(change: Partial<Rollout> = {}): Rollout {
  return {
    version: 1,
    repository: { owner, name },
    id: `${'a'.repeat(40)}/delivery-1`,
    revision: 'a'.repeat(40),
    orderedAt: '2026-11-20T10:00:00.000Z',
    isRerun: false,
    roots: [
      { rootName: 'network', group: 0, dependsOn: [], deploymentId: 'id-1' },
      { rootName: 'service', group: 0, dependsOn: ['network'], deploymentId: 'id-2' },
    ],
    ...change,
  };
}

async function open() {
  const folder = await aFolder();
  const store = await openObjectStore(`file:${folder}`, {});
  return { records: createRolloutRecords(store), store };
}

test('a rollout is read as it was written; another one is not there', async () => {
  const { records } = await open();
  await records.write(aRollout());

  expect(await records.read(aRepository, aRollout().id)).toEqual(aRollout());
  expect(await records.read(aRepository, `${'b'.repeat(40)}/delivery-1`)).toBeUndefined();
});

test('what was stored first counts: another attempt gets it', async () => {
  const { records } = await open();
  await records.write(aRollout());

  expect(await records.write(aRollout({ roots: [], orderedAt: '2026-11-20T11:00:00.000Z' }))).toEqual(aRollout());
});

test('the ends of all roots are listed, every end of each', async () => {
  const { records } = await open();
  const { id } = aRollout();
  await records.end(aRepository, id, 'network', { kind: 'ended', status: 'skipped' });
  await records.end(aRepository, id, 'network', { kind: 'ended', status: 'apply-failed' });
  await records.end(aRepository, id, 'network', { kind: 'ended', status: 'apply-failed' });
  await records.end(aRepository, id, 'service', { kind: 'carried', deploymentId: 'id-3' });
  await records.end(aRepository, `${id}0`, 'dns', { kind: 'ended', status: 'succeeded' });

  expect(await records.ends(aRepository, id)).toEqual(
    new Map([
      [
        'network',
        [
          { kind: 'ended', status: 'apply-failed', at: expect.any(Number) },
          { kind: 'ended', status: 'skipped', at: expect.any(Number) },
        ],
      ],
      ['service', [{ kind: 'carried', deploymentId: 'id-3', at: expect.any(Number) }]],
    ]),
  );
  expect(await records.ends(aRepository, `${'b'.repeat(40)}/delivery-1`)).toEqual(new Map());
});

test('a broken record is no rollout', async () => {
  const { records, store } = await open();
  const key = `rollouts/${owner}/${name}/${aRollout().id}.json`;
  await store.put(key, Buffer.from(JSON.stringify({ ...aRollout(), roots: [{ rootName: 'network' }] })));

  await expect(records.read(aRepository, aRollout().id)).rejects.toMatchObject({ code: 'BROKEN_RECORD' });
});

test('an id that leads elsewhere is no key', async () => {
  const { records } = await open();

  await expect(records.read(aRepository, '../../lanes/x')).rejects.toMatchObject({ code: 'INVALID_KEY' });
});

test('all rollouts of a revision are found: of its merge, and of its re-runs', async () => {
  const { records } = await open();
  const { id } = await records.write(aRollout());
  const rerun = await records.write(aRollout({ id: `${'a'.repeat(40)}/delivery-2`, isRerun: true }));
  await records.write(aRollout({ id: `${'b'.repeat(40)}/delivery-3` }));

  const found = await records.ofRevision(aRepository, 'a'.repeat(40));

  expect(found.map((rollout) => rollout.id).toSorted()).toEqual([id, rerun.id]);
  expect(await records.ofRevision(aRepository, 'c'.repeat(40))).toEqual([]);
});
