import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { aGitHub, REPOSITORY, type AGitHub } from '../fixtures/a-github.ts';
import { at } from '../fixtures/at.ts';

let world: AGitHub;
let runId: number;

beforeEach(async () => {
  world = await aGitHub();
  const sha = await world.github.headOf(REPOSITORY);
  runId = world.github.startWorkflowRun(REPOSITORY, { environment: 'production', sha, by: 'wim' }).id;
});

afterEach(async () => {
  await world[Symbol.asyncDispose]();
});

const answer = (body: object, id = runId) =>
  world.api('POST', `/repos/${REPOSITORY}/actions/runs/${id}/deployment_protection_rule`, {
    environment_name: 'production',
    ...body,
  });

const status = async () => (await world.api('GET', `/repos/${REPOSITORY}/actions/runs/${runId}`)).body;

const run = () => world.github.workflowRuns(REPOSITORY)[0];

test('a run asks the App before it deploys to a protected environment', async () => {
  await world.github.settled();
  const [asked] = world.receiver.received('deployment_protection_rule.requested');

  expect(asked?.payload).toMatchObject({
    environment: 'production',
    deployment: { sha: await world.github.headOf(REPOSITORY) },
    repository: { full_name: REPOSITORY },
    sender: { login: 'wim' },
  });
  expect(at(asked?.payload, 'deployment_callback_url')).toMatch(
    new RegExp(`/repos/${REPOSITORY}/actions/runs/${runId}/deployment_protection_rule$`),
  );
});

test('it waits on with a comment alone, and goes with a state', async () => {
  expect(await answer({ comment: 'Waits for network.' })).toMatchObject({ status: 204 });
  expect(run()).toMatchObject({ state: 'waiting', comments: ['Waits for network.'] });

  expect(await answer({ state: 'approved', comment: 'Applied.' })).toMatchObject({ status: 204 });
  expect(run()).toMatchObject({ state: 'approved', comments: ['Waits for network.', 'Applied.'] });
});

test('a run is answered once, and none that was cancelled', async () => {
  await answer({ state: 'rejected' });
  expect(await answer({ state: 'approved' })).toMatchObject({ status: 422 });

  const sha = await world.github.headOf(REPOSITORY);
  const { id } = world.github.startWorkflowRun(REPOSITORY, { environment: 'production', sha, by: 'wim' });
  world.github.cancelWorkflowRun(id);
  expect(await answer({ state: 'approved' }, id)).toMatchObject({ status: 422 });
});

test('a run that is started again keeps its number, and asks for another deployment', async () => {
  const before = run()?.deploymentId;
  world.github.cancelWorkflowRun(runId);
  expect(await status()).toMatchObject({ status: 'completed', conclusion: 'cancelled', run_attempt: 1 });

  world.github.rerunWorkflowRun(runId, 'wim');
  await world.github.settled();

  expect(await status()).toMatchObject({ status: 'waiting', conclusion: null, run_attempt: 2 });
  const asked = world.receiver.received('deployment_protection_rule.requested').map(({ payload }) => payload);
  expect(at(asked[1], 'deployment_callback_url')).toBe(at(asked[0], 'deployment_callback_url'));
  expect(Number(at(asked[1], 'deployment', 'id'))).toBeGreaterThan(Number(at(asked[0], 'deployment', 'id')));
  expect(run()?.deploymentId).not.toBe(before);
});

test('an answer about another environment or run is refused', async () => {
  expect(await answer({ environment_name: 'staging', state: 'approved' })).toMatchObject({ status: 422 });
  expect(await answer({ state: 'approved' }, 1)).toMatchObject({ status: 404 });
  expect(run()).toMatchObject({ state: 'waiting' });
});

test('GitHub takes ten comments that decide nothing, and none that is too long', async () => {
  for (let count = 0; count < 10; count += 1) await answer({ comment: 'Waits.' });

  expect(await answer({ comment: 'Waits.' })).toMatchObject({ status: 422 });
  expect(await answer({ state: 'approved', comment: 'x'.repeat(1_025) })).toMatchObject({ status: 422 });
  expect(await answer({ state: 'approved', comment: 'Applied.' })).toMatchObject({ status: 204 });
});
