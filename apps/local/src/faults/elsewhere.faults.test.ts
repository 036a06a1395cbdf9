import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { openTerrain, type Terrain } from './terrain.ts';

/** A dead machine is noticed by its missing heartbeats, after a minute. */
jest.setTimeout(300_000);

let terrain: Terrain;
const measured: string[] = [];

beforeAll(async () => {
  terrain = await openTerrain(process.env, { hasSecondWorker: true });
});

afterAll(async () => {
  process.stdout.write(`\nA machine that dies and stays away:\n${measured.join('\n')}\n`);
  await terrain.closeGenuine();
});

/** Kills the machine of the host that has the deployment's plan. Returns which of the two workers it is. */
async function killHostOf(sha: string): Promise<'worker' | 'worker-2'> {
  const hostId = await terrain.hostOf('network', sha);
  const host = hostId === (await terrain.hostIdOf('worker')) ? 'worker' : 'worker-2';
  await terrain.stack.holdDown(host);
  await terrain.killLeftovers();
  return host;
}

async function measure(what: string, begins: Promise<void>): Promise<void> {
  const startedAt = performance.now();
  await begins;
  measured.push(`  ${what.padEnd(60)} ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`);
}

test('a plan whose machine dies is made by another host', async () => {
  const sha = await terrain.push('network', 'planned-elsewhere', { planSeconds: 20 });
  await terrain.planBegins(sha);

  const host = await killHostOf(sha);
  await measure('while it plans: from the kill to the plan of another host', terrain.planBegins(sha, 2));
  await terrain.confirm('network', sha);

  await terrain.applied('network', sha);
  expect((await terrain.ledger()).filter((entry) => entry === 'planned-elsewhere')).toHaveLength(1);
  await terrain.stack.letUp(host);
});

test('a plan whose machine died before its approval is applied by another host, from the kept plan', async () => {
  const sha = await terrain.push('network', 'applied-elsewhere');
  const { externalId } = await terrain.scene.planned({ root: 'network', sha });

  const host = await killHostOf(sha);
  await terrain.confirm('network', sha);
  await measure('before approval: from Confirm to the apply of another host', terrain.applyBegins('applied-elsewhere'));

  expect(await terrain.applied('network', sha)).toMatchObject({ externalId });
  expect(await terrain.hostOf('network', sha)).not.toBe(await terrain.hostIdOf(host));
  expect((await terrain.ledger()).filter((entry) => entry === 'applied-elsewhere')).toHaveLength(1);
  expect((await terrain.plans()).filter((planned) => planned === sha)).toHaveLength(1);
  await terrain.stack.letUp(host);
});
