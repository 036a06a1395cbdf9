import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { HostFailure } from '@nereid/domain/host';
import type { Signed } from '@nereid/domain/signed';
import { DEFAULT_POOL, type Step } from '@nereid/domain/root';
import { ActivityCancellationDetails } from '@temporalio/common';
import { testSignatures, withOrder } from '../testing/test-signatures.ts';
import { anActivity } from './testing/an-activity.ts';
import { hostsOfEachTest } from './testing/test-hosts.ts';
import { applyOf } from './testing/test-jobs.ts';

const LOCAL = 'terraform {\n  backend "local" {}\n}\n';
const FILES = { 'main.tf': `${LOCAL}resource "terraform_data" "a" { input = "new" }\n` };
const COUNTS = { added: 1, changed: 0, destroyed: 0, imported: 0 };
const APPLIED = { kind: 'applied', counts: COUNTS, proof: expect.objectContaining({ signature: expect.any(String) }) };
const FAILING_GIT = join(import.meta.dirname, 'fixtures/failing-git');
const FAILING_INIT = join(import.meta.dirname, 'fixtures/failing-init');
const OLDER_TERRAFORM = join(import.meta.dirname, 'fixtures/older-terraform');

const hosts = hostsOfEachTest();

describe('the plan that was approved', () => {
  test('is applied by the host that made it', async () => {
    const job = await hosts.deploy(FILES);
    const host = hosts.openHost();

    const plan = await host.plan(job);
    const outcome = await host.apply(applyOf(job, plan));

    expect(plan).toMatchObject({ kind: 'planned', plan: { body: { hasChanges: true, summary: { create: 1 } } } });
    expect(outcome).toEqual(APPLIED);
  });

  test('is applied by the same host after a restart', async () => {
    const job = await hosts.deploy(FILES);
    const plan = await hosts.openHost().plan(job);

    const outcome = await hosts.openHost().apply(applyOf(job, plan));

    expect(outcome).toEqual(APPLIED);
  });

  test('is applied by a host on another machine, with the files that its steps made', async () => {
    const files = { 'main.tf': `${LOCAL}resource "terraform_data" "a" { input = file("made.txt") }\n` };
    const job = await hosts.deploy(files, { plan: [{ kind: 'run', run: 'echo made while planning > made.txt' }] });
    const plan = await hosts.openHost().plan(job);

    await hosts.goTo('m2');
    const outcome = await hosts.openHost({ hostId: 'h2' }).apply(applyOf(job, plan));

    expect(outcome).toEqual(APPLIED);
    expect(await hosts.state()).toContain('made while planning');
  });

  test('is applied by a host on another machine with the lock file of its providers as planning left it, also through a link', async () => {
    const files = {
      'infra/main.tf': FILES['main.tf'],
      'infra/.terraform.lock.hcl': '# one\n',
      link: { link: 'infra' },
    };
    const upgrade: Step = { kind: 'run', run: 'echo "# two" >> .terraform.lock.hcl' };
    const deployed = await hosts.deploy(files, { plan: [upgrade] });
    const job = await withOrder({ ...deployed, root: { ...deployed.root, dir: 'link' } });
    const plan = await hosts.openHost().plan(job);

    await hosts.goTo('m2');
    const outcome = await hosts.openHost({ hostId: 'h2' }).apply(applyOf(job, plan));

    expect(outcome).toEqual(APPLIED);
  });

  test('is restored by a host that has an earlier plan of the deployment at hand', async () => {
    const job = await hosts.deploy(FILES);
    const first = hosts.openHost();
    await first.plan(job);
    await hosts.goTo('m2');
    const approved = await hosts.openHost({ hostId: 'h2' }).plan(job);
    await hosts.goTo('m1');

    const outcome = await first.apply(applyOf(job, approved));

    expect(outcome).toEqual(APPLIED);
  });
});

test('a host that declined an apply after it restored the plan may be asked again', async () => {
  const job = await hosts.deploy(FILES);
  const plan = await hosts.openHost().plan(job);
  const answers = [() => Promise.reject(new Error('GitHub is away')), () => Promise.resolve('a-token')];
  const other = hosts.openHost({ hostId: 'h2', token: async () => answers.shift()?.() ?? '' });

  const declined = other.apply(applyOf(job, plan));
  await expect(declined).rejects.toMatchObject({ type: 'HOST_DECLINED', message: 'GitHub is away' });
  const outcome = await other.apply(applyOf(job, plan));

  expect(outcome).toEqual(APPLIED);
});

test('a host that cannot initialise the tree of the restored plan declines the apply, and another one applies it', async () => {
  const job = await hosts.deploy(FILES);
  const plan = await hosts.openHost().plan(job);
  const other = hosts.openHost({ hostId: 'h2', programs: FAILING_INIT });

  const declined = other.apply(applyOf(job, plan));

  const message = expect.stringMatching(/^nothing was applied.*: init ended with exit code 1$/);
  await expect(declined).rejects.toMatchObject({ type: 'HOST_DECLINED', nonRetryable: false, message });
  expect(await hosts.openHost({ hostId: 'h3' }).apply(applyOf(job, plan))).toEqual(APPLIED);
});

