/**
 * Somebody who reaches Temporal asks for permission to apply what a gate holds back, with everything that was ever signed for it, and
 * for other deployments. Each gate answers by what storage and the server's file say.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { orderOf, type Deployment, type PlannedOnHost } from '@nereid/domain/deployment';
import type { Beginning } from '@nereid/domain/deployment-actor';
import { jobIdOf } from '@nereid/domain/host';
import type { ReceivedEvent } from '@nereid/domain/intake';
import { laneWorkflowId, type NewRevision } from '@nereid/domain/lane';
import type { PlanReview } from '@nereid/domain/plan';
import type { Repository } from '@nereid/domain/root';
import { withMade } from '@nereid/domain/testing';
import type { Signed } from '@nereid/domain/signed';
import { CONTROL_QUEUE, MESSAGE, WORKFLOW } from '@nereid/domain/temporal-names';
import { openTerrain, until, type Terrain } from '../faults/terrain.ts';
import { CHANGES } from '../sample/changes.ts';
import { FROZEN_ROOT, SAMPLE_NAME, WAVE_ROOTS, type SampleRoot } from '../sample/repository.ts';
import { askConsole } from '../story/ask-console.ts';
import { askToPlan, claimOf } from './claim-of.ts';
import { openCourier, type Courier } from './courier.ts';
import { APPLIED } from './target.ts';

const FORGED = { type: 'FORGED' };
const BUDGETS = [{ name: 'one', applies: 1, roots: ['network', 'database'] }];

let terrain: Terrain;
let courier: Courier;

beforeAll(async () => {
  terrain = await openTerrain(process.env, { budgets: BUDGETS });
  courier = await openCourier(terrain.stack.temporalAddress);
});

afterAll(async () => {
  await courier[Symbol.asyncDispose]();
  await terrain.close();
});

/** Everything that its own workflow has when it asks for permission to apply. */
async function beginningOf(root: SampleRoot, sha: string): Promise<Beginning> {
  const { externalId: id } = await terrain.seen(root, sha, 'a deployment', () => true);
  const { repository, deployment } = await courier.inputOf(id);
  const reviews = (await courier.signalsTo(id, MESSAGE.planReview)) as Signed<PlanReview>[]; // People's.
  const review = reviews.at(-1);
  const planned = { ...deployment, progress: await terrain.progressWithPlan(id) };
  const claim = await claimOf(courier, id);
  return { ...aJob(repository, planned), hostId: claim.body.hostId, claim, ...(review && { review }) };
}

function aJob(repository: Repository, deployment: Deployment) {
  const job = { id: jobIdOf(deployment.id, 'apply', 1), startedAt: new Date().toISOString() };
  return { repository, deployment, job, audits: [] };
}

function permissionFor(beginning: Beginning): Promise<unknown> {
  return courier.ask(CONTROL_QUEUE, 'begin', beginning);
}

function closed(sentence: RegExp) {
  return { type: 'GATE_CLOSED', message: expect.stringMatching(sentence) };
}

/** Intake gets the person's request, changed or as it was. */
function askAgain(request: Signed<ReceivedEvent>, more: object = {}): Promise<unknown> {
  const { body } = request;
  const event = 'request' in body.event ? { ...body.event, request: { ...body.event.request, ...more } } : body.event;
  return courier.run(WORKFLOW.intake, CONTROL_QUEUE, { ...request, body: { ...body, event } });
}

