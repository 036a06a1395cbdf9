/**
 * Somebody reaches Temporal, which asks nobody who they are, and knows all that ever went through it. They try to have something
 * planned, approved or applied that GitHub and a permitted person did not ask for.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  orderOf,
  planButton,
  type ApplyJob,
  type Deployment,
  type Go,
  type HostJob,
  type Progress,
  type TerraformInput,
} from '@nereid/domain/deployment';
import type { Beginning } from '@nereid/domain/deployment-actor';
import { jobIdOf } from '@nereid/domain/host';
import type { ReceivedEvent } from '@nereid/domain/intake';
import { laneWorkflowId, type NewRevision } from '@nereid/domain/lane';
import type { PlanReview } from '@nereid/domain/plan';
import { withMade } from '@nereid/domain/testing';
import type { Signed } from '@nereid/domain/signed';
import { CONTROL_QUEUE, hostQueue, MESSAGE, WORKFLOW } from '@nereid/domain/temporal-names';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { askToPlan, claimOf } from './claim-of.ts';
import { openCourier, type Courier } from './courier.ts';
import { APPLIED, madeUp, unlockOf } from './target.ts';
import { openTerrain, until, type Terrain } from '../faults/terrain.ts';
import { SAMPLE_NAME } from '../sample/repository.ts';

const FORGED = { type: 'FORGED' };
const NOW = new Date().toISOString();

let terrain: Terrain;
let courier: Courier;
/** A review that a person gave, of another plan. */
let earlierReview: Signed<PlanReview>;
/** What waits for a review. */
let input: TerraformInput;
let progress: Progress;
let deploymentId: string;
let hostId: string;
let sha: string;

beforeAll(async () => {
  terrain = await openTerrain(process.env);
  courier = await openCourier(terrain.stack.temporalAddress);
  const earlier = await terrain.push('network', 'asked-for');
  await terrain.confirm('network', earlier);
  const { externalId } = await terrain.applied('network', earlier);
  [earlierReview] = (await courier.signalsTo(externalId, MESSAGE.planReview)) as [Signed<PlanReview>]; // Its only review.
  sha = await terrain.push('network', 'not-asked-for');
  ({ externalId: deploymentId } = await terrain.scene.planned({ root: 'network', sha }));
  hostId = await terrain.hostOf('network', sha);
  input = await courier.inputOf(deploymentId);
  progress = await terrain.progressWithPlan(deploymentId);
});

afterAll(async () => {
  await courier[Symbol.asyncDispose]();
  await terrain.close();
});

let forgedBefore: number;

beforeEach(async () => {
  forgedBefore = await forged();
});

describe('a review', () => {
  const review = { version: 1, answer: 'approved', by: 'carol', at: NOW } as const;
  const no = { ...review, answer: 'rejected' } as const;
  const ofThePlan = () => ({ requestId: randomUUID(), deploymentId, digest: progress.plan?.made.body.digest ?? '' });
  const earlierAs = (more: Partial<PlanReview>) => ({ ...earlierReview, body: { ...earlierReview.body, ...more } });

  test.each<[string, () => object]>([
    ['in no envelope', () => ({ ...review, ...ofThePlan() })],
    ['that nobody signed', () => ({ body: { ...review, ...ofThePlan() }, signature: '' })],
    ['with a made-up signature', () => ({ body: { ...review, ...ofThePlan() }, signature: 'a..b' })],
    ['that was given for another plan', () => earlierAs(ofThePlan())],
    ['that was given before, sent once more as it was', () => earlierReview],
    ['that was given for another deployment', () => earlierAs({ deploymentId })],
    ['that says no in the name of a person', () => ({ body: { ...no, ...ofThePlan() }, signature: 'a..b' })],
  ])('%s opens and answers no review', async (_what, message) => {
    await courier.signal(deploymentId, MESSAGE.planReview, message());

    await terrain.scene.planned({ root: 'network', sha });
  });
});

test('an event that the gateway did not sign is not taken, whoever is said to have pressed', async () => {
  const [run] = terrain.stack.github
    .checkRuns(SAMPLE_NAME, sha)
    .filter(({ externalId }) => externalId === deploymentId);
  const checkRun = {
    id: run?.id,
    name: run?.name,
    headSha: sha,
    externalId: deploymentId,
    conclusion: 'action_required',
  };
  const event = {
    kind: 'button',
    repository: input.repository,
    checkRun,
    button: progress.plan && planButton('confirm', progress.plan.made),
    sender: 'carol',
  };
  const body = { version: 1, delivery: randomUUID(), receivedAt: NOW, event };
  const received = { body, signature: earlierReview.signature };

  expect(await courier.run(WORKFLOW.intake, CONTROL_QUEUE, received)).toMatchObject(FORGED);
  expect(await courier.ask(CONTROL_QUEUE, 'handleEvent', received as unknown as Signed<ReceivedEvent>)).toMatchObject(
    FORGED,
  );
  await isSeen();
  await terrain.scene.planned({ root: 'network', sha });
});

