import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Repository } from '@nereid/domain/root';
import { makeAppKey, startGitHub, type GitHubStandIn } from '@nereid/github-stand-in';
import { folderOfThisFile } from '@nereid/test-kit/folders';
import { createGitHub, type GitHub } from './github.ts';

const FULL_NAME = 'acme/infra';
const BUTTON = { label: 'Unlock', description: 'Unlocks it', identifier: 'unlock' };
const LONG_AGO = '2020-01-01T00:00:00.000Z';

const folder = folderOfThisFile();
let standIn: GitHubStandIn;
let github: GitHub;
let repository: Repository;
let head: string;

beforeAll(async () => {
  const { privateKey } = makeAppKey();
  standIn = await startGitHub({
    dataDir: folder,
    app: { id: 7, slug: 'nereid', key: privateKey },
  });
  const collaborators = { wim: 'write' } as const;
  const { installationId } = await standIn.createRepository({
    owner: 'acme',
    name: 'infra',
    files: { 'main.tf': '' },
    collaborators,
  });
  repository = { owner: 'acme', name: 'infra', installationId };
  head = await standIn.headOf(FULL_NAME);
  github = createGitHub({ appId: 7, privateKey, apiUrl: standIn.apiUrl, retryBaseMs: 1 });
});

afterAll(async () => {
  standIn.assertNoRefusedRequests();
  await standIn.close();
});

async function pressed() {
  const { id } = await github.status.create(repository, {
    name: 'nereid/deploy: network',
    headSha: head,
    externalId: 'd1',
    status: 'completed',
    conclusion: 'action_required',
    title: 'Waiting',
    summary: 'Waiting for a person.',
    actions: [BUTTON],
  });
  standIn.pressButton(id, BUTTON.identifier, 'wim');
  await standIn.settled();
  const guid = standIn.deliveries().findLast(({ action }) => action === 'requested_action')?.guid ?? '';
  return { id, guid };
}

test('a press is found by the id of its webhook, with all that says what was pressed, where, and by whom', async () => {
  const { id, guid } = await pressed();

  expect(await github.buttons.findPress(guid, LONG_AGO)).toEqual({
    repository: FULL_NAME,
    installationId: repository.installationId,
    checkRunId: id,
    checkRunName: 'nereid/deploy: network',
    headSha: head,
    externalId: 'd1',
    identifier: 'unlock',
    sender: 'wim',
    senderId: expect.any(Number),
  });
});

test('a webhook that tells of something else is no press', async () => {
  const guid = standIn.deliveries().find(({ action }) => action !== 'requested_action')?.guid ?? '';

  expect(guid).not.toBe('');
  expect(await github.buttons.findPress(guid, LONG_AGO)).toBeUndefined();
});

test('an id that GitHub never used is no press', async () => {
  expect(await github.buttons.findPress('0f5b1f60-0000-11ef-8000-000000000000', LONG_AGO)).toBeUndefined();
});

test('nothing is looked for that is older than asked', async () => {
  const { guid } = await pressed();

  expect(await github.buttons.findPress(guid, '2999-01-01T00:00:00.000Z')).toBeUndefined();
});
