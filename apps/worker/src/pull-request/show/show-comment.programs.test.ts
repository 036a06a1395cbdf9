import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { KeptComment } from '@nereid/domain/pull-request';
import type { Repository } from '@nereid/domain/root';
import { createGitHub, type GitHub } from '@nereid/github';
import { folderOfThisFile } from '@nereid/test-kit/folders';
import type { PullRequestSubject } from '@nereid/texts';
import { makeAppKey, startGitHub, type GitHubStandIn } from '@nereid/github-stand-in';
import { createPullRequestRecords, openObjectStore, type ObjectStore, type PullRequestRecords } from '@nereid/storage';
import { showComment, type CommentToShow } from './show-comment.ts';

const FULL_NAME = 'acme/infra';

const folder = folderOfThisFile();
let standIn: GitHubStandIn;
let github: GitHub;
let repository: Repository;
let store: ObjectStore;
let pullRequestRecords: PullRequestRecords;

beforeAll(async () => {
  const { privateKey } = makeAppKey();
  standIn = await startGitHub({
    dataDir: join(folder, 'github'),
    app: { id: 7, slug: 'nereid', key: privateKey },
  });
  const { installationId } = await standIn.createRepository({
    ...{ owner: 'acme', name: 'infra', files: { 'main.tf': '' }, collaborators: { carol: 'write' } },
  });
  repository = { owner: 'acme', name: 'infra', installationId };
  github = createGitHub({ appId: 7, privateKey, apiUrl: standIn.apiUrl, retryBaseMs: 1 });
  store = await openObjectStore(`file:${join(folder, 'storage')}`);
  pullRequestRecords = createPullRequestRecords(store);
});

afterEach(() => {
  standIn.assertNoRefusedRequests();
  standIn.faults.clear();
});

afterAll(async () => {
  store.close();
  await standIn.close();
});

/** A subject whose comment is due; another title is another content. */
const saying = (title: string, headSha = 'a'.repeat(40)): PullRequestSubject => ({
  headSha,
  externalId: 'acme/infra#1',
  detailsUrl: 'https://console.example/pulls/acme/infra/1',
  previews: [],
  verdict: { conclusion: 'failure', title, lines: [] },
});

/** A pull request of carol that was looked at, and what shows its comment. */
async function aPullRequest(branch: string) {
  const change = { repository: FULL_NAME, author: 'carol' };
  await standIn.commit({ ...change, branch, files: { [`${branch}.tf`]: '#' }, message: branch });
  const { number } = await standIn.openPullRequest({ ...change, title: branch, head: branch });
  const record = () => pullRequestRecords.read(repository, { number });
  const store = (comment?: KeptComment) =>
    pullRequestRecords.change(repository, { number }, () => {
      return { version: 1, repository, number, checkRuns: [], ...(comment && { comment }) };
    });
  await store();
  return {
    number,
    store,
    comment: async () => (await record())?.comment,
    /** As the next activity does it. */
    show: async (subject: PullRequestSubject, more: Partial<CommentToShow> = {}) => {
      const comment = (await record())?.comment;
      const signal = new AbortController().signal;
      const request = { repository, number, mode: 'changes', subject, comment, signal, ...more } as const;
      await showComment({ forge: github, pullRequestRecords }, request);
    },
    /** The first lines of all comments. */
    comments: () => commentsOf(number).map(({ body }) => body.split('\n')[0]),
    delete: () => {
      for (const { id } of commentsOf(number)) standIn.deleteComment({ repository: FULL_NAME, number }, id, 'carol');
    },
  };
}

function commentsOf(number: number) {
  return standIn.comments({ repository: FULL_NAME, number });
}

/** So that nobody waits for the pause between two writes. */
async function longAgo({ comment, store }: Awaited<ReturnType<typeof aPullRequest>>): Promise<void> {
  const known = await comment();
  if (known === undefined || known.state === 'deleted') throw new Error('expected a comment');
  await store({ ...known, at: '2026-01-31T14:00:00.000Z' });
}