describe('a budget of one, whose lease another apply has', () => {
  const FULL = /1 of 1 apply on one: network/;
  let holder: Beginning;
  let waiting: Beginning;
  let sha: string;

  beforeAll(async () => {
    const held = await terrain.push('network', 'holds', { isHeld: true });
    await terrain.confirm('network', held);
    await terrain.applyBegins('holds');
    sha = await terrain.push('database', 'waits');
    await terrain.confirm('database', sha);
    await terrain.says('database', sha, FULL);
    holder = await beginningOf('network', held);
    waiting = await beginningOf('database', sha);
  });

  const ended = (progress: object) => {
    const deployment = { ...holder.deployment, progress: { ...holder.deployment.progress, ...progress } };
    const record = { version: 1, repository: holder.repository, deployment, endedAt: new Date().toISOString() };
    return courier.ask(CONTROL_QUEUE, 'endDeployment', { record, audits: [], deletesPlan: false, isTold: true });
  };

  test('gives no permission, whatever was signed for the deployment', async () => {
    expect(await permissionFor(waiting)).toMatchObject(closed(FULL));
  });

  test.each<[string, object]>([
    ['it was applied', APPLIED],
    ['it was cancelled', { status: 'cancelled' }],
    ['it was never reviewed', { status: 'expired' }],
  ])('takes no lease back because somebody says of that apply that %s', async (_what, progress) => {
    expect(await ended(progress)).toMatchObject(FORGED);

    expect(await permissionFor(waiting)).toMatchObject(closed(FULL));
  });

  test('takes no lease back because nobody knows how that apply ended', async () => {
    await ended({ status: 'apply-outcome-unknown' });

    expect(await permissionFor(waiting)).toMatchObject(closed(FULL));
  });

  test('has a lease once the host has said that its apply has ended', async () => {
    expect(await terrain.ledger()).toEqual([]);
    await terrain.letEnd('holds');

    await terrain.applied('database', sha);
    expect(await terrain.ledger()).toEqual(['holds', 'waits']);
  });
});

describe('a window that is closed', () => {
  const FROZEN = /Closed until .* UTC \(change freeze “Year end”\)/i;
  const at = { root: FROZEN_ROOT } as const;
  let sha: string;
  let waiting: Beginning;

  beforeAll(async () => {
    sha = await terrain.scene.merge(CHANGES.archive);
    waiting = await isFrozen(sha);
  });

  /** Once two people have confirmed it. */
  async function isFrozen(commit: string): Promise<Beginning> {
    terrain.scene.press(await terrain.scene.planned({ ...at, sha: commit }), 'Confirm', 'alice');
    const next = await terrain.seen(at.root, commit, '1 of 2 confirmed', ({ output, actions }) => {
      return output.title?.startsWith('1 of 2 confirmed') === true && actions.length > 0;
    });
    terrain.scene.press(next, 'Confirm', 'bob');
    // Those who confirm it read of the window as well.
    await terrain.seen(at.root, commit, 'closed', ({ output: { title, summary }, actions }) => {
      return FROZEN.test(`${title ?? ''} ${summary ?? ''}`) && actions.every(({ label }) => label !== 'Confirm');
    });
    return beginningOf(at.root, commit);
  }

  test('gives no permission, whatever was signed for the deployment', async () => {
    expect(await permissionFor(waiting)).toMatchObject(closed(FROZEN));
  });

  test('is about the directory that was ordered, and about the plan that was made', async () => {
    const { deployment } = waiting;
    const { root, progress } = deployment;
    const elsewhere = { ...deployment, root: { ...root, dir: 'network', name: 'network' } };
    const plan = progress.plan && withMade(progress.plan, { hasChanges: false });
    const empty = { ...deployment, progress: { ...progress, ...(plan && { plan }) } };

    expect(await permissionFor({ ...waiting, deployment: elsewhere })).toMatchObject(FORGED);
    expect(await permissionFor({ ...waiting, deployment: empty })).toMatchObject(FORGED);
  });

  test('lets pass what a person lets pass, and nothing else, however often the request is sent again', async () => {
    const { deployment } = waiting;
    const id = await askConsole(terrain.stack, `deployments/${deployment.id}/break-glass`, {
      reason: 'the site is down',
    });
    await terrain.applied(at.root, sha);
    const genuine = await courier.requestOf(id);
    const files = { [`${FROZEN_ROOT}/more.tf`]: 'resource "terraform_data" "more" {}\n' };
    const commit = { repository: SAMPLE_NAME, branch: 'main', files, message: 'more', author: 'bob' };
    const next = await isFrozen(await terrain.stack.github.commit(commit));

    expect(await askAgain(genuine, { deploymentId: next.deployment.id })).toMatchObject(FORGED);
    await askAgain(genuine);

    expect(await permissionFor(next)).toMatchObject(closed(FROZEN));
  });
});

