import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { canMount, type SmallDisk } from './small-disk.ts';
import { openTerrain, type Terrain } from '../terrain.ts';

jest.setTimeout(300_000);

/** Nothing else behaves like a full disk: where no disk can be mounted, the tests are skipped, and listed as such. */
const mayMount = await canMount();
const testOnDisk = mayMount ? test : test.skip;

let terrain: Terrain;
let disk: SmallDisk;

beforeAll(async () => {
  if (!mayMount) return;
  terrain = await openTerrain(process.env, { hasSmallDisk: true });
  if (terrain.disk === undefined) throw new Error('expected storage with a disk of its own');
  disk = terrain.disk;
});

afterAll(async () => {
  if (mayMount) await terrain.closeGenuine();
});

testOnDisk('a plan that finds no room is made again when there is some', async () => {
  const sha = await terrain.push('network', 'kept-late', { planSeconds: 3 });
  await terrain.planBegins(sha);

  await disk.fill();
  await terrain.says('network', sha, /ENOSPC|no space/i);
  await disk.makeRoom();
  await terrain.confirm('network', sha);

  await terrain.applied('network', sha);
  expect((await terrain.ledger()).filter((line) => line === 'kept-late')).toHaveLength(1);
});

testOnDisk('an apply during which the disk fills up goes on; its end is told when there is room', async () => {
  const sha = await terrain.push('network', 'told-late', { applySeconds: 5 });
  await terrain.confirm('network', sha);
  await terrain.applyBegins('told-late');

  await disk.fill();
  await terrain.applyEnds('told-late');
  await disk.makeRoom();

  const { externalId } = await terrain.applied('network', sha);
  await terrain.isAudited(externalId, ['RUNNING', 'SUCCESS']);
  expect((await terrain.ledger()).filter((line) => line === 'told-late')).toHaveLength(1);
});
