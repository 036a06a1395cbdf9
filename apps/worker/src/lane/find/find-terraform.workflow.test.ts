import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ApplyOutcome, EndedStatus } from '@nereid/domain/deployment';
import type { TerraformFound } from '@nereid/domain/lane';
import { DEFAULT_POOL } from '@nereid/domain/root';
import { aDeployment, REPOSITORY } from '@nereid/domain/testing';
import {
  createBegunApplies,
  createDeploymentRecords,
  createHostRecords,
  openObjectStore,
  type BegunAppliesOfPools,
  type DeploymentRecords,
  type HostRecords,
  type ObjectStore,
} from '@nereid/storage';
import { folderOfThisFile } from '@nereid/test-kit/folders';
import { createWorkflowEnvironment, type WorkflowEnvironment } from '@nereid/test-kit/workflow-environment';
import { pino } from 'pino';
import type { Signatures } from '../../platform/keys/signatures.ts';
import { DrivenDeployment } from '../../platform/temporal/testing/driven-deployment.ts';
import { testSignatures } from '../../testing/test-signatures.ts';
import { findTerraform } from './find-terraform.ts';

const APPLIED: ApplyOutcome = { kind: 'applied', counts: { added: 1, changed: 0, destroyed: 0, imported: 0 } };
const UNUSABLE: ApplyOutcome = { kind: 'plan-unusable', why: 'the state has changed since' };
const AT = '2026-01-31T14:00:00.000Z';

/** The deployments of which something counted as forged. */
const forged: string[] = [];
const signatures: Signatures = {
  ...testSignatures,
  forged: (kind, why, deploymentId) => {
    forged.push(deploymentId);
    return testSignatures.forged(kind, why, deploymentId);
  },
};

let environment: WorkflowEnvironment;
const folder = folderOfThisFile();
let store: ObjectStore;
let begunApplies: BegunAppliesOfPools;
let deploymentRecords: DeploymentRecords;
let hostRecords: HostRecords;

beforeAll(async () => {
  // Nobody runs the terraform workflows of these tests.
  environment = await createWorkflowEnvironment({ isReplayed: false });
  store = await openObjectStore(`file:${folder}`);
  begunApplies = createBegunApplies(store);
  deploymentRecords = createDeploymentRecords(store);
  hostRecords = createHostRecords(store);
});

afterAll(async () => {
  store.close();
  await environment.close();
});

const start = () => DrivenDeployment.start(environment, REPOSITORY);

/** Long enough after anything closed. */
function find(deploymentId: string, now = Date.now() + 20_000): Promise<TerraformFound> {
  const logger = pino({ level: 'silent' });
  const context = { temporal: environment.client, signatures, begunApplies, deploymentRecords, hostRecords, logger };
  return findTerraform(context, REPOSITORY, 'network', { deploymentId, pool: DEFAULT_POOL }, now);
}

async function record(id: string, status: EndedStatus): Promise<void> {
  const deployment = { ...aDeployment({ status }), id };
  await deploymentRecords.write({ version: 1, repository: REPOSITORY, deployment, endedAt: AT });
}

function hostSays(hostId: string, at: Date, started = new Date(0)): Promise<void> {
  const startedAt = started.toISOString();
  const slots = { total: 4, used: 1 };
  return hostRecords.write({ version: 1, hostId, at: at.toISOString(), slots, draining: false, startedAt });
}

describe('a terraform workflow that runs', () => {
  test('and says that it is at work is running', async () => {
    const running = await start();
    await running.goesOn();

    const [found] = await Promise.all([find(running.id), running.says({ status: 'planning' })]);

    expect(found).toEqual({ kind: 'running' });
  });

  test('and says that its deployment has ended has ended: it may have told a former run of the lane', async () => {
    const ending = await start();
    await ending.goesOn();

    const [found] = await Promise.all([find(ending.id), ending.says({ status: 'rejected' })]);

    expect(found).toMatchObject({ kind: 'ended', progress: { status: 'rejected' } });
  });

  test('and says nothing is running: it tells its end by itself', async () => {
    const silent = await start();

    expect(await find(silent.id)).toEqual({ kind: 'running' });
  });

  test('and is at work although its end was recorded comes from a backup: it is terminated, and has ended as recorded', async () => {
    const restored = await start();
    await restored.goesOn();
    await record(restored.id, 'succeeded');

    const [found] = await Promise.all([find(restored.id), restored.says({ status: 'awaiting-review' })]);

    expect(found).toEqual({ kind: 'closing' });
    expect((await restored.handle.describe()).status.name).toBe('TERMINATED');
    expect(await find(restored.id)).toMatchObject({ kind: 'ended', progress: { status: 'succeeded' } });
  });

  test('and says nothing although its end was recorded has ended as recorded, and goes on to tell it', async () => {
    const silent = await start();
    await record(silent.id, 'succeeded');

    expect(await find(silent.id)).toMatchObject({ kind: 'ended', progress: { status: 'succeeded' } });
    expect((await silent.handle.describe()).status.name).toBe('RUNNING');
  });
});

