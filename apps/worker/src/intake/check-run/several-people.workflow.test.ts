/** Presses on a plan that several people have to confirm. */
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import type { PlanReview } from '@nereid/domain/plan';
import type { Signed } from '@nereid/domain/signed';
import { aDeployment, aPlan } from '@nereid/domain/testing';
import { testSignatures } from '../../testing/test-signatures.ts';
import { intakeStageOfThisFile } from '../testing/intake-stage.ts';
import type { StagedDeployment } from '../testing/staged-deployment.ts';
import { BACKEND } from '../testing/staged-repository.ts';

const stage = intakeStageOfThisFile();

afterEach(() => {
  stage.standIn.faults.clear();
  stage.standIn.assertNoRefusedRequests();
});

/** The plan of a root that waits, with teams of their own. */
async function aReview(rootName: string, eachOf?: readonly string[]) {
  const infra = await stage.repository({ 'network/main.tf': BACKEND });
  const deployment = await stage.deployment();
  const waiting = aDeployment({ status: 'awaiting-review', plan: aPlan() });
  const review = eachOf && { count: 2, eachOf };
  const root = { ...waiting.root, name: rootName, dir: rootName, ...(review && { review }) };
  const revision = { ...waiting.revision, sha: await infra.head() };
  return { infra, deployment, checkRun: await infra.review({ ...waiting, id: deployment.id, root, revision }) };
}

/** The teams of each answer that the deployment heard, by its person. */
async function heardBy(deployment: StagedDeployment): Promise<readonly (readonly [string, unknown])[]> {
  const signals = await deployment.signals();
  return Promise.all(
    signals.map(async ([, message]) => {
      const review = message as Signed<PlanReview>; // What was sent.
      const { body } = await testSignatures.open('decision/review', review, { deploymentId: deployment.id });
      return [body.by, body.teams] as const;
    }),
  );
}

test('an answer is signed with those of the teams of which its person is a member', async () => {
  stage.standIn.setTeam('acme', 'sre', ['ada']);
  stage.standIn.setTeam('acme', 'dba', ['ada', 'rea']);
  const { infra, deployment, checkRun } = await aReview('paired');

  await stage.deliver(infra.presses(checkRun, 'confirm', 'ada'));
  await stage.deliver(infra.presses(checkRun, 'confirm', 'wim'));

  expect(await heardBy(deployment)).toEqual([
    ['ada', ['acme/sre', 'acme/dba']],
    ['wim', []],
  ]);
});

describe('an answer of which only the login is known', () => {
  const ids = async (deployment: StagedDeployment) =>
    (await deployment.signals()).map(([, message]) => (message as Signed<PlanReview>).body.byId); // What was sent.

  test("is signed with the forge's id, which a person keeps under another login", async () => {
    const { infra, deployment, checkRun } = await aReview('paired');
    const id = await stage.context.forge.people.idOf(infra.repository, 'ada');

    await stage.deliver(infra.presses(checkRun, 'confirm', 'ada'));

    expect(id).toEqual(expect.any(Number));
    expect(await ids(deployment)).toEqual([id]);
  });

  test('is refused where the forge knows nobody of that name', async () => {
    const idOf = jest.spyOn(stage.context.forge.people, 'idOf').mockResolvedValue(undefined);
    const { infra, deployment, checkRun } = await aReview('paired');

    const result = await stage.deliver(infra.presses(checkRun, 'confirm', 'ada'));

    idOf.mockRestore();
    expect(result).toMatchObject({ kind: 'refused', sentence: expect.stringContaining('knows nobody called @ada') });
    expect(await deployment.signals()).toEqual([]);
  });

  test('is signed as it is where one person is enough', async () => {
    const { infra, deployment, checkRun } = await aReview('network');

    await stage.deliver(infra.presses(checkRun, 'confirm', 'ada'));

    expect(await ids(deployment)).toEqual([undefined]);
  });
});

test('the teams of the order count as well as those of the file', async () => {
  stage.standIn.setTeam('acme', 'ops', ['ada']);
  const { infra, deployment, checkRun } = await aReview('network', ['acme/ops']);

  await stage.deliver(infra.presses(checkRun, 'confirm', 'ada'));

  expect(await heardBy(deployment)).toEqual([['ada', ['acme/ops']]]);
});

test('a member of a team who may not confirm is refused', async () => {
  stage.standIn.setTeam('acme', 'sre', ['rea']);
  const { infra, deployment, checkRun } = await aReview('paired');

  const result = await stage.deliver(infra.presses(checkRun, 'confirm', 'rea'));

  expect(result).toMatchObject({ kind: 'refused', sentence: expect.stringContaining('@rea may not confirm this') });
  expect(await deployment.signals()).toEqual([]);
});

test('where no team is asked for, none is signed', async () => {
  const { infra, deployment, checkRun } = await aReview('network');

  await stage.deliver(infra.presses(checkRun, 'confirm', 'ada'));

  expect(await heardBy(deployment)).toEqual([['ada', undefined]]);
});