describe('the comment on a pull request', () => {
  test('is written once, then updated, and not written when it says the same', async () => {
    const pull = await aPullRequest('once');

    await pull.show(saying('first'));
    await longAgo(pull);
    await pull.show(saying('second'));
    const [{ updatedAt } = { updatedAt: '' }] = commentsOf(pull.number);
    standIn.faults.add({ kind: 'failure', status: 502, route: /comments/ });
    await pull.show(saying('second'));

    expect(pull.comments()).toEqual(['### second']);
    expect(commentsOf(pull.number)[0]?.updatedAt).toBe(updatedAt);
  });

  test('is written once, though nobody heard that it was', async () => {
    const pull = await aPullRequest('lost-answer');
    standIn.faults.add({ kind: 'lost answer', route: /^POST .*comments/, times: 1 });

    await expect(pull.show(saying('first'))).rejects.toMatchObject({ code: 'FORGE_UNAVAILABLE' });
    await pull.show(saying('second'));

    expect(pull.comments()).toEqual(['### second']);
    expect(await pull.comment()).toMatchObject({ state: 'written', id: commentsOf(pull.number)[0]?.id });
  });

  test('is written once by two workers', async () => {
    const pull = await aPullRequest('two-workers');

    const both = await Promise.allSettled([pull.show(saying('first')), pull.show(saying('first'))]);
    await pull.show(saying('first'));

    expect(both.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThanOrEqual(1);
    expect(pull.comments()).toEqual(['### first']);
  });

  test('is not written while another worker may be writing it, and is once that is over', async () => {
    const pull = await aPullRequest('claimed');
    const claim = { state: 'claimed', claim: 'of another', at: new Date().toISOString() } as const;
    await pull.store(claim);

    await expect(pull.show(saying('first'))).rejects.toMatchObject({ type: 'NOT_SHOWN', nextRetryDelay: 10_000 });
    expect(pull.comments()).toEqual([]);
    await longAgo(pull);
    await pull.show(saying('first'));

    expect(pull.comments()).toEqual(['### first']);
  });

  test('is tried again at once after GitHub has refused it', async () => {
    const pull = await aPullRequest('refused');
    standIn.faults.add({ kind: 'refusal', status: 403, route: /^POST .*comments/, times: 1 });

    await expect(pull.show(saying('first'))).rejects.toMatchObject({ code: 'FORGE_REFUSED' });
    expect(await pull.comment()).toBeUndefined();
    await pull.show(saying('first'));

    expect(pull.comments()).toEqual(['### first']);
  });

  test('is found again when its record is younger', async () => {
    const pull = await aPullRequest('no-record');
    await pull.show(saying('first'));
    await pull.store();

    await pull.show(saying('second'));

    expect(pull.comments()).toEqual(['### second']);
  });

  test('of a person who copied its mark stays as it is', async () => {
    const pull = await aPullRequest('copied');
    await pull.show(saying('first'));
    const [{ body } = { body: '' }] = commentsOf(pull.number);
    pull.delete();
    standIn.comment({ repository: FULL_NAME, number: pull.number }, 'carol', body);
    await pull.store();

    await pull.show(saying('second'));

    expect(pull.comments()).toEqual(['### first', '### second']);
  });

  test('stays deleted until there is a new head', async () => {
    const pull = await aPullRequest('deleted');
    await pull.show(saying('first'));
    await longAgo(pull);
    pull.delete();

    await pull.show(saying('second'));
    await pull.show(saying('third'));
    const ofThatHead = pull.comments();
    await pull.show(saying('fourth', 'b'.repeat(40)));

    expect(ofThatHead).toEqual([]);
    expect(pull.comments()).toEqual(['### fourth']);
  });

  test('that was deleted before a push is written for the new head', async () => {
    const pull = await aPullRequest('deleted-before');
    await pull.show(saying('first'));
    await longAgo(pull);
    pull.delete();

    await pull.show(saying('second', 'b'.repeat(40)));

    expect(pull.comments()).toEqual(['### second']);
  });
});

describe('whether there is one', () => {
  const nothing: PullRequestSubject = {
    ...saying(''),
    verdict: { conclusion: 'success', title: 'Touches no root', lines: [] },
  };

  test('is said by the repository’s setting', async () => {
    const pull = await aPullRequest('settings');

    await pull.show(saying('first'), { mode: 'off' });
    await pull.show(nothing);
    const before = pull.comments();
    await pull.show(nothing, { mode: 'always' });

    expect(before).toEqual([]);
    expect(pull.comments()).toEqual(['### Touches no root']);
  });

  test('does not change once there is one: it is kept up to date', async () => {
    const pull = await aPullRequest('kept');
    await pull.show(saying('first'));
    await longAgo(pull);

    await pull.show(nothing);

    expect(pull.comments()).toEqual(['### Touches no root']);
  });
});
