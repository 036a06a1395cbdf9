/** Slots as the activities of a host meet them. */
import { once } from 'node:events';
import { expect, test } from '@jest/globals';
import { anActivity } from '../testing/an-activity.ts';
import { hostsOfEachTest } from '../testing/test-hosts.ts';
import { nextJob } from '../testing/test-jobs.ts';

const hosts = hostsOfEachTest();

test('a plan that comes to a full host is declined, and one that gets a slot says where it is, and gives the slot back', async () => {
  const job = await hosts.deploy({ 'main.tf': 'terraform {\n  backend "local" {}\n}\n' });
  const { host, plan } = hosts.openHost({ parallelRuns: 1 });
  const claim = (deploymentId: string) => host.claims.deployment.activities.claimHost(deploymentId);
  await claim('other');
  const activity = anActivity();
  const said = once(activity, 'heartbeat');

  const declined = { type: 'HOST_DECLINED', message: '1 of 1 slots are in use', nonRetryable: false };
  await expect(plan(job)).rejects.toMatchObject(declined);
  host.slots.release('other');
  const planned = plan(job, activity);

  expect(await said).toMatchObject([{ hostId: 'h1', since: expect.any(String) }]);
  await expect(claim('next')).rejects.toMatchObject(declined);
  expect(await planned).toMatchObject({ kind: 'planned' });
  expect(host.slots.usage().used).toBe(0);
});

test('a preview on a borrowed slot gives it to a deployment, its log says why, and it is planned when it comes again', async () => {
  const once = `${hosts.stateDir}/once`;
  const run = `echo begins; test -e ${once} || { touch ${once}; sleep 60; }`;
  const job = await hosts.preview({
    base: { 'main.tf': 'terraform {\n  backend "local" {}\n}\n' },
    head: { 'head.tf': 'resource "terraform_data" "head" {}\n' },
    stepsBefore: { plan: [{ kind: 'run', run }] },
  });
  const { host, plan } = hosts.openHost({ parallelRuns: 2 });
  host.slots.claim('other', 'preview');
  host.slots.claim(job.deploymentId, 'preview');
  const interrupted = plan(job);
  const ends = expect(interrupted).rejects.toMatchObject({ type: 'SLOT_NEEDED', details: [{ isFinal: false }] });
  await hosts.logHas(job, 'begins');

  await host.claims.deployment.activities.claimHost('merged');

  await ends;
  expect(host.slots.holders()).toEqual(['other', 'merged']);
  expect(await hosts.readLog(job)).toContain('Interrupted: a deployment needed this slot.');

  host.slots.release('merged');
  host.slots.claim(job.deploymentId, 'preview');
  expect(await plan(nextJob(job))).toMatchObject({ kind: 'planned', plan: { body: { hasChanges: true } } });
});
