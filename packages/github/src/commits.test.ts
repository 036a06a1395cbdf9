import { beforeEach, expect, test } from '@jest/globals';
import type { Commits } from '@nereid/forge';
import type { Octokit } from '@octokit/core';
import type { Clients } from './client/clients.ts';
import { createCommits } from './commits.ts';

const INFRA = { owner: 'acme', name: 'infra', installationId: 1 };
const HEAD = 'a'.repeat(40);
const WIM = { login: 'wim', id: 7, type: 'User' };
const ADA = { login: 'ada', id: 8, type: 'User' };

/** Of the pull requests that have the commit. */
let pulls: readonly { readonly merged: boolean }[];
let commitsRead: number;
let commits: Omit<Commits, 'compare'>;

beforeEach(() => {
  pulls = [{ merged: false }];
  commitsRead = 0;
  const octokit = { request: (route: string) => Promise.resolve({ data: answerTo(route), headers: {} }) };
  const ask: Clients['ask'] = (_repository, _what, conversation) => conversation(octokit as unknown as Octokit);
  commits = createCommits({ ask } as Clients); // Nothing else of it is used.
});

function answerTo(route: string): object {
  const person = { email: 'wim@example.com' };
  const commit = { sha: HEAD, author: WIM, committer: WIM, commit: { message: '', author: person, committer: person } };
  switch (route) {
    case 'GET /repos/{owner}/{repo}/commits/{ref}':
      commitsRead += 1;
      return { ...commit, parents: [{ sha: 'b'.repeat(40) }] };
    case 'GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls':
      return pulls.map((_pull, index) => ({ number: index }));
    case 'GET /repos/{owner}/{repo}/pulls/{pull_number}': {
      const merged = pulls.every((pull) => pull.merged);
      const repo = { id: 1 };
      const head = { ref: 'wim/bucket', sha: HEAD, repo };
      const base = { ref: 'main', sha: 'b'.repeat(40), repo };
      return { user: WIM, merged_by: merged ? ADA : null, merged, head, base };
    }
    default:
      return [commit];
  }
}

test.each([
  ['with an open pull request', [{ merged: false }]],
  ['without a pull request that GitHub knows', []],
])('who merged a commit is known at once, although it was asked about %s a moment ago', async (_when, before) => {
  pulls = before;
  expect(await commits.contributors(INFRA, HEAD)).toMatchObject({ mergedInto: [] });
  pulls = [{ merged: true }];

  expect(await commits.contributors(INFRA, HEAD)).toMatchObject({
    people: [{ login: 'wim' }, { login: 'ada' }],
    mergedInto: ['main'],
  });
});

test('a person who confirms twenty plans at once is served by one answer', async () => {
  await Promise.all(Array.from({ length: 20 }, () => commits.contributors(INFRA, HEAD)));

  expect(commitsRead).toBe(1);
});

test('a person who confirms one plan of a merged commit after the other is served by one answer', async () => {
  pulls = [{ merged: true }];
  for (let plan = 0; plan < 3; plan += 1) await commits.contributors(INFRA, HEAD);

  expect(commitsRead).toBe(1);
});
