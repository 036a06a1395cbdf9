/** Slots as the activities of a host meet them. */
import { once } from 'node:events';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { anActivity, startTestHosts, type TestHosts } from '../testing/test-hosts.ts';

let hosts: TestHosts;

beforeEach(async () => {
  hosts = await startTestHosts();
});

afterEach(() => hosts.close());

test('a plan whose slot was freed before it came waits for the next one, says so, and goes before every claim', async () => {
  const job = await hosts.deploy({ 'main.tf': 'terraform {\n  backend "local" {}\n}\n' });
  const { host, plan } = hosts.openHost({ parallelRuns: 1 });
  const claim = (deploymentId: string) => host.claimActivities.deployment.claimHost(deploymentId);
  await claim('other');
  const activity = anActivity();
  const said = once(activity, 'heartbeat');

  const planned = plan(job, activity);
  expect(await said).toEqual([{ step: 'waiting for a slot' }]);
  expect(host.slots.usage()).toMatchObject({ total: 1, used: 1 });
  host.slots.release('other');

  await expect(claim('next')).rejects.toMatchObject({ type: 'HOST_DECLINED', message: '1 of 1 slots are in use' });
  expect(await planned).toMatchObject({ kind: 'planned' });
  expect(host.slots.usage().used).toBe(0);
});
