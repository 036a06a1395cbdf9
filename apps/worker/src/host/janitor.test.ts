import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { ActivityCancellationDetails } from '@temporalio/common';
import { anActivity, applyOf, startTestHosts, type TestHosts } from './testing/test-hosts.ts';

const LOCAL = 'terraform {\n  backend "local" {}\n}\n';
const FILES = { 'main.tf': `${LOCAL}resource "terraform_data" "a" { input = "new" }\n` };

let hosts: TestHosts;

beforeEach(async () => {
  hosts = await startTestHosts();
});

afterEach(() => hosts.close());

const over = () => Promise.resolve(true);

/** Planned by a worker that then died. */
async function aLeftOverPlan() {
  const job = await hosts.deploy(FILES);
  await hosts.openHost().plan(job);
  return job;
}

test('a deployment that is over leaves neither its tree nor its kept plan', async () => {
  const job = await aLeftOverPlan();

  expect(await hosts.openHost().host.tidy(over)).toEqual([job.deploymentId]);

  expect(await hosts.deployments()).toEqual([]);
  expect(await hosts.keptPlans()).toEqual([]);
  expect(await hosts.idleTrees('h1')).toHaveLength(1);
});

test('one that goes on keeps both', async () => {
  const job = await aLeftOverPlan();

  expect(await hosts.openHost().host.tidy(() => Promise.resolve(false))).toEqual([]);

  expect(await hosts.deployments()).toEqual([job.deploymentId]);
  expect(await hosts.keptPlans()).toHaveLength(1);
});

test('one of which nobody can tell keeps both', async () => {
  const job = await aLeftOverPlan();

  const tidied = hosts.openHost().host.tidy(() => Promise.reject(new Error('Temporal is away')));

  expect(await tidied).toEqual([]);
  expect(await hosts.deployments()).toEqual([job.deploymentId]);
});

test('one of another host is left to it', async () => {
  const job = await aLeftOverPlan();

  await hosts.openHost({ hostId: 'h2' }).host.tidy(over);

  expect(await hosts.deployments()).toEqual([job.deploymentId]);
});

test('one whose apply still runs is not touched', async () => {
  const waits =
    'resource "terraform_data" "a" {\n  provisioner "local-exec" { command = "echo begun; sleep 600" }\n}\n';
  const job = await hosts.deploy({ 'main.tf': `${LOCAL}${waits}` });
  const first = hosts.openHost();
  const made = applyOf(job, await first.plan(job));
  const activity = anActivity();
  const applied = first.apply(made, activity);
  await hosts.logHas(made, 'begun');

  expect(await hosts.openHost().host.tidy(over)).toEqual([]);

  expect(await hosts.deployments()).toEqual([job.deploymentId]);
  activity.cancel('CANCELLED', new ActivityCancellationDetails({ cancelRequested: true }));
  await applied;
});
