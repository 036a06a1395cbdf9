import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { folderOfThisFile } from '@nereid/test-kit/folders';
import { aGitHub, REPOSITORY, type AGitHub } from '../fixtures/a-github.ts';
import { at } from '../fixtures/at.ts';
import { git } from '../fixtures/git-client.ts';

let world: AGitHub;
const directory = folderOfThisFile();
let url: string;

beforeAll(async () => {
  world = await aGitHub();
  url = `${world.github.url}/${REPOSITORY}.git`;
});

afterAll(async () => {
  await world[Symbol.asyncDispose]();
});

describe('cloning', () => {
  test('without a token is refused', async () => {
    const clone = git(directory, ['clone', url, 'nobody']);

    await expect(clone).rejects.toThrow(/terminal prompts disabled|Authentication failed/);
  });

  test('with a token that was never minted is refused', async () => {
    const clone = git(directory, ['clone', url, 'invented'], 'ghs_invented');

    await expect(clone).rejects.toThrow(/terminal prompts disabled|Authentication failed/);
  });

  test('with an installation token brings the files', async () => {
    await git(directory, ['clone', url, 'whole'], await world.installationToken());

    expect(await readFile(join(directory, 'whole/README.md'), 'utf8')).toBe('# infra\n');
  });

  test('with a token for another repository finds nothing', async () => {
    const { github } = world;
    await github.createRepository({ owner: 'acme', name: 'other', files: { a: 'a' }, collaborators: { ada: 'admin' } });
    const token = await world.installationToken({ repositories: ['other'] });

    const clone = git(directory, ['clone', url, 'elsewhere'], token);

    await expect(clone).rejects.toThrow(/not found/);
  });

  test('with a token that lacks the contents permission finds nothing', async () => {
    const token = await world.installationToken({ permissions: { checks: 'write' } });

    const clone = git(directory, ['clone', url, 'unpermitted'], token);

    await expect(clone).rejects.toThrow(/not found/);
  });

  test('without blobs leaves the blobs out', async () => {
    const token = await world.installationToken();

    await git(directory, ['clone', '--bare', '--filter=blob:none', url, 'blobless'], token);

    const missing = ['rev-list', '--objects', '--all', '--missing=print'];
    const objects = await git(join(directory, 'blobless'), missing);
    expect(objects.split('\n').filter((line) => line.startsWith('?'))).toHaveLength(2);
  });

  test('can fetch a commit that no branch points at any more', async () => {
    const { github } = world;
    const token = await world.installationToken();
    const before = await github.headOf(REPOSITORY);
    const lost = await github.commit({
      repository: REPOSITORY,
      branch: 'lost',
      files: { l: '' },
      message: 'l',
      author: 'wim',
    });
    await github.forcePush({ repository: REPOSITORY, branch: 'lost', to: before, by: 'wim' });

    await git(join(directory, 'blobless'), ['fetch', url, lost], token);

    expect(await git(join(directory, 'blobless'), ['cat-file', '-t', lost])).toBe('commit');
  });
});

describe('pushing', () => {
  test('as a person who may write sends a push webhook with the commits', async () => {
    const { github, receiver } = world;
    const token = github.personToken('wim');
    await git(directory, ['clone', url, 'mine'], token);
    await writeFile(join(directory, 'mine/new.tf'), '# new\n');
    await git(join(directory, 'mine'), ['add', '.']);
    await git(join(directory, 'mine'), ['commit', '-m', 'New file']);
    const before = await github.headOf(REPOSITORY);

    await git(join(directory, 'mine'), ['push', 'origin', 'main'], token);

    const after = await git(join(directory, 'mine'), ['rev-parse', 'HEAD']);
    const push = await github.waitFor(
      () => receiver.received('push').find(({ payload }) => at(payload, 'after') === after),
      { what: 'a push webhook', deadlineMs: 120_000 },
    );
    expect(push.payload).toMatchObject({
      ref: 'refs/heads/main',
      before,
      forced: false,
      sender: { login: 'wim' },
      commits: [{ id: after, added: ['new.tf'], modified: [], removed: [] }],
    });
  });

  test('as a person who may only read is refused', async () => {
    const token = world.github.personToken('rea');

    const push = git(join(directory, 'mine'), ['push', 'origin', 'main:refused'], token);

    await expect(push).rejects.toThrow(/403/);
  });

  test('as the App is refused: its permission is to read', async () => {
    const token = await world.installationToken();

    const push = git(join(directory, 'mine'), ['push', 'origin', 'main:refused'], token);

    await expect(push).rejects.toThrow(/403/);
  });

  test('to a branch of a merge queue is refused', async () => {
    const token = world.github.personToken('ada');

    const push = git(join(directory, 'mine'), ['push', 'origin', 'main:gh-readonly-queue/main/pr-1-mine'], token);

    await expect(push).rejects.toThrow(/deny updating a hidden ref/);
  });
});
