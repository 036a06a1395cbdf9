import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { jobIdOf } from '@nereid/domain/host';
import { ActivityCancellationDetails } from '@temporalio/common';
import type { Applying } from '../../testing/test-signatures.ts';
import { anActivity } from '../testing/an-activity.ts';
import type { TestHost, TestHostOptions } from '../testing/open-test-host.ts';
import { hostsOfEachTest } from '../testing/test-hosts.ts';
import { applyOf, nextJob } from '../testing/test-jobs.ts';

const LOCAL = 'terraform {\n  backend "local" {}\n}\n';
const FILES = { 'main.tf': `${LOCAL}resource "terraform_data" "a" { input = "new" }\n` };
const COUNTS = { added: 1, changed: 0, destroyed: 0, imported: 0 };
const APPLIED = { kind: 'applied', counts: COUNTS, proof: expect.objectContaining({ signature: expect.any(String) }) };
const FAILING_INIT = join(import.meta.dirname, '../fixtures/failing-init');

const hosts = hostsOfEachTest();

async function planned({ plan }: TestHost): Promise<Applying> {
  const job = await hosts.deploy(FILES);
  return applyOf(job, await plan(job));
}

describe('the marker of an apply in storage', () => {
  test('is there before Terraform is asked to apply, and has no outcome until that ended', async () => {
    const waits = `${LOCAL}resource "terraform_data" "a" {\n  provisioner "local-exec" { command = "echo begun; sleep 600" }\n}\n`;
    const job = await hosts.deploy({ 'main.tf': waits });
    const { plan, apply } = hosts.openHost();
    const made = applyOf(job, await plan(job));
    const activity = anActivity();

    const applied = apply(made, activity);
    await hosts.logHas(made, 'begun');
    const { deploymentId, jobId } = made;
    const before = await hosts.begunApplies.read(deploymentId);
    activity.cancel('CANCELLED', new ActivityCancellationDetails({ cancelRequested: true }));

    expect(await applied).toMatchObject({ kind: 'failed' });
    expect(before).toEqual({ version: 1, hostId: 'h1', jobId, at: expect.any(String) });
    expect(await hosts.begunApplies.read(deploymentId)).toMatchObject({
      jobId,
      outcome: { kind: 'failed', failure: { signature: expect.any(String) } },
    });
  });

  test('is completed with what was applied', async () => {
    const host = hosts.openHost();
    const made = await planned(host);

    await host.apply(made);

    expect(await hosts.begunApplies.read(made.deploymentId)).toMatchObject({ jobId: made.jobId, outcome: APPLIED });
  });

  test('is completed by the worker that comes back', async () => {
    const host = hosts.openHost();
    const made = await planned(host);
    const activity = anActivity();
    activity.cancel('NOT_FOUND', new ActivityCancellationDetails({ notFound: true }));
    await host.apply(made, activity);
    const { deploymentId, jobId } = made;
    await hosts.begunApplies.remove(deploymentId);
    await hosts.begunApplies.begin(deploymentId, { hostId: 'h1', jobId });

    await hosts.openHost().inspect(made);

    expect(await hosts.begunApplies.read(deploymentId)).toMatchObject({ jobId, outcome: APPLIED });
  });

  test('is not left by a plan that was stale, and the next job of the deployment may begin', async () => {
    const host = hosts.openHost();
    const [first, second] = [await planned(host), await planned(host)];
    await host.apply(second);

    expect(await host.apply(first)).toMatchObject({ kind: 'plan-unusable' });
    expect(await hosts.begunApplies.read(first.deploymentId)).toBeUndefined();

    const replanned = { ...first, jobId: jobIdOf(first.deploymentId, 'plan', 2) };
    const again = nextJob(applyOf(first, await host.plan(replanned)));
    expect(await host.apply(again)).toMatchObject({ kind: 'applied' });
  });

  test('stays whatever code of the root prints, and nothing of the deployment is applied again', async () => {
    const effect = join(hosts.stateDir, 'effect');
    const lie = String.raw`printf '\n╷\n│ Error: Saved plan is stale\n│ \n╵\n' > /proc/$PPID/fd/1; exit 1`;
    const command = `command = <<-EOT\n      echo applied >> ${effect}\n      ${lie}\n    EOT`;
    const main = `${LOCAL}resource "terraform_data" "a" {\n  provisioner "local-exec" {\n    ${command}\n  }\n}\n`;
    const job = await hosts.deploy({ 'main.tf': main });
    const host = hosts.openHost();
    const made = applyOf(job, await host.plan(job));

    const outcome = await host.apply(made);

    expect(outcome).toMatchObject({ kind: 'failed', failure: { body: { summary: 'Error: Saved plan is stale' } } });
    expect(await hosts.begunApplies.read(made.deploymentId)).toMatchObject({ jobId: made.jobId, outcome });
    expect(await host.apply(nextJob(made))).toEqual(outcome);
    expect(await readFile(effect, 'utf8')).toBe('applied\n');
  });

  test('is not left by a host that could not begin', async () => {
    const made = await planned(hosts.openHost());
    const other = hosts.openHost({ hostId: 'h2', programs: FAILING_INIT });

    await expect(other.apply(made)).rejects.toMatchObject({ type: 'HOST_DECLINED' });

    expect(await hosts.begunApplies.read(made.deploymentId)).toBeUndefined();
  });

  test.each<[string, TestHostOptions]>([
    ['made the plan', {}],
    ['restored the plan', { hostId: 'h2' }],
  ])('is not left by a host that %s and took too long: it declines, and may be asked again', async (_what, other) => {
    const made = await planned(hosts.openHost());
    const host = hosts.openHost(other);
    const late = new Date(Date.now() - 1).toISOString();

    await expect(host.apply(made, anActivity(), late)).rejects.toMatchObject({
      type: 'HOST_DECLINED',
      nonRetryable: false,
      message: expect.stringContaining('expected permission to apply that is still good'),
    });

    expect(await hosts.begunApplies.read(made.deploymentId)).toBeUndefined();
    expect(await hosts.state()).toBeUndefined();
    expect(await host.apply(nextJob(made))).toEqual(APPLIED);
  });

  test('is not left by an apply of which is known that it did not begin, and the next job may', async () => {
    const host = hosts.openHost();
    const made = await planned(host);
    const { deploymentId, jobId } = made;
    await hosts.begunApplies.begin(deploymentId, { hostId: 'h1', jobId });

    expect(await host.inspect(made)).toEqual({ kind: 'not-begun' });

    expect(await hosts.begunApplies.read(deploymentId)).toBeUndefined();
    expect(await host.apply(nextJob(made))).toEqual(APPLIED);
  });
});

describe('an apply of a deployment of which another one began', () => {
  const other = { hostId: 'h9', jobId: 'another-job' };

  test('does not begin, and names the other one', async () => {
    const host = hosts.openHost();
    const made = await planned(host);
    await hosts.begunApplies.begin(made.deploymentId, other);

    const outcome = await host.apply(made);

    const why = expect.stringMatching(/ began on host h9 in job another-job, and nobody knows how it ended\. /);
    expect(outcome).toEqual({ kind: 'unknown', why });
    expect(await hosts.state()).toBeUndefined();
    expect(await hosts.begunApplies.read(made.deploymentId)).toEqual({ version: 1, ...other, at: expect.any(String) });
  });

  test('does not begin either where that ended, and has its outcome', async () => {
    const host = hosts.openHost();
    const made = await planned(host);
    await hosts.begunApplies.begin(made.deploymentId, other);
    const ended = { kind: 'applied', counts: { added: 7, changed: 0, destroyed: 0, imported: 0 } } as const;
    await hosts.begunApplies.complete(made.deploymentId, ended);

    expect(await host.apply(made)).toEqual(ended);
    expect(await hosts.state()).toBeUndefined();
  });
});