test('an order with steps of somebody else runs none of them', async () => {
  const { deployment, repository } = input;
  const touch = path.join(terrain.stack.folders.state, 'stolen');
  const root = {
    ...deployment.root,
    name: 'dns',
    planReview: 'auto',
    steps: { plan: [{ kind: 'run', run: `touch ${touch}` }], apply: [] },
  } as const;
  // The lane runs once it had something to do.
  const dns = await terrain.push('dns', 'dns-asked-for');
  await terrain.applied('dns', dns);
  const { rerun, force, requestedBy, order } = deployment;
  const revision = { ...deployment.revision, sha: dns };
  const ids = { requestId: randomUUID(), deploymentId: randomUUID() };
  const request = { version: 1, ...ids, root, revision, trigger: 'manual', rerun, force, requestedBy } as const;
  const body: NewRevision = { ...request, ...(order !== undefined && { order }) };

  await courier.signal(laneWorkflowId(repository, 'dns'), MESSAGE.newRevision, body);

  await isSeen();
  await until('the end of what was smuggled in', async () => (await endOf(ids.deploymentId)) !== undefined);
  expect(await endOf(ids.deploymentId)).toMatchObject({ progress: { status: 'plan-failed' } });
  await expect(readFile(touch)).rejects.toThrow('ENOENT');
});

test('a deployment that somebody starts by themselves, as one that needs no review, is not applied', async () => {
  const auto = { ...input.deployment, root: { ...input.deployment.root, planReview: 'auto' } };

  const result = await courier.run(WORKFLOW.terraform, CONTROL_QUEUE, { ...input, deployment: auto });

  expect(result).toMatchObject({
    progress: { status: 'plan-failed', reason: expect.stringContaining('expected the order/deploy to be signed') },
  });
  await isSeen();
});

describe('an activity that somebody schedules', () => {
  const steps = { plan: [{ kind: 'run', run: 'true' }], apply: [] };

  test('plans nothing that was not ordered', async () => {
    const { jobId, order } = aJob();
    const withBody = (more: object) => ({ jobId, order: { ...order, body: { ...order.body, ...more } } });

    const withSteps = withBody({ root: { ...order.body.root, steps } });
    expect(await askToPlan(courier, withSteps)).toMatchObject(FORGED);
    const withId = withBody({ id: randomUUID() });
    expect(await askToPlan(courier, withId)).toMatchObject(FORGED);
    await isSeen();
  });

  test('shows nobody another plan than the one that was made', async () => {
    const { plan } = progress;
    const summary = plan && { ...plan.made.body.summary, create: 0, replace: 0 };
    const changed = plan && summary && withMade(plan, { summary });
    const deployment = { ...input.deployment, progress: { ...progress, plan: changed } };

    const shown = await courier.ask(CONTROL_QUEUE, 'showCheckRun', input.repository, { deployment });
    expect(shown).toMatchObject(FORGED);
    await isSeen();
  });

  test('takes no other branch for the one that is deployed', async () => {
    const place = { repository: input.repository, branch: 'feature' };

    // A branch that is seen for the first time is taken as it is: only then would a commit be missed.
    for (const name of ['first', 'second']) {
      const files = { [`dns/${name}.tf`]: `output "${name}" { value = 1 }\n` };
      const commit = { repository: SAMPLE_NAME, branch: 'feature', files, message: name, author: 'mallory' };
      await terrain.stack.github.commit(commit);
      expect(await courier.ask(CONTROL_QUEUE, 'reconcile', 'reconcileRepositories', [place])).toEqual([]);
    }
  });

  test.each(['', 'a..b', 'the order'])('applies nothing with the permission "%s"', async (made) => {
    const signature = made === 'the order' ? (input.deployment.order ?? '') : made;
    const expiresAt = new Date(Date.now() + 60_000).toISOString();
    const { order } = aJob();
    const jobId = jobIdOf(deploymentId, 'apply', 1);
    const digest = progress.plan?.made.body.digest ?? '';
    const times = { acceptBy: expiresAt, beginBy: expiresAt, expiresAt };
    const about = { deploymentId, jobId, hostId, digest, order: order.signature, ...times };
    const job: ApplyJob = { jobId, order, go: { body: { version: 1, ...about }, signature } };

    expect(await courier.ask(hostQueue(hostId), 'applyOnHost', job)).toMatchObject(FORGED);
    await isSeen();
  });

  test.each<[string, () => Partial<Beginning>]>([
    ['without a review', () => ({})],
    ['with the review of another plan', () => ({ review: earlierReview })],
    [
      'with a review of its own',
      () => {
        const { body, signature } = earlierReview;
        return {
          review: { body: { ...body, deploymentId, digest: progress.plan?.made.body.digest ?? '' }, signature },
        };
      },
    ],
    ['of a plan that is said to change nothing', () => ({ deployment: changingNothing() })],
  ])('gives no permission to apply %s', async (_what, more) => {
    const deployment = { ...input.deployment, progress };
    const job = { id: randomUUID(), startedAt: NOW };
    const claim = await claimOf(courier, deploymentId);
    const beginning = { repository: input.repository, deployment, job, hostId, claim, audits: [], ...more() };

    expect(await courier.ask(CONTROL_QUEUE, 'begin', beginning)).toMatchObject(FORGED);
    await isSeen();
  });
});

