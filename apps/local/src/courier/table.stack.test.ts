/**
 * Everything that somebody who reaches Temporal can send, start or schedule, once each: every signal, every type of workflow and
 * every activity of ours has a row, or this does not compile. No attempt has anything applied or approved, and none is shown or
 * audited as what a person did; what was forged is seen in the metrics and in the audit trail.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { NO_CHANGES } from '@nereid/domain/plan';
import { MESSAGE, WORKFLOW } from '@nereid/domain/temporal-names';
import { ACTIVITIES, queueOf } from './activity-attacks.ts';
import { openCourier, type Courier } from './courier.ts';
import { QUESTIONS, SIGNALS, WORKFLOW_QUEUE, WORKFLOWS } from './message-attacks.ts';
import { CAROL, madeUp, type Target } from './target.ts';
import { openTerrain, until, type Terrain } from '../faults/terrain.ts';
import { SAMPLE_NAME, type RootName } from '../sample/repository.ts';

const NAMES: Readonly<Record<string, string>> = MESSAGE;

/** Somebody answers in the place of a worker long before that, even where the machine stalls. */
const PLANNED_LATE_S = 30;

let terrain: Terrain;
let courier: Courier;
/** What waits for a person, and is not touched. */
let target: Target;
let sha: string;

beforeAll(async () => {
  terrain = await openTerrain(process.env);
  courier = await openCourier(terrain.stack.temporalAddress);
  sha = await terrain.push('network', 'not-asked-for');
  target = await targetAt('network', sha);
});

afterAll(async () => {
  await courier[Symbol.asyncDispose]();
  await terrain.close();
});

async function targetAt(root: RootName, commit: string): Promise<Target> {
  const { externalId } = await terrain.scene.planned({ root, sha: commit });
  return {
    input: await courier.inputOf(externalId),
    progress: await terrain.progressWithPlan(externalId),
    hostId: await terrain.hostOf(root, commit),
  };
}

/** How many forgeries the worker has counted. */
async function forged(): Promise<number> {
  const text = await (await fetch(terrain.stack.urls.metrics)).text();
  const counts = text.matchAll(/^nereid_forged_total\{[^}]*\} (\d+)/gm);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

/** Makes the attempt, and returns once it was seen if it says something that nobody signed. */
async function attempt(is: 'forged' | 'nothing', act: () => Promise<unknown>): Promise<void> {
  const before = await forged();
  await act();
  if (is === 'forged') await until('the metrics to count a forgery', async () => (await forged()) > before);
}

/** As a host answers that took a plan. */
function answerOf({ hostId }: Target, outcome: object) {
  return { claim: madeUp({ version: 1, hostId }), since: new Date().toISOString(), outcome };
}

async function trail(): Promise<readonly { readonly state: string; readonly forged?: unknown }[]> {
  return terrain.stack.storage.auditTrail();
}

/** Nothing was applied or approved, and nobody is told of something that nobody did. */
async function isUntouched(applied: readonly string[] = []): Promise<void> {
  await terrain.scene.planned({ root: 'network', sha });
  const shown = JSON.stringify(terrain.stack.github.checkRuns(SAMPLE_NAME));
  expect(shown).not.toContain(`@${CAROL}`);
  expect(shown).not.toContain('It went well');
  expect(await terrain.ledger()).toEqual(applied);
  const told = (await trail()).filter(({ state }) => state !== 'FORGED');
  expect(JSON.stringify(told)).not.toContain(CAROL);
  expect(JSON.stringify(told)).not.toContain(target.input.deployment.id);
}

describe('an activity that somebody schedules', () => {
  test.each(
    Object.entries(ACTIVITIES).flatMap(([name, attacks]) => [attacks].flat().map((attack) => [name, attack] as const)),
  )('the activity %s changes nothing', async (name, attack) => {
    await attempt(attack.is, () => courier.ask(queueOf(attack, target), name, ...attack.args(target)));

    await isUntouched();
  });
});

describe('a workflow that somebody starts changes nothing', () => {
  test.each(Object.entries(WORKFLOWS))('the workflow %s changes nothing', async (name, attack) => {
    await attempt(attack.is, () => courier.start(name, WORKFLOW_QUEUE, attack.input(target)));

    await isUntouched();
  });

  test.each(Object.entries(QUESTIONS))('a workflow that asks for %s changes nothing', async (kind, { is, input }) => {
    await attempt(is, () => courier.start(WORKFLOW.ask, WORKFLOW_QUEUE, { kind, about: input(target) }));

    await isUntouched();
  });

  test('not even by a Schedule', async () => {
    const { input } = WORKFLOWS.terraform;

    await attempt('forged', () => courier.schedule(WORKFLOW.terraform, WORKFLOW_QUEUE, input(target)));

    await isUntouched();
  });
});

