import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { openTerrain, until, type Terrain } from './terrain.ts';

jest.setTimeout(300_000);

let terrain: Terrain;

beforeAll(async () => {
  terrain = await openTerrain(process.env, {
    environments: { worker: { SHUTDOWN_GRACE: '240s' } },
  });
});

afterAll(() => terrain.closeGenuine());

test('while an apply ends, the only worker, which was asked to stop, goes on with everything else', async () => {
  const { stack, scene } = terrain;
  const applying = await terrain.push('network', 'held', { isHeld: true });
  const confirmed = await terrain.push('database', 'confirmed-meanwhile');
  const cancelled = await terrain.push('service', 'cancelled-meanwhile');
  const files = { 'notes.md': 'Nothing to deploy.' };
  const { number } = await scene.proposeApproved({
    branch: 'notes',
    title: 'Notes',
    body: '',
    author: 'bob',
    files,
  });
  await scene.planned({ root: 'database', sha: confirmed });
  await scene.planned({ root: 'service', sha: cancelled });
  await terrain.confirm('network', applying);
  await terrain.applyBegins('held');

  const restarted = stack.restart('worker').then(() => 'the worker is back');
  await until('the worker to stop', isStopping);
  const pushed = await terrain.push('dns', 'pushed-meanwhile');
  await terrain.confirm('database', confirmed);
  stack.github.comment({ repository: 'acme/infra', number }, 'alice', 'nereid cancel service');
  await terrain.says('dns', pushed, /Waiting for a host: 1 host draining, and no other is running/);
  await terrain.says('database', confirmed, /Applying|Another host is asked to apply|Waiting for a host/);
  await terrain.seen('service', cancelled, 'cancelled', ({ output }) => output.title?.startsWith('Cancelled') === true);
  await terrain.letEnd('held');
  const ended = terrain.applied('network', applying).then(() => 'the end is shown');

  expect(await Promise.race([ended, restarted])).toBe('the end is shown');
  expect(await restarted).toBe('the worker is back');
  await terrain.applied('database', confirmed);
  await terrain.applied('dns', pushed);
  expect([...(await terrain.ledger())].sort()).toEqual(['confirmed-meanwhile', 'held', 'pushed-meanwhile']);
});

/** As probes see it: the process is alive, and takes no new work. */
async function isStopping(): Promise<boolean> {
  const ask = (about: string) => fetch(`${terrain.stack.urls.worker}/${about}`);
  const [healthy, ready] = [await ask('healthz'), await ask('readyz')];
  return healthy.status === 200 && ready.status === 503 && (await ready.text()).includes('stopping');
}
