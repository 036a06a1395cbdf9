/**
 * Somebody who reaches Temporal poses as a host: claims go to them, and they answer with a key of their own. What they say is
 * neither shown nor applied, and it is seen that they said it.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ApplyJob, HostJob } from '@nereid/domain/deployment';
import { jobIdOf } from '@nereid/domain/host';
import { NO_CHANGES, type PlanReview } from '@nereid/domain/plan';
import { CONTROL_QUEUE, MESSAGE } from '@nereid/domain/temporal-names';
import { createKeyPair, createSigner, encloseBody } from '@nereid/signature';
import { createHash, createPrivateKey } from 'node:crypto';
import { claimOf } from './claim-of.ts';
import { openCourier, type Courier } from './courier.ts';
import { openFakeHost, type FakeHost, type FakeHostOptions } from './fake-host.ts';
import { openTerrain, until, type Terrain } from '../faults/terrain.ts';
import { SAMPLE_NAME, type RootName } from '../sample/repository.ts';
import { SECOND_WORKER } from '../stack/processes.ts';
import type { Signed } from '@nereid/domain/signed';

const HARMLESS = {
  ...NO_CHANGES,
  update: 1,
  resources: [{ address: 'harmless.change', action: 'update' }],
  omitted: 0,
} as const;

/** Of the fake host: its signatures are good, but nobody knows its key. */
const signer = createSigner(createPrivateKey(createKeyPair().privateKey));

let terrain: Terrain;
let courier: Courier;
let planned: HostJob[];
let applied: ApplyJob[];

beforeAll(async () => {
  // The host is a process of its own, so that it can be away.
  terrain = await openTerrain(process.env, { hasHostAlone: true });
  courier = await openCourier(terrain.stack.temporalAddress);
  planned = [];
  applied = [];
});

afterAll(async () => {
  await courier[Symbol.asyncDispose]();
  await terrain.close();
});

async function harmlessPlan({ order }: HostJob): Promise<object> {
  const digest = createHash('sha256').update(order.body.id).digest('hex');
  const plan = { hasChanges: true, digest, summary: HARMLESS };
  const body = { version: 1, deploymentId: order.body.id, order: order.signature, ...plan } as const;
  return { kind: 'planned', plan: await encloseBody(signer, 'result/plan', body) };
}

async function failedPlan({ order }: HostJob): Promise<object> {
  const failure = { summary: 'Run harmless.change by hand', lines: ['harmless.change'] };
  const body = { version: 1, deploymentId: order.body.id, order: order.signature, ...failure } as const;
  return { kind: 'failed', failure: await encloseBody(signer, 'result/failure', body) };
}

async function wentWell({ jobId, order }: ApplyJob): Promise<object> {
  const outcome = { kind: 'applied', counts: { added: 0, changed: 7, destroyed: 0, imported: 0 } } as const;
  const body = { version: 1, deploymentId: order.body.id, jobId, order: order.signature, ...outcome } as const;
  return { ...outcome, proof: await encloseBody(signer, 'result/outcome', body) };
}

/** Nobody else takes claims meanwhile. */
async function whileFake(options: Partial<FakeHostOptions>, act: (fake: FakeHost) => Promise<void>): Promise<void> {
  await terrain.stack.holdDown(SECOND_WORKER);
  const fake = await openFakeHost(terrain.stack.temporalAddress, {
    planOnHost: (job) => (planned.push(job), harmlessPlan(job)),
    applyOnHost: (job) => (applied.push(job), wentWell(job)),
    ...options,
  });
  try {
    await act(fake);
  } finally {
    await fake[Symbol.asyncDispose]();
    await terrain.stack.letUp(SECOND_WORKER);
  }
}

async function deploymentOf(root: RootName, sha: string): Promise<string> {
  return (await terrain.seen(root, sha, 'a deployment', () => true)).externalId;
}

async function forged(): Promise<readonly unknown[]> {
  const trail: readonly { readonly state: string; readonly forged?: unknown }[] =
    await terrain.stack.storage.auditTrail();
  return trail.flatMap(({ forged: kind }) => kind ?? []);
}