test('one that completed has a result', async () => {
  const completed = await start();
  await completed.ends({ status: 'succeeded' });

  const result = { progress: { status: 'succeeded' } };
  expect(await find(completed.id)).toMatchObject({ kind: 'completed', result });
});

describe('one that was ended by force', () => {
  test('before an apply was asked for is closed without one', async () => {
    const planning = await start();
    await planning.asks('h1', 'claimAndPlan', 'a-plan');
    await planning.handle.terminate();

    expect(await find(planning.id)).toEqual({ kind: 'closed' });
  });

  test('may still be written to GitHub for some seconds', async () => {
    const planning = await start();
    await planning.asks('h1', 'claimAndPlan', 'a-plan');
    await planning.handle.terminate();

    expect(await find(planning.id, Date.now())).toEqual({ kind: 'closing' });
  });

  test('after its apply ended is closed with the outcome', async () => {
    const applied = await start();
    await applied.asks('h1', 'applyOnHost', 'a-job');
    await applied.hears('h1', APPLIED);
    await applied.handle.terminate();

    const apply = { jobId: 'a-job', hostId: 'h1', outcome: APPLIED };
    expect(await find(applied.id)).toEqual({ kind: 'closed', apply });
  });

  test('after somebody looked what became of its apply is closed with what was found', async () => {
    const lost = await start();
    await lost.asks('h1', 'applyOnHost', 'a-job');
    await lost.failsOn('h1', 'WORKER_LOST');
    await lost.asks('h1', 'inspectApply', 'a-job');
    await lost.hears('h1', APPLIED);
    await lost.handle.terminate();

    const apply = { jobId: 'a-job', hostId: 'h1', outcome: APPLIED };
    expect(await find(lost.id)).toEqual({ kind: 'closed', apply });
  });

  test('while it applied is closed with an apply whose outcome is not known', async () => {
    const applying = await start();
    await applying.asks('h1', 'applyOnHost', 'a-job');
    await applying.handle.terminate();

    expect(await find(applying.id)).toEqual({ kind: 'closed', apply: { jobId: 'a-job', hostId: 'h1' } });
  });

  test('while it applied, what an apply before that came to says nothing', async () => {
    const applying = await start();
    await applying.asks('h1', 'applyOnHost', 'a-job');
    await applying.hears('h1', UNUSABLE);
    await applying.asks('h2', 'applyOnHost', 'another-job');
    await applying.handle.terminate();

    expect(await find(applying.id)).toEqual({ kind: 'closed', apply: { jobId: 'another-job', hostId: 'h2' } });
  });

  test('after its host declined the apply is closed with one that did not begin', async () => {
    const declined = await start();
    await declined.asks('h1', 'applyOnHost', 'a-job');
    await declined.failsOn('h1', 'HOST_DECLINED');
    await declined.handle.terminate();

    const apply = { jobId: 'a-job', hostId: 'h1', outcome: { kind: 'not-begun' } };
    expect(await find(declined.id)).toEqual({ kind: 'closed', apply });
  });

  test('after no host took the apply is closed with one that did not begin', async () => {
    const waiting = await start();
    await waiting.asksInVain('nobody', 'a-job');
    await waiting.handle.terminate();

    const apply = { jobId: 'a-job', hostId: 'nobody', outcome: { kind: 'not-begun' } };
    expect(await find(waiting.id)).toEqual({ kind: 'closed', apply });
  });

  test('before a host was asked for the apply that the audit trail knows is closed with one that did not begin', async () => {
    const waiting = await start();
    await waiting.asks('h1', 'applyOnHost', 'a-job');
    await waiting.hears('h1', UNUSABLE);
    await waiting.announces('another-job');
    await waiting.handle.terminate();

    const apply = { jobId: 'another-job', outcome: { kind: 'not-begun' } };
    expect(await find(waiting.id)).toEqual({ kind: 'closed', apply });
  });

  test('is closed with an apply that began where a marker says so, whatever its history says', async () => {
    const declined = await start();
    await declined.asks('h1', 'applyOnHost', 'a-job');
    await declined.failsOn('h1', 'HOST_DECLINED');
    await begunApplies.of(DEFAULT_POOL).begin(declined.id, { hostId: 'h1', jobId: 'a-job' });
    await declined.handle.terminate();

    expect(await find(declined.id)).toEqual({ kind: 'closed', apply: { jobId: 'a-job', hostId: 'h1' } });
  });

  test('while somebody looked what became of its apply is closed with an unknown outcome, though no host answered', async () => {
    const lost = await start();
    await lost.asks('h1', 'applyOnHost', 'a-job');
    await lost.failsOn('h1', 'WORKER_LOST');
    await lost.asks('h1', 'inspectApply', 'a-job');
    await lost.failsOn('h1', 'HOST_DECLINED');
    await lost.handle.terminate();

    expect(await find(lost.id)).toEqual({ kind: 'closed', apply: { jobId: 'a-job', hostId: 'h1' } });
  });

  test('while it applied is closed with what its host wrote down since', async () => {
    const applying = await start();
    await applying.asks('h1', 'applyOnHost', 'a-job');
    await begunApplies.of(DEFAULT_POOL).begin(applying.id, { hostId: 'h1', jobId: 'a-job' });
    await begunApplies
      .of(DEFAULT_POOL)
      .complete(applying.id, { kind: 'failed', failure: { body: { summary: 'it failed', lines: [] } } });
    await applying.handle.terminate();

    const outcome = { kind: 'failed', failure: { body: { summary: 'it failed', lines: [] } } };
    expect(await find(applying.id)).toEqual({ kind: 'closed', apply: { jobId: 'a-job', hostId: 'h1', outcome } });
  });

  test('after its end was recorded has ended as the record says', async () => {
    const recorded = await start();
    await recorded.asks('h1', 'claimAndPlan', 'a-plan');
    await record(recorded.id, 'rejected');
    await recorded.handle.terminate();

    expect(await find(recorded.id)).toMatchObject({ kind: 'ended', progress: { status: 'rejected' } });
  });
});