describe('a signal that somebody sends has nothing applied, and nobody named', () => {
  let other: Target;
  let commit: string;

  beforeAll(async () => {
    commit = await terrain.push('database', 'not-asked-for-either');
    other = await targetAt('database', commit);
    const { repository } = other.input;
    await courier.start(WORKFLOW.pullRequest, WORKFLOW_QUEUE, { repository, number: 1 }, SIGNALS.look.to(other));
  });

  test.each(Object.entries(SIGNALS))(
    'the signal %s applies nothing and names nobody',
    async (name, { is, to, body }) => {
      const message = { version: 1, ...body(other) };

      await attempt(is, () => courier.signal(to(other), NAMES[name] ?? '', message));

      await isUntouched();
    },
  );

  test('and who ended a deployment is not told', async () => {
    await terrain.says('database', commit, /[Cc]ancelled/);

    await isUntouched();
  });
});

describe('what a worker is said to have answered', () => {
  test('is no plan that anybody is shown, and none that is applied', async () => {
    const commit = await terrain.push('dns', 'never-planned', { planSeconds: PLANNED_LATE_S });
    await terrain.planBegins(commit);
    const { externalId } = await terrain.seen('dns', commit, 'a deployment', () => true);
    const { deployment } = await courier.inputOf(externalId);
    const made = { hasChanges: false, digest: '0'.repeat(64), summary: { ...NO_CHANGES, resources: [], omitted: 0 } };
    const plan = madeUp({ version: 1, deploymentId: externalId, order: deployment.order, ...made });

    await attempt('forged', () =>
      courier.complete(externalId, 'claimAndPlan', answerOf(target, { kind: 'planned', plan })),
    );

    await terrain.says('dns', commit, /no permission to apply/);
    await isUntouched();
  });

  test('is no reason why a plan failed', async () => {
    const commit = await terrain.push('dns', 'said-to-fail', { planSeconds: PLANNED_LATE_S });
    await terrain.planBegins(commit);
    const { externalId } = await terrain.seen('dns', commit, 'a deployment', () => true);
    const { deployment } = await courier.inputOf(externalId);
    const of = { version: 1, deploymentId: externalId, order: deployment.order };
    const failure = madeUp({ ...of, summary: `Ask @${CAROL}`, lines: ['It went well'] });

    await attempt('forged', () =>
      courier.complete(externalId, 'claimAndPlan', answerOf(target, { kind: 'failed', failure })),
    );

    await terrain.says('dns', commit, /no host of this installation signed why/);
    await isUntouched();
  });

  test('is no end of an apply: nobody knows it until its host has signed it', async () => {
    const commit = await terrain.push('dns', 'held', { isHeld: true });
    await terrain.applyBegins('held');
    const { externalId } = await terrain.seen('dns', commit, 'a deployment', () => true);
    const counts = { added: 0, changed: 0, destroyed: 0, imported: 0 };
    const { deployment } = await courier.inputOf(externalId);
    const of = { version: 1, deploymentId: externalId, jobId: 'made-up', order: deployment.order };
    const proof = madeUp({ ...of, kind: 'applied', counts });

    await attempt('forged', () => courier.complete(externalId, 'applyOnHost', { kind: 'applied', counts, proof }));

    await terrain.says('dns', commit, /unknown/i);
    await terrain.letEnd('held');
    await terrain.applyEnds('held');
    await isUntouched(['held']);
  });
});

test('a workflow that somebody resets applies nothing once more', async () => {
  const [applied] = terrain.stack.github.checkRuns(SAMPLE_NAME).filter(({ name }) => name === 'nereid/deploy: dns');

  await courier.reset(applied?.externalId ?? '');

  await isUntouched(['held']);
});

test('the audit trail names what was forged', async () => {
  await until('the audit trail to name what was forged most', async () => {
    const kinds = new Set((await trail()).map(({ forged: kind }) => kind));
    return ['event/github', 'order/deploy', 'decision/review', 'result/outcome'].every((kind) => kinds.has(kind));
  });
});