test('a plan is not kept without the files made while planning, where they cannot be listed', async () => {
  const job = await hosts.deploy(FILES);

  const planned = hosts.openHost({ programs: FAILING_GIT }).plan(job);

  await expect(planned).rejects.toMatchObject({ type: 'FILES_NOT_LISTED', details: [{ isFinal: false }] });
  expect(await hosts.keptPlans()).toEqual([]);
});

test('a plan whose steps made a repository in its tree is applied by its own host, and by no other', async () => {
  const job = await hosts.deploy(FILES, { plan: [{ kind: 'run', run: 'git init --quiet cloned' }] });
  const host = hosts.openHost();

  const plan = await host.plan(job);

  expect(await hosts.keptPlans()).toEqual([]);
  expect(await host.apply(applyOf(job, plan))).toEqual(APPLIED);
});

describe('a plan is unusable, and nothing is applied,', () => {
  test('where its host has another version of Terraform', async () => {
    const job = await hosts.deploy(FILES);
    const plan = await hosts.openHost().plan(job);
    const other = hosts.openHost({ hostId: 'h2', programs: OLDER_TERRAFORM });

    const outcome = await other.apply(applyOf(job, plan));

    const why = expect.stringMatching(/^it was made with Terraform \d+\.\d+\.\d+, this host has Terraform 1\.10\.0$/);
    expect(outcome).toEqual({ kind: 'plan-unusable', why });
    expect(await hosts.state()).toBeUndefined();
  });

  test('where the lock file of its providers was changed behind its back', async () => {
    const job = await hosts.deploy({ ...FILES, '.terraform.lock.hcl': '# one\n' });
    const { plan, apply } = hosts.openHost();
    const made = applyOf(job, await plan(job));
    await writeFile(join(hosts.treeOf(job), '.terraform.lock.hcl'), '# two\n');

    const outcome = await apply(made);

    const why = expect.stringMatching(/^it was made with the lock file [\da-f]{12}, this host has the lock file /);
    expect(outcome).toEqual({ kind: 'plan-unusable', why });
    expect(await hosts.state()).toBeUndefined();
  });

  test('when the state changed since it was made', async () => {
    const [first, second] = [await hosts.deploy(FILES), await hosts.deploy(FILES)];
    const host = hosts.openHost();
    const plans = [await host.plan(first), await host.plan(second)] as const;
    await host.apply(applyOf(second, plans[1]));
    const before = await hosts.state();

    const outcome = await host.apply(applyOf(first, plans[0]));

    expect(outcome).toEqual({ kind: 'plan-unusable', why: 'the state changed since the plan was made' });
    expect(await hosts.state()).toBe(before);
  });

  test('when it is not at hand and was not kept', async () => {
    const job = await hosts.deploy(FILES);
    const plan = await hosts.openHost().plan(job);
    await hosts.losePlan(job);

    const outcome = await hosts.openHost({ hostId: 'h2' }).apply(applyOf(job, plan));

    expect(outcome).toMatchObject({ kind: 'plan-unusable', why: expect.stringContaining('removed or never stored') });
  });
});

test('a plan whose key is known to nobody any more is not applied: it says so, and is to be planned again', async () => {
  const job = await hosts.deploy(FILES);
  const plan = await hosts.openHost().plan(job);
  hosts.changePlanKey();

  const outcome = await hosts.openHost({ hostId: 'h2' }).apply(applyOf(job, plan));

  expect(outcome).toMatchObject({
    kind: 'plan-unusable',
    why: expect.stringContaining('is not among the configured ones'),
  });
  expect(await hosts.state()).toBeUndefined();
});

test('a host signs why a plan failed', async () => {
  const job = await hosts.deploy(FILES, { plan: [{ kind: 'run', run: 'echo "Error: no luck"; exit 1' }] });

  const outcome = await hosts.openHost().plan(job);

  const failure = outcome.kind === 'failed' ? outcome.failure : undefined;
  const about = { pool: DEFAULT_POOL, deploymentId: job.deploymentId, order: job.order.signature };
  const { body } = await testSignatures.open('result/failure', failure as Signed<HostFailure>, about);
  expect(body).toMatchObject({ lines: ['Error: no luck'] });
});