describe('what nobody can read counts as forged, and the lane goes on:', () => {
  test('a result of that kind is no end', async () => {
    const completed = await start();
    await completed.asks('h1', 'applyOnHost', 'a-job');
    await completed.hears('h1', APPLIED);
    await completed.endsInGarbage();

    const apply = { jobId: 'a-job', hostId: 'h1', outcome: APPLIED };
    expect(await find(completed.id)).toEqual({ kind: 'closed', apply });
    expect(forged).toContain(completed.id);
  });

  test('an outcome of that kind is not known', async () => {
    const applied = await start();
    await applied.asks('h1', 'applyOnHost', 'a-job');
    await applied.hearsGarbage('h1');
    await applied.handle.terminate();

    expect(await find(applied.id)).toEqual({ kind: 'closed', apply: { jobId: 'a-job', hostId: 'h1' } });
    expect(forged).toContain(applied.id);
  });

  test('the end that its record has counts', async () => {
    const completed = await start();
    await record(completed.id, 'succeeded');
    await completed.endsInGarbage();

    expect(await find(completed.id)).toMatchObject({ kind: 'ended', progress: { status: 'succeeded' } });
  });
});

describe('one that Temporal does not know', () => {
  test('has ended as its record says', async () => {
    const id = randomUUID();
    await record(id, 'succeeded');

    expect(await find(id)).toMatchObject({ kind: 'ended', progress: { status: 'succeeded' } });
  });

  test('is closed where its apply began on some host', async () => {
    const id = randomUUID();
    await begunApplies.of(DEFAULT_POOL).begin(id, { hostId: 'h1', jobId: 'a-job' });

    expect(await find(id)).toEqual({ kind: 'closed', apply: { jobId: 'a-job', hostId: 'h1' } });
  });

  test('is closed with the outcome that its host wrote down', async () => {
    const id = randomUUID();
    await begunApplies.of(DEFAULT_POOL).begin(id, { hostId: 'h1', jobId: 'a-job' });
    await begunApplies.of(DEFAULT_POOL).complete(id, { kind: 'unknown', why: 'it was killed' });

    const apply = { jobId: 'a-job', hostId: 'h1', outcome: { kind: 'unknown', why: 'it was killed' } };
    expect(await find(id)).toEqual({ kind: 'closed', apply });
  });

  test('may still be applied by a host that lives and says nothing of its outcome', async () => {
    const id = randomUUID();
    await begunApplies.of(DEFAULT_POOL).begin(id, { hostId: 'alive', jobId: 'a-job' });
    await hostSays('alive', new Date());

    expect(await find(id)).toEqual({ kind: 'closing' });
    await begunApplies.of(DEFAULT_POOL).complete(id, { kind: 'unknown', why: 'it was killed' });
    expect(await find(id)).toMatchObject({ kind: 'closed' });
  });

  test('is not waited for where its host was started again since: nobody there knows of it', async () => {
    const id = randomUUID();
    await begunApplies.of(DEFAULT_POOL).begin(id, { hostId: 'restarted', jobId: 'a-job' });
    await hostSays('restarted', new Date(), new Date(Date.now() + 1_000));

    expect(await find(id)).toMatchObject({ kind: 'closed' });
  });

  test('is not waited for where its host has been silent for a minute', async () => {
    const id = randomUUID();
    await begunApplies.of(DEFAULT_POOL).begin(id, { hostId: 'silent', jobId: 'a-job' });
    await hostSays('silent', new Date(Date.now() - 61_000));

    expect(await find(id)).toMatchObject({ kind: 'closed' });
  });

  test('is waited for no longer than applies take', async () => {
    const id = randomUUID();
    const marker = { version: 1, hostId: 'long', jobId: 'a-job', at: new Date(Date.now() - 71 * 60_000).toISOString() };
    await store.put(`begun/default/${id}`, new TextEncoder().encode(JSON.stringify(marker)));
    await hostSays('long', new Date());

    expect(await find(id)).toMatchObject({ kind: 'closed' });
  });

  test('was never started where storage does not know it, either', async () => {
    expect(await find(randomUUID())).toEqual({ kind: 'not-started' });
  });
});