/** Nobody is told what the fake host said, and the audit trail names it. */
async function isSeenThrough(kind: `result/${'plan' | 'outcome' | 'failure'}`): Promise<void> {
  await until(`the audit trail to name a forged ${kind}`, async () => (await forged()).includes(kind));
  const shown = JSON.stringify(terrain.stack.github.checkRuns(SAMPLE_NAME));
  expect(shown).not.toMatch(/harmless|7 changed/);
}

test('its plan is not applied where nobody has to confirm one', async () => {
  await whileFake({}, async () => {
    const sha = await terrain.push('dns', 'planned-by-nobody');

    await terrain.says('dns', sha, /no permission to apply/);
  });

  expect(applied).toEqual([]);
  await isSeenThrough('result/plan');
});

test('its plan is not shown to the person who is to confirm it, and holds its lane for three attempts', async () => {
  await whileFake({}, async () => {
    const sha = await terrain.push('network', 'shown-to-nobody');
    const id = await deploymentOf('network', sha);

    const { output } = await terrain.seen('network', sha, 'its end', ({ conclusion }) => conclusion === 'failure');

    expect(output.title).toContain('expected the result/plan to be signed');
    expect(planned.filter((job) => job.order.body.id === id)).toHaveLength(3);
    const buttons = terrain.stack.github.checkRuns(SAMPLE_NAME, sha).flatMap(({ actions }) => actions);
    expect(buttons).toEqual([]);
  });

  await isSeenThrough('result/plan');
});

test('its reason why a plan failed is not shown', async () => {
  await whileFake({ planOnHost: failedPlan }, async () => {
    const sha = await terrain.push('dns', 'failed-by-nobody');

    await terrain.says('dns', sha, /no host of this installation signed why/);
  });

  await isSeenThrough('result/failure');
});

test('its answer about an apply that it took from another host is not believed', async () => {
  const sha = await terrain.push('service', 'taken-by-another');
  const run = await terrain.scene.planned({ root: 'service', sha });
  const posesAs = await terrain.hostIdOf(SECOND_WORKER);

  await whileFake({ posesAs }, async () => {
    terrain.scene.press(run, 'Confirm', 'alice');

    await terrain.says('service', sha, /outcome unknown/);
  });

  expect(applied).toMatchObject([{ order: { body: { id: run.externalId } } }]);
  expect(await terrain.audited(run.externalId)).not.toContain('SUCCESS');
  await isSeenThrough('result/outcome');
});

test('permission to apply is given for the host that claimed a deployment, and for no other', async () => {
  const sha = await terrain.push('database', 'held', { isHeld: true });
  await terrain.confirm('database', sha);
  await terrain.applyBegins('held');
  const id = await deploymentOf('database', sha);
  const { repository, deployment } = await courier.inputOf(id);
  const progress = await terrain.progressWithPlan(id);
  const [review] = (await courier.signalsTo(id, MESSAGE.planReview)) as [Signed<PlanReview>]; // Its only review.
  const job = { id: jobIdOf(id, 'apply', 2), startedAt: new Date().toISOString() };
  const asked = { repository, deployment: { ...deployment, progress }, review, job, audits: [] };
  const claim = await claimOf(courier, id);

  const own = await courier.ask(CONTROL_QUEUE, 'begin', {
    ...asked,
    claim,
    hostId: await terrain.hostIdOf(SECOND_WORKER),
  });
  const others = await courier.ask(CONTROL_QUEUE, 'begin', { ...asked, claim, hostId: 'another' });

  expect(own).toMatchObject({ signature: expect.any(String) });
  expect(others).toMatchObject({ type: 'FORGED' });
  await terrain.letEnd('held');
  await terrain.applied('database', sha);
});

test('in the end, what a person confirmed was applied by the real host, and nothing else', async () => {
  expect(await terrain.ledger()).toEqual(['held']);
});