describe('the value of an env step', () => {
  const made: Step = { kind: 'env', name: 'MADE', run: 'echo made-by-a-step; echo tracing made-by-a-step >&2' };
  const shown: Step = { kind: 'run', run: 'echo "it is $MADE"' };

  test('is read neither in the log of the plan nor in that of the apply, also on another host', async () => {
    const job = await hosts.deploy(FILES, { plan: [made, shown], apply: [shown] });

    const apply = applyOf(job, await hosts.openHost().plan(job));
    await hosts.goTo('m2');
    const outcome = await hosts.openHost({ hostId: 'h2' }).apply(apply);

    expect(outcome.kind).toBe('applied');
    expect(await hosts.readLog(job)).toMatch(/^tracing \*\*\*\nit is \*\*\*\n/);
    expect(await hosts.readLog(apply)).toContain('it is ***\n');
  });

  test('is not read in the failure that people are shown', async () => {
    const fails: Step = { kind: 'run', run: 'echo "Error: no $MADE"; exit 1' };
    const job = await hosts.deploy(FILES, { plan: [made, fails] });

    const outcome = await hosts.openHost().plan(job);

    expect(outcome).toMatchObject({ kind: 'failed', failure: { body: { lines: ['Error: no ***'] } } });
  });
});

test('a variable of the worker is not read in the log, in whatever usual way it is spelt there', async () => {
  const run = 'echo "$DATABASE"; echo "$DATABASE" | base64; echo "https://ada:pw@example.org $STAGE"';
  const job = await hosts.deploy(FILES, { plan: [{ kind: 'run', run }] });
  const environment = { DATABASE: 'postgres://app:correct-horse@db/prod', STAGE: 'production' };

  await hosts.openHost({ environment }).plan(job);

  expect(await hosts.readLog(job)).toMatch(/^\*{3}\n\*{3}.{0,8}\nhttps:\/\/\*{3}@example.org production\n/);
});

describe('a deployment that ended', () => {
  test('by its apply leaves neither its tree nor its kept plan, without being asked', async () => {
    const job = await hosts.deploy(FILES);
    const { host, plan, apply } = hosts.openHost();

    await apply(applyOf(job, await plan(job)));
    await host.settled();

    expect(await hosts.deployments()).toEqual([]);
    expect(await hosts.idleTrees('h1')).toHaveLength(1);
    expect(await hosts.keptPlans()).toEqual([]);
  });

  test('by its plan leaves nothing either', async () => {
    const job = await hosts.deploy({ 'main.tf': 'nonsense' });
    const { host, plan } = hosts.openHost();

    const outcome = await plan(job);
    await host.settled();

    expect(outcome.kind).toBe('failed');
    expect(await hosts.deployments()).toEqual([]);
  });

  test('may be cleaned up by its workflow at the same time, and its tree is taken once', async () => {
    const job = await hosts.deploy(FILES);
    const { host, plan, apply } = hosts.openHost();

    await apply(applyOf(job, await plan(job)));
    await Promise.all([
      host.hostActivities.cleanUpHost(job.deploymentId),
      host.hostActivities.cleanUpHost(job.deploymentId),
      host.settled(),
    ]);
    expect(await hosts.deployments()).toEqual([]);
    expect(await hosts.idleTrees('h1')).toHaveLength(1);

    await expect(plan(await hosts.deploy(FILES))).resolves.toMatchObject({ kind: 'planned' });
  });
});

describe('a deployment that goes on', () => {
  test('to its review keeps its tree and its plan', async () => {
    const job = await hosts.deploy(FILES);
    const { host, plan } = hosts.openHost();

    await plan(job);
    await host.settled();

    expect(await hosts.deployments()).toEqual([job.deploymentId]);
    expect(await hosts.keptPlans()).toEqual([`plans/default/${job.deploymentId}`]);
  });

  test('because its plan is unusable keeps its tree', async () => {
    const job = await hosts.deploy(FILES);
    const { host, plan, apply } = hosts.openHost();
    const made = applyOf(job, await plan(job));

    await apply({ ...made, digest: '0'.repeat(64) });
    await host.settled();

    expect(await hosts.deployments()).toEqual([job.deploymentId]);
  });
});

test('an apply whose heartbeat lapsed goes on, is interrupted when its host shuts down, and is left for its workflow', async () => {
  const waits =
    'resource "terraform_data" "a" {\n  provisioner "local-exec" { command = "echo begun; sleep 600" }\n}\n';
  const job = await hosts.deploy({ 'main.tf': `${LOCAL}${waits}` });
  const { host, plan, apply } = hosts.openHost();
  const made = applyOf(job, await plan(job));
  const activity = anActivity();

  const applied = apply(made, activity);
  await hosts.logHas(made, 'begun');
  activity.cancel('NOT_FOUND', new ActivityCancellationDetails({ notFound: true }));
  host.drain();

  expect(await applied).toMatchObject({
    kind: 'failed',
    failure: {
      body: {
        summary: 'Apply was stopped because its host was shutting down; Terraform ended by itself and wrote its state',
      },
    },
  });
  await host.settled();
  expect(await hosts.deployments()).toEqual([job.deploymentId]);
});