describe('an activity that somebody schedules for a deployment that waits', () => {
  const review = { version: 1, requestId: 'made-up', answer: 'approved', by: 'carol', at: NOW } as const;
  const counts = { added: 0, changed: 0, destroyed: 0, imported: 0 };
  const deploymentAs = (more: Partial<Progress>): Deployment => ({
    ...input.deployment,
    progress: { ...progress, ...more },
  });
  const recordOf = (deployment: Deployment) => ({ version: 1, repository: input.repository, deployment, endedAt: NOW });

  test.each<[string, Partial<Progress>]>([
    ['that it was applied', { status: 'succeeded', applied: counts }],
    ['that it was applied, as a host is said to have signed', APPLIED],
    ['that it failed', { status: 'apply-failed', failure: { body: { summary: 'no', lines: [] } } }],
    ['that somebody rejected it', { status: 'rejected', review: { answer: 'rejected', by: 'carol', at: NOW } }],
    ['that somebody approved it', { status: 'applying', review: { answer: 'approved', by: 'carol', at: NOW } }],
  ])('a made-up activity tells nobody %s', async (_what, more) => {
    const deployment = deploymentAs(more);

    const shown = await courier.ask(CONTROL_QUEUE, 'showCheckRun', input.repository, { deployment });
    const ending = { record: recordOf(deployment), audits: [], deletesPlan: true };
    expect([
      shown,
      await courier.ask(CONTROL_QUEUE, 'endDeployment', { ...ending, show: {} }),
      await courier.ask(CONTROL_QUEUE, 'endDeployment', { ...ending, isTold: true }),
    ]).toMatchObject([FORGED, FORGED, FORGED]);
    await isSeen();
    await terrain.scene.planned({ root: 'network', sha });
  });

  test('puts nothing into the audit trail that nobody did', async () => {
    const deployment = deploymentAs({});
    const refusal = { repository: input.repository, deployment, sentence: 'no' };
    const { digest } = progress.plan?.made.body ?? {};
    const press = { body: { ...review, deploymentId, digest }, signature: 'a..b' };
    const delivery = randomUUID();
    const action = { action: 'confirm', rootNames: ['network'] };
    const judged = { body: { version: 1, delivery, action }, signature: 'a..b' };
    const received = {
      body: { version: 1, delivery, receivedAt: NOW, event: { kind: 'push' } },
      signature: 'a..b',
    };

    expect([
      await courier.ask(CONTROL_QUEUE, 'recordAside', { ...refusal, review: press }),
      await courier.ask(CONTROL_QUEUE, 'recordAside', { ...refusal, review }),
      await courier.ask(CONTROL_QUEUE, 'recordUserActions', received, [judged]),
      await courier.ask(CONTROL_QUEUE, 'recordUserActions', received, { notTaken: 'no' }),
    ]).toMatchObject([FORGED, FORGED, FORGED, FORGED]);
  });

  test('is in the audit trail itself', async () => {
    await until('the audit trail to name a forgery', async () => {
      const states: readonly string[] = (await terrain.stack.storage.auditTrail()).map(({ state }) => state);
      return states.includes('FORGED');
    });
  });
});

