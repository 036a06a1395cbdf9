import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { aGitHub, REPOSITORY, type AGitHub } from './fixtures/a-github.ts';
import { at } from './fixtures/at.ts';
import { startGitHub } from './start-github.ts';

let world: AGitHub;

beforeEach(async () => {
  world = await aGitHub();
});

afterEach(async () => {
  await world[Symbol.asyncDispose]();
});

test('a second start continues where the first one ended', async () => {
  const { github, options } = world;
  const sha = await github.headOf(REPOSITORY);
  const { body } = await world.api('POST', `/repos/${REPOSITORY}/check-runs`, { name: 'kept', head_sha: sha });
  await github.close();

  const again = await startGitHub(options);

  expect(again.checkRuns(REPOSITORY, sha)).toMatchObject([{ id: at(body, 'id'), name: 'kept' }]);
  expect(await again.headOf(REPOSITORY)).toBe(sha);
  await again.close();
});

test('a repository of ten thousand files is written at once', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 10_000 }, (_, index) => [`roots/${index}/main.tf`, `# ${index}\n`]),
  );
  const collaborators = { ada: 'admin' } as const;

  await world.github.createRepository({ owner: 'acme', name: 'large', files, collaborators });

  expect(await world.github.headOf('acme/large')).toMatch(/^[\da-f]{40}$/);
});

test('waiting for something that does not happen says what was waited for', async () => {
  const waiting = world.github.waitFor(() => undefined, { what: 'a miracle', deadlineMs: 10 });

  await expect(waiting).rejects.toThrow(/a miracle was expected within 10 ms/);
});

test('every answer of the API is what GitHub describes', async () => {
  const { github } = world;
  const repo = `/repos/${REPOSITORY}`;
  const sha = await github.commit({
    repository: REPOSITORY,
    branch: 'f',
    files: { f: 'f' },
    message: 'f',
    author: 'wim',
  });
  const { number } = await github.openPullRequest({ repository: REPOSITORY, title: 'F', head: 'f', author: 'wim' });
  await github.approve({ repository: REPOSITORY, number }, 'max');
  github.setTeam('acme', 'platform', ['wim']);
  const write = async (path: string, body: unknown) => at((await world.api('POST', path, body)).body, 'id');
  const run = await write(`${repo}/check-runs`, { name: 'c', head_sha: sha, conclusion: 'success' });
  const comment = await write(`${repo}/issues/${number}/comments`, { body: 'Hello' });
  await write(`${repo}/issues/comments/${String(comment)}/reactions`, { content: 'eyes' });
  const deployment = await write(`${repo}/deployments`, { ref: 'main' });
  await write(`${repo}/deployments/${String(deployment)}/statuses`, { state: 'success' });
  const suite = github.checkRuns(REPOSITORY, sha)[0]?.suiteId ?? 0;
  await github.settled();
  const delivery = github.deliveries()[0]?.id ?? 0;

  const asInstallation = [
    ...['', '/branches', '/branches/main', '/commits', '/commits/f', `/commits/${sha}/pulls`, '/compare/main...f'],
    ...[`/commits/${sha}/check-runs`, `/commits/${sha}/check-suites`, `/check-runs/${String(run)}`],
    ...[`/check-suites/${suite}`, `/check-suites/${suite}/check-runs`, '/collaborators/max/permission'],
    ...['', '/files', '/commits', '/reviews'].map((part) => `/pulls/${number}${part}`),
    ...['/pulls?state=all', `/issues/${number}/comments`, `/issues/comments/${String(comment)}`],
    ...['/deployments', `/deployments/${String(deployment)}/statuses`],
  ].map((path) => world.api('GET', repo + path));
  const others = [
    '/installation/repositories',
    '/rate_limit',
    '/orgs/acme/teams/platform',
    '/orgs/acme/teams/platform/memberships/wim',
  ];
  const token = await world.appJwt();
  const app = [
    '/app',
    '/app/installations',
    '/app/hook/deliveries',
    `/app/hook/deliveries/${delivery}`,
    `${repo}/installation`,
  ];
  const answers = await Promise.all([
    ...asInstallation,
    ...others.map((path) => world.api('GET', path)),
    ...app.map((path) => world.api('GET', path, undefined, { token })),
  ]);

  // An answer that differs from the description throws, which is a 500.
  expect(answers.map(({ status, body }) => (status === 200 ? 200 : body))).toEqual(answers.map(() => 200));
  github.assertNoRefusedRequests();
});