describe('a wave that halts a merge', () => {
  const HALTED = /halted by wave 1 of 2 \(canary\): edge-1 failed to apply/;
  let sha: string;
  let waiting: Beginning;
  /** A person's word about an earlier merge. */
  let skip: Signed<ReceivedEvent>;

  beforeAll(async () => {
    const earlier = await terrain.scene.merge(CHANGES.edges);
    await terrain.says('edge-2', earlier, HALTED);
    const word = { revision: earlier, wave: 1, reason: 'the others are fine' };
    skip = await courier.requestOf(await askConsole(terrain.stack, `repositories/${SAMPLE_NAME}/skip-soak`, word));
    for (const root of ['edge-2', 'edge-3'] as const) await terrain.applied(root, earlier);
    const files = Object.fromEntries(
      WAVE_ROOTS.map((root) => [`${root}/more.tf`, 'resource "terraform_data" "more" {}\n']),
    );
    const commit = { repository: SAMPLE_NAME, branch: 'main', files, message: 'more', author: 'bob' };
    sha = await terrain.stack.github.commit(commit);
    await terrain.says('edge-2', sha, HALTED);
    waiting = await plannedAnyway();
  });

  /** A host plans what was ordered, whoever asks: nothing is changed by that. */
  async function plannedAnyway(): Promise<Beginning> {
    const { externalId } = await terrain.seen('edge-1', sha, 'a deployment', () => true);
    const { repository } = await courier.inputOf(externalId);
    const lane = laneWorkflowId(repository, 'edge-2');
    const orders = (await courier.signalsTo(lane, MESSAGE.newRevision)) as NewRevision[]; // Intake's.
    const { version: _none, deploymentId: id = '', ...order } = orderIn(orders);
    const progress = { status: 'planning', times: {}, jobs: {} } as const;
    const deployment = { ...order, id, receivedAt: new Date().toISOString(), progress, checkRuns: [] };
    const job = { jobId: jobIdOf(id, 'plan', 1), order: orderOf(repository, deployment) };
    const { claim, outcome } = (await askToPlan(courier, job)) as PlannedOnHost; // The contract of that activity.
    if (outcome.kind !== 'planned') throw new Error(`expected a plan of edge-2, found ${JSON.stringify(outcome)}`);
    const plan = { made: outcome.plan, reviewRequired: false };
    const planned = { ...deployment, progress: { ...progress, plan } };
    return { ...aJob(repository, planned), hostId: claim.body.hostId, claim };
  }

  function orderIn(orders: readonly NewRevision[]): NewRevision {
    const found = orders.find(({ revision }) => revision.sha === sha);
    if (found === undefined) throw new Error(`expected an order of edge-2 at ${sha}`);
    return found;
  }

  test('gives no permission to a later wave, whatever was signed for the deployment', async () => {
    expect(await permissionFor(waiting)).toMatchObject(closed(HALTED));
  });

  test('is about every deployment that was ordered in waves', async () => {
    const { together: _waves, ...alone } = waiting.deployment;

    expect(await permissionFor({ ...waiting, deployment: alone })).toMatchObject(FORGED);
  });

  test.each([
    ['another merge', () => ({ revision: sha })],
    ['another wave', () => ({ wave: 2 })],
  ])('is not skipped by the word of a person about another merge, changed to %s', async (_what, more) => {
    expect(await askAgain(skip, more())).toMatchObject(FORGED);

    expect(await permissionFor(waiting)).toMatchObject(closed(HALTED));
  });

  test('is not skipped by that word, sent again as it was', async () => {
    expect(await askAgain(skip)).toMatchObject({ kind: 'signalled' });

    expect(await permissionFor(waiting)).toMatchObject(closed(HALTED));
    await terrain.says('edge-2', sha, HALTED);
  });
});

test('what was forged is in the audit trail', async () => {
  await until('the audit trail to name each kind of forgery', async () => {
    const trail: readonly { readonly state: string; readonly forged?: unknown }[] =
      await terrain.stack.storage.auditTrail();
    const kinds = new Set(trail.map(({ forged }) => forged));
    return ['request/person', 'order/deploy', 'result/plan', 'result/outcome'].every((kind) => kinds.has(kind));
  });
});
