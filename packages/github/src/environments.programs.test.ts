/** What is deployed where, held against GitHub's own description by the stand-in. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Repository } from '@nereid/domain/root';
import type { EnvironmentDeployment } from '@nereid/forge';
import { makeAppKey, startGitHub, type GitHubStandIn } from '@nereid/github-stand-in';
import { folderOfEachTest } from '@nereid/test-kit/folders';
import type { CountedRequest } from './client/counted-requests.ts';
import { createGitHub, type GitHub } from './github.ts';

const FULL_NAME = 'acme/infra';
const APP_ID = 7;
const { privateKey } = makeAppKey();

const folder = folderOfEachTest();
let standIn: GitHubStandIn;
let github: GitHub;
let repository: Repository;
let requests: string[];

beforeEach(async () => {
  standIn = await startGitHub({
    dataDir: folder,
    app: { id: APP_ID, slug: 'nereid', key: privateKey },
  });
  const { installationId } = await standIn.createRepository({
    owner: 'acme',
    name: 'infra',
    files: { 'main.tf': '' },
    collaborators: {},
  });
  repository = { owner: 'acme', name: 'infra', installationId };
  requests = [];
  const onRequest = ({ route }: CountedRequest) => void requests.push(route);
  github = createGitHub({ appId: APP_ID, privateKey, apiUrl: standIn.apiUrl, retryBaseMs: 1, onRequest });
});

afterEach(() => standIn.close());

async function a(state: EnvironmentDeployment['state'], id = 'd1'): Promise<EnvironmentDeployment> {
  const url = `https://nereid.example.org/deployments/${id}`;
  return { id, sha: await standIn.headOf(FULL_NAME), environment: 'prod/network', state, sentence: 'Applying', url };
}

const statesOf = () => standIn.deployments(FULL_NAME).map(({ statuses }) => statuses.map(({ state }) => state));

test('an apply costs a read and three writes, whatever the checks of its commit say', async () => {
  const headSha = await standIn.headOf(FULL_NAME);
  const check = { name: 'nereid/deploy: network', externalId: 'd1', title: 'Applying', summary: '', actions: [] };
  await github.status.create(repository, { ...check, headSha, status: 'in_progress' });
  requests = [];

  const number = await github.environments.show(repository, await a('in_progress'), undefined);
  await github.environments.show(repository, await a('success'), number);

  expect(standIn.deployments(FULL_NAME)).toMatchObject([
    {
      sha: headSha,
      environment: 'prod/network',
      payload: { nereid: 'd1' },
      statuses: [
        { state: 'in_progress', logUrl: 'https://nereid.example.org/deployments/d1' },
        { state: 'success', description: 'Applying' },
      ],
    },
  ]);
  expect(requests.filter((route) => route.includes('/deployments'))).toEqual([
    'GET /repos/{owner}/{repo}/deployments',
    'POST /repos/{owner}/{repo}/deployments',
    'POST /repos/{owner}/{repo}/deployments/{deployment_id}/statuses',
    'POST /repos/{owner}/{repo}/deployments/{deployment_id}/statuses',
  ]);
  standIn.assertNoRefusedRequests();
});

test('a success ends the one before it in the same environment', async () => {
  await github.environments.show(repository, await a('success', 'd1'), undefined);
  await github.environments.show(repository, await a('success', 'd2'), undefined);

  expect(statesOf()).toEqual([['success', 'inactive'], ['success']]);
});

test('a create whose answer was lost is not repeated', async () => {
  standIn.faults.add({ kind: 'lost answer', route: /^POST .*\/deployments$/, times: 1 });

  await expect(github.environments.show(repository, await a('in_progress'), undefined)).rejects.toThrow('no answer');
  await github.environments.show(repository, await a('in_progress'), undefined);

  expect(statesOf()).toEqual([['in_progress']]);
});

test('a deployment that has ended is not in progress again, though its beginning is sent later', async () => {
  await github.environments.show(repository, await a('success'), undefined);
  await github.environments.show(repository, await a('in_progress'), undefined);

  expect(statesOf()).toEqual([['success']]);
});

test('a run that waits is answered by its number, and GitHub says when it does not wait any more', async () => {
  const sha = await standIn.headOf(FULL_NAME);
  const { id: runId } = standIn.startWorkflowRun(FULL_NAME, { environment: 'prod/eu', sha, by: 'ada' });
  const answer = { runId, environment: 'prod/eu', comment: 'Waits for network.' } as const;

  await github.environments.answerRun(repository, answer);
  await github.environments.answerRun(repository, { ...answer, state: 'approved', comment: 'Applied.' });

  expect(standIn.workflowRuns(FULL_NAME)).toMatchObject([
    { state: 'approved', comments: ['Waits for network.', 'Applied.'] },
  ]);
  standIn.assertNoRefusedRequests();
  await expect(github.environments.answerRun(repository, answer)).rejects.toMatchObject({ status: 422 });
});

test('a run is over once it was cancelled, and not any more once it is started again', async () => {
  const sha = await standIn.headOf(FULL_NAME);
  const { id } = standIn.startWorkflowRun(FULL_NAME, { environment: 'prod', sha, by: 'ada' });
  const isOver = (runId = id) => github.environments.isRunOver(repository, runId);

  expect(await isOver()).toBe(false);
  standIn.cancelWorkflowRun(id);
  expect(await isOver()).toBe(true);
  standIn.rerunWorkflowRun(id, 'ada');
  expect(await isOver()).toBe(false);
  standIn.assertNoRefusedRequests();
  expect(await isOver(1)).toBe(true);
});