test('a lock that somebody lifts in Temporal holds, whoever they say they are', async () => {
  const byHand = await terrain.byHand('dns', 'by-hand');
  await terrain.confirm('dns', byHand);
  await terrain.applied('dns', byHand);
  const next = await terrain.push('dns', 'behind-the-lock');
  const unlock = madeUp(unlockOf(input));

  await courier.signal(laneWorkflowId(input.repository, 'dns'), MESSAGE.unlock, unlock);
  await terrain.confirm('dns', next);

  await terrain.says('dns', next, /locked by a manual deployment of .*: unlock it, then press Re-run/);
  expect(await terrain.ledger()).not.toContain('behind-the-lock');
  expect(JSON.stringify(terrain.stack.github.checkRuns(SAMPLE_NAME))).not.toMatch(/unlocked by @carol/i);
  await isSeen();
});

describe('what was signed for a deployment, sent again while it is applied', () => {
  let asked: TerraformInput;
  let approved: Deployment;
  let commit: string;
  let job: HostJob;
  let host: string;

  beforeAll(async () => {
    commit = await terrain.push('database', 'once', { isHeld: true });
    await terrain.confirm('database', commit);
    await terrain.applyBegins('once');
    host = await terrain.hostOf('database', commit);
    const { externalId } = await terrain.seen('database', commit, 'a deployment', () => true);
    asked = await courier.inputOf(externalId);
    approved = { ...asked.deployment, progress: await terrain.progressWithPlan(externalId) };
    job = jobOf(asked);
  });

  test('brings neither another plan nor a second apply, even if its end was recorded where nobody finds it', async () => {
    const { repository } = asked;
    const [review] = (await courier.signalsTo(approved.id, MESSAGE.planReview)) as [Signed<PlanReview>]; // Its only review.
    const ended: Deployment = { ...approved, progress: { ...approved.progress, status: 'succeeded' } };
    const record = { version: 1, repository, deployment: ended, endedAt: '+010000-01-01T00:00:00.000Z' };

    await courier.ask(CONTROL_QUEUE, 'endDeployment', { record, audits: [], deletesPlan: false, isTold: true });
    const again = { id: jobIdOf(approved.id, 'apply', 2), startedAt: NOW };
    const claim = await claimOf(courier, approved.id);
    const beginning = { repository, deployment: approved, review, job: again, hostId: host, claim, audits: [] };
    const go = (await courier.ask(CONTROL_QUEUE, 'begin', beginning)) as Signed<Go>;
    const planning = askToPlan(courier, job);
    const apply: ApplyJob = { ...job, jobId: again.id, go, review };
    expect(await courier.ask(hostQueue(host), 'applyOnHost', apply)).toMatchObject({ type: 'HOST_DECLINED' });
    await terrain.letEnd('once');

    expect(await planning).toMatchObject({ outcome: { kind: 'apply-begun', outcome: { kind: 'applied' } } });
    await terrain.applied('database', commit);
    expect(await courier.ask(hostQueue(host), 'applyOnHost', apply)).toMatchObject({ kind: 'applied' });
    expect((await terrain.plans()).filter((sha) => sha === commit)).toHaveLength(1);
  });

  test('finds for good that its apply began', async () => {
    const { externalId } = await terrain.applied('database', commit);
    await terrain.isAudited(externalId, ['RUNNING', 'SUCCESS']);

    const outcome = { kind: 'apply-begun', outcome: { kind: 'applied' } };
    expect(await askToPlan(courier, job)).toMatchObject({ outcome });
  });
});

test('in the end, what was asked for was applied and nothing else, and a person can still confirm', async () => {
  expect(await terrain.ledger()).toEqual(['asked-for', 'dns-asked-for', 'by-hand', 'once']);

  await terrain.confirm('network', sha);

  await terrain.applied('network', sha);
  expect(await terrain.ledger()).toEqual(['asked-for', 'dns-asked-for', 'by-hand', 'once', 'not-asked-for']);
});

/** Undefined while no workflow of this deployment has ended. */
async function endOf(id: string): Promise<unknown> {
  return courier.resultOf(id).catch(() => undefined);
}

/** The attempt was noticed. */
async function isSeen(): Promise<void> {
  await until('the log of the worker to name a forgery', async () => (await forged()) > forgedBefore);
}

async function forged(): Promise<number> {
  const log = await readFile(path.join(terrain.stack.folders.logs, 'worker.log'), 'utf8');
  return log.split('poses as somebody else').length;
}

function aJob(): HostJob {
  return jobOf(input);
}

function jobOf({ deployment, repository }: TerraformInput): HostJob {
  return { jobId: jobIdOf(deployment.id, 'plan', 1), order: orderOf(repository, deployment) };
}

function changingNothing(): Deployment {
  const { plan } = progress;
  return {
    ...input.deployment,
    progress: { ...progress, ...(plan && { plan: withMade(plan, { hasChanges: false }) }) },
  };
}
