import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { rename, rm, writeFile } from 'node:fs/promises';
import { openTerrain, type Terrain } from '../terrain.ts';

jest.setTimeout(300_000);

let terrain: Terrain;

beforeAll(async () => {
  terrain = await openTerrain(process.env);
});

afterAll(() => terrain.closeGenuine());

/** A file where the folder should be: nothing can be read there, and nothing written. */
async function whileStorageIsAway<T>(act: () => Promise<T>): Promise<T> {
  const { storage } = terrain.stack.folders;
  await rename(storage, `${storage}-away`);
  await writeFile(storage, 'not a folder');
  try {
    return await act();
  } finally {
    await rm(storage);
    await rename(`${storage}-away`, storage);
  }
}

test('storage that is away before a plan can be kept holds it up, and no longer', async () => {
  const sha = await terrain.push('network', 'kept-late', { planSeconds: 3 });
  await terrain.planBegins(sha);

  await whileStorageIsAway(() => terrain.says('network', sha, /again/i));
  await terrain.confirm('network', sha);

  await terrain.applied('network', sha);
  expect((await terrain.ledger()).filter((line) => line === 'kept-late')).toHaveLength(1);
});

test('storage that is away when a person confirms: nothing is applied before the audit trail is written', async () => {
  const sha = await terrain.push('network', 'audited-late');
  await terrain.scene.planned({ root: 'network', sha });

  await whileStorageIsAway(async () => {
    await terrain.confirm('network', sha);
    await terrain.says('network', sha, /audit trail/);
    expect(await terrain.ledger()).not.toContain('audited-late');
  });

  const { externalId } = await terrain.applied('network', sha);
  await terrain.isAudited(externalId, ['RUNNING', 'SUCCESS']);
});

test('storage that is away while something is applied does not touch it: its end is told when it is back', async () => {
  const sha = await terrain.push('network', 'told-late', { applySeconds: 5 });
  await terrain.confirm('network', sha);
  await terrain.applyBegins('told-late');

  await whileStorageIsAway(() => terrain.applyEnds('told-late'));

  const { externalId } = await terrain.applied('network', sha);
  await terrain.isAudited(externalId, ['RUNNING', 'SUCCESS']);
});

test('a push while storage is away waits until its lane can be read', async () => {
  const sha = await whileStorageIsAway(() => terrain.push('database', 'read-late'));

  await terrain.confirm('database', sha);
  await terrain.applied('database', sha);
  expect((await terrain.ledger()).filter((line) => line === 'read-late')).toHaveLength(1);
});
