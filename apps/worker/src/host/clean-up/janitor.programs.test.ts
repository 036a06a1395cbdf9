import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { HostJob, LateOutcome } from '@nereid/domain/deployment';
import type { Signed } from '@nereid/domain/signed';
import { ActivityCancellationDetails } from '@temporalio/common';
import type { EndedDeployments } from '../outcome/ended-deployments.ts';
import { testSignatures } from '../../testing/test-signatures.ts';
import type { Applying } from '../../testing/test-signatures.ts';
import { anActivity } from '../testing/an-activity.ts';
import { hostsOfEachTest } from '../testing/test-hosts.ts';
import { applyOf } from '../testing/test-jobs.ts';

const LOCAL = 'terraform {\n  backend "local" {}\n}\n';
const FILES = { 'main.tf': `${LOCAL}resource "terraform_data" "a" { input = "new" }\n` };

const hosts = hostsOfEachTest();

/** Of deployments that are over, about which nothing is unknown. */
const over: EndedDeployments = {
  isOver: () => Promise.resolve(true),
  findUnknownApply: () => Promise.resolve(undefined),
  report: () => Promise.reject(new Error('nobody is to be told')),
};

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

test('the marker of an apply stays: it may be all that says that the apply began', async () => {
  const job = await aLeftOverPlan();
  await hosts.begunApplies.begin(job.deploymentId, { hostId: 'h1', jobId: job.jobId });

  await hosts.openHost().host.tidy(over);

  expect(await hosts.deployments()).toEqual([]);
  expect(await hosts.begunApplies.read(job.deploymentId)).toMatchObject({ hostId: 'h1' });
});

test('one that goes on keeps both', async () => {
  const job = await aLeftOverPlan();

  expect(await hosts.openHost().host.tidy({ ...over, isOver: () => Promise.resolve(false) })).toEqual([]);

  expect(await hosts.deployments()).toEqual([job.deploymentId]);
  expect(await hosts.keptPlans()).toHaveLength(1);
});

test('one of which nobody can tell keeps both', async () => {
  const job = await aLeftOverPlan();

  const tidied = hosts.openHost().host.tidy({ ...over, isOver: () => Promise.reject(new Error('Temporal is away')) });

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

describe('an apply whose outcome its deployment did not learn', () => {
  const FAILING = 'resource "terraform_data" "a" {\n  provisioner "local-exec" { command = "exit 3" }\n}\n';

  /** Its worker was cut off, and died before it could tell. */
  async function aLeftOverApply(files: Readonly<Record<string, string>> = FILES): Promise<Applying> {
    const job = await hosts.deploy(files);
    const cutOff = hosts.openHost();
    const made = applyOf(job, await cutOff.plan(job));
    const activity = anActivity();
    activity.cancel('NOT_FOUND', new ActivityCancellationDetails({ notFound: true }));
    await cutOff.apply(made, activity);
    await hosts.loseOutcomes();
    return made;
  }

  /** What is told of it goes here, with the deployments that were on the disk then. */
  function unknownOf(job: HostJob, hostId = 'h1') {
    const told: { jobId: string; outcome: Signed<LateOutcome>; onDisk: readonly string[] }[] = [];
    const ended: EndedDeployments = {
      ...over,
      findUnknownApply: () => Promise.resolve({ job, hostId }),
      report: async (jobId, outcome) => {
        told.push({ jobId, outcome, onDisk: await hosts.deployments() });
      },
    };
    return { told, ended };
  }

  test('is told by its host, and only then the tree is removed', async () => {
    const job = await aLeftOverApply();
    const { told, ended } = unknownOf(job);

    expect(await hosts.openHost().host.tidy(ended)).toEqual([job.deploymentId]);

    const { deploymentId, repository } = job;
    const sentence = 'Host h1 came back: the apply that it had begun ended: 1 added, 0 changed, 0 destroyed.';
    const body = { version: 1, repository, rootName: 'network', deploymentId, sentence } as const;
    const outcome = await testSignatures.enclose('result/late-outcome', body);
    expect(told).toEqual([{ jobId: job.jobId, outcome, onDisk: [deploymentId] }]);
    expect(await hosts.deployments()).toEqual([]);
  });

  test('is told as failed, with what Terraform said in its log', async () => {
    const job = await aLeftOverApply({ 'main.tf': `${LOCAL}${FAILING}` });
    const { told, ended } = unknownOf(job);

    await hosts.openHost().host.tidy(ended);

    expect(told).toMatchObject([
      {
        outcome: {
          body: { sentence: expect.stringMatching(/^Host h1 .* failed; its log has more: Error: local-exec/) },
        },
      },
    ]);
    expect(await hosts.readLog(job)).toMatch(/the worker was lost[^]*local-exec provisioner error/);
  });

  test('is told where nobody can tell it for good: it left no exit code', async () => {
    const job = await aLeftOverApply();
    for (const record of ['exit', 'sandbox']) await rm(join(hosts.jobFolderOf(job), `apply.${record}`));
    const { told, ended } = unknownOf(job);

    expect(await hosts.openHost().host.tidy(ended)).toEqual([job.deploymentId]);

    expect(told).toMatchObject([{ outcome: { body: { sentence: expect.stringContaining('left no exit code') } } }]);
  });

  test('is told again in the next round, and all stays until then', async () => {
    const job = await aLeftOverApply();
    const { told, ended } = unknownOf(job);
    const { host } = hosts.openHost();

    const away = { ...ended, report: () => Promise.reject(new Error('GitHub is away')) };
    expect(await host.tidy(away)).toEqual([]);
    expect(await hosts.deployments()).toEqual([job.deploymentId]);

    expect(await host.tidy(ended)).toEqual([job.deploymentId]);
    expect(told).toMatchObject([{ outcome: { body: { sentence: expect.stringContaining('ended: 1 added') } } }]);
  });

  test('is not told by a host that only planned for it', async () => {
    const job = await aLeftOverPlan();
    const { told, ended } = unknownOf(job, 'h2');

    expect(await hosts.openHost().host.tidy(ended)).toEqual([job.deploymentId]);

    expect(told).toEqual([]);
  });
});
