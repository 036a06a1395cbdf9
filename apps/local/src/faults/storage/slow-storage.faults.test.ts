import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { isJobAuditEvent } from '@nereid/domain/trail';
import type { SlowWay } from './slow-way.ts';
import { openTerrain, type Terrain } from '../terrain.ts';

jest.setTimeout(300_000);

/** Within their own task, workflows wait 3 s for an answer, so every answer to such an attempt comes too late. */
const SLOW_MS = 3_500;

let terrain: Terrain;
let way: SlowWay;

beforeAll(async () => {
  terrain = await openTerrain(process.env, { hasSlowWay: true });
  if (terrain.way === undefined) throw new Error('expected storage that is reached by a way of its own');
  way = terrain.way;
});

afterAll(() => terrain.closeGenuine());

/** One lane plans while another applies, so that each step of a deployment meets slow storage and the test takes a minute. */
test('storage whose answers take seconds makes deployments slow, and changes nothing else', async () => {
  const applied = await terrain.push('network', 'slowly');
  await terrain.scene.planned({ root: 'network', sha: applied });

  way.slowDown(SLOW_MS);
  const planned = await terrain.push('database', 'not-confirmed');
  await terrain.confirm('network', applied);
  const { externalId } = await terrain.applied('network', applied);
  await terrain.scene.planned({ root: 'database', sha: planned });
  way.slowDown(0);

  await terrain.isAudited(externalId, ['RUNNING', 'SUCCESS']);
  expect(await presses()).toEqual(['REVIEWED']);
  expect(await terrain.ledger()).toEqual(['slowly']);
  expect(await terrain.plans()).toEqual([applied, planned]);
  expect(way.latePieces()).toBeGreaterThan(0);
});

/** What the audit trail has of people; an event that was stored again has the same id. */
async function presses(): Promise<readonly string[]> {
  const events = (await terrain.stack.storage.auditTrail()).filter((event) => !isJobAuditEvent(event));
  return [...new Map(events.map(({ id, state }) => [id, state])).values()];
}
