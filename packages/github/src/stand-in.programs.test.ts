/** Everything this package sends, held against GitHub's own description by the stand-in. */
import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Presentation } from '@nereid/domain/deployment';
import type { Repository } from '@nereid/domain/root';
import { aDeployment, aLock, aPlan } from '@nereid/domain/testing';
import { makeAppKey, startGitHub, type GitHubStandIn } from '@nereid/github-stand-in';
import { folderOfThisFile } from '@nereid/test-kit/folders';
import { renderCheckRun } from '@nereid/texts';
import { createGitHub, type GitHub } from './github.ts';

const FULL_NAME = 'acme/infra';
const APP_ID = 7;
const LINKS = { deploymentUrl: 'https://console.example/deployments/3f2a?key=k' };

const folder = folderOfThisFile();
let standIn: GitHubStandIn;
let github: GitHub;
let repository: Repository;
let head: string;
/** What was warned of. */
const warnings: unknown[] = [];

beforeAll(async () => {
  const { privateKey } = makeAppKey();
  standIn = await startGitHub({
    dataDir: folder,
    app: { id: APP_ID, slug: 'nereid', key: privateKey },
  });
  const { installationId } = await standIn.createRepository({
    owner: 'acme',
    name: 'infra',
    files: { 'main.tf': '' },
    collaborators: { alice: 'admin', bob: 'maintain', carol: 'write', dave: 'triage', erin: 'read' },
  });
  repository = { owner: 'acme', name: 'infra', installationId };
  head = await standIn.headOf(FULL_NAME);
  github = createGitHub({ appId: APP_ID, privateKey, apiUrl: standIn.apiUrl, retryBaseMs: 1, log: aLog() });
});

afterEach(() => {
  standIn.faults.clear();
});

afterAll(() => standIn.close());

describe('a check run that GitHub takes', () => {
  const states: readonly Omit<Presentation, 'deployment'>[] = [{ ahead: 1 }, { lock: aLock() }, { notice: 'No' }];

  test.each(states)('GitHub takes the check run of a deployment that waits: %j', async (state) => {
    const content = contentOf({ deployment: aDeployment({ status: 'queued' }), ...state });

    const { id } = await github.status.create(repository, content);

    expect(shown(id)).toMatchObject({ externalId: content.externalId, status: content.status });
  });

  test('has the buttons of a review, and loses them when it is over', async () => {
    const waiting = contentOf({ deployment: aDeployment({ status: 'awaiting-review', plan: aPlan() }) });
    const rejected = contentOf({ deployment: aDeployment({ status: 'rejected', plan: aPlan() }) });

    const checkRun = await github.status.create(repository, waiting);
    const buttons = shown(checkRun.id)?.actions.map(({ label }) => label);
    await github.status.present(repository, [checkRun], rejected);

    expect(buttons).toEqual(['Confirm', 'Reject']);
    expect(shown(checkRun.id)).toMatchObject({ conclusion: 'cancelled', actions: [] });
  });

  test('is created once, though GitHub failed after each write', async () => {
    const deployment = { ...aDeployment({ status: 'queued' }), id: '00000000-0d4b-4e7a-9c55-1f0e6b7a2d90' };
    const content = contentOf({ deployment, ahead: 0 });
    standIn.faults.add({ kind: 'failure', status: 502, route: /^POST .*check-runs/, times: 1 });

    await github.status.create(repository, content);

    expect(await github.status.find(repository, head, content.name, deployment.id)).toHaveLength(1);
  });

  test('is presented once, though nobody heard that it was created', async () => {
    const deployment = { ...aDeployment({ status: 'queued' }), id: '11111111-0d4b-4e7a-9c55-1f0e6b7a2d90' };
    const content = contentOf({ deployment, ahead: 0 });
    standIn.faults.add({ kind: 'lost answer', route: /^POST .*check-runs/, times: 1 });

    const first = github.status.present(repository, [], content);
    await expect(first).rejects.toMatchObject({ code: 'FORGE_UNAVAILABLE', status: 0 });
    const [ref] = await github.status.present(repository, [], content, { creationUncertain: true });

    const there = await github.status.find(repository, head, content.name, deployment.id);
    expect(there.map(({ id }) => id)).toEqual([ref?.id]);
  });

  test('keeps what it says under a notice, which takes the place of an earlier one', async () => {
    const content = contentOf({ deployment: aDeployment({ status: 'awaiting-review', plan: aPlan() }) });
    const { id } = await github.status.create(repository, { ...content, externalId: 'noticed' });

    await github.status.addNotice(repository, id, 'Not @rea');
    await github.status.addNotice(repository, id, 'Not @erin');

    expect(shown(id)).toMatchObject({ conclusion: 'action_required', actions: [] });
    expect(shown(id)?.output).toMatchObject({
      title: content.title,
      summary: `> [!WARNING]\n> Not @erin\n\n${content.summary}`,
    });
  });

  test('is found by its revision', async () => {
    const [latest] = await github.status.ofRevision(repository, head);

    expect(latest?.name).toBe('nereid/deploy: network');
  });
});

test.each([
  ['alice', 'admin'],
  ['bob', 'maintain'],
  ['carol', 'write'],
  ['dave', 'triage'],
  ['erin', 'read'],
  ['mallory', 'none'],
])('@%s has the permission %s', async (login, permission) => {
  expect(await github.people.permissionOf(repository, login)).toBe(permission);
});

test('a team has its members and no others', async () => {
  standIn.setTeam('acme', 'sre', ['carol']);

  expect(await github.teams.isMember(repository, 'acme/sre', 'carol')).toBe(true);
  expect(await github.teams.isMember(repository, 'acme/sre', 'alice')).toBe(false);
  expect(await github.teams.isMissing(repository, 'acme/sre')).toBe(false);
});

test('a team that GitHub does not have is nobody; the log says so once', async () => {
  expect(await github.teams.isMember(repository, 'acme/ghosts', 'carol')).toBe(false);
  expect(await github.teams.isMissing(repository, 'acme/ghosts')).toBe(true);
  expect(await github.teams.isMissing(repository, 'acme/ghosts')).toBe(true);
  expect(warnings).toEqual([['a rule names a team that GitHub does not have', { team: 'acme/ghosts' }]]);
});

test('a pull request is read', async () => {
  const number = await aPullRequest('feature');
  const sha = await standIn.headOf(FULL_NAME, 'feature');

  const pullRequest = await github.pullRequests.get(repository, number);

  expect(pullRequest).toMatchObject({
    state: 'open',
    author: 'carol',
    headSha: sha,
    headBranch: 'feature',
    baseBranch: 'main',
    fromFork: false,
  });
  expect(await github.commits.compare(repository, head, sha)).toBe('ahead');
  expect(await github.commits.compare(repository, sha, head)).toBe('behind');
  expect(await github.commits.compare(repository, 'f'.repeat(40), head)).toBe('diverged');
});

test('the open pull requests into a branch are listed, the one that was updated last first', async () => {
  const older = await aPullRequest('older');
  const newer = await aPullRequest('newer');
  // GitHub's times are to the second.
  await setTimeout(1_100);
  await standIn.commit({ repository: FULL_NAME, branch: 'older', files: { a: '2' }, message: 'more', author: 'carol' });
  const headSha = await standIn.headOf(FULL_NAME, 'older');

  const listed = await github.pullRequests.open(repository, 'main');

  expect(listed.slice(0, 2).map(({ number }) => number)).toEqual([older, newer]);
  expect(listed[0]).toMatchObject({ headSha, draft: false, fromFork: false });
  expect(await github.pullRequests.open(repository, 'feature')).toEqual([]);
});

test('the groups of a merge queue are found, with their heads', async () => {
  await standIn.setBranchRules(FULL_NAME, 'main', { requiredChecks: ['test'], mergeQueue: {} });
  const number = await aPullRequest('queued');
  const { headSha } = await github.pullRequests.get(repository, number);
  const passed = { status: 'completed', conclusion: 'success', title: 'Fine', summary: 'Fine.', actions: [] } as const;
  await github.status.create(repository, { name: 'test', headSha, externalId: '', ...passed });
  await standIn.enqueue({ repository: FULL_NAME, number }, 'alice');
  const [group] = standIn.queueOf(FULL_NAME, 'main');

  expect(await github.mergeQueue.groups(repository, 'main')).toEqual([
    { branch: group?.branch, headSha: group?.headSha, upTo: number },
  ]);
  expect(await github.mergeQueue.groups(repository, 'nothing')).toEqual([]);
  await standIn.setBranchRules(FULL_NAME, 'main', undefined);
});

test('who approved the head of a pull request is read, however many reviewed it', async () => {
  const number = await aPullRequest('reviewed');
  const ref = { repository: FULL_NAME, number };
  for (let count = 0; count < 100; count += 1) await standIn.review(ref, { state: 'COMMENTED', by: 'erin' });
  await standIn.approve(ref, 'bob');
  await standIn.approve(ref, 'alice');
  await standIn.dismissReview(ref, { of: 'bob', by: 'alice' });

  const { reviews, isWhole } = await github.approvals.reviewsOf(repository, number);
  const { headSha } = await github.pullRequests.get(repository, number);

  expect(isWhole).toBe(true);
  expect(reviews).toHaveLength(102);
  expect(
    reviews.filter(({ state }) => state !== 'other').map(({ author, state, sha }) => [author, state, sha]),
  ).toEqual([
    ['bob', 'dismissed', headSha],
    ['alice', 'approved', headSha],
  ]);
});

describe('a comment', () => {
  const COMMENT = { body: 'Queued.', key: '72d3162e-cc78-11e3-81ab-4c9367dc0958' };
  const aMinuteAgo = new Date(Date.now() - 60_000);
  const comments = (number: number) => standIn.comments({ repository: FULL_NAME, number }).map(({ body }) => body);

  test('has the text that was asked for, with a key that nobody sees', async () => {
    const number = await aPullRequest('says');

    await github.comments.create(repository, number, COMMENT);

    expect(comments(number)).toEqual([`Queued.\n\n<!-- nereid: ${COMMENT.key} -->`]);
  });

  test('that an earlier attempt wrote is not written again', async () => {
    const number = await aPullRequest('again');
    await github.comments.create(repository, number, COMMENT);

    await github.comments.create(repository, number, { ...COMMENT, mayExistSince: aMinuteAgo });

    expect(comments(number)).toHaveLength(1);
  });

  test('of a person, or with another key, is not taken for it', async () => {
    const number = await aPullRequest('others');
    standIn.comment({ repository: FULL_NAME, number }, 'carol', `Queued.\n\n<!-- nereid: ${COMMENT.key} -->`);
    await github.comments.create(repository, number, { ...COMMENT, key: 'another' });

    await github.comments.create(repository, number, { ...COMMENT, mayExistSince: aMinuteAgo });

    expect(comments(number)).toHaveLength(3);
  });

  test('of a person gets our reactions, each once', async () => {
    const number = await aPullRequest('liked');
    const { id } = standIn.comment({ repository: FULL_NAME, number }, 'carol', 'nereid plan');

    for (const reaction of ['eyes', '+1', 'eyes'] as const) await github.comments.react(repository, id, reaction);

    const [comment] = standIn.comments({ repository: FULL_NAME, number });
    expect(comment?.reactions.map(({ content }) => content)).toEqual(['eyes', '+1']);
  });

  test('that is too long is cut, and keeps its key', async () => {
    const number = await aPullRequest('long');

    await github.comments.create(repository, number, { ...COMMENT, body: 'x'.repeat(70_000) });

    expect(comments(number)).toEqual([expect.stringMatching(/x\n\n<!-- nereid: [\w-]+ -->$/)]);
  });
});

describe('behind a revision are', () => {
  test.each(['merge', 'squash', 'rebase'] as const)(
    'the authors and the merger of its pull request: %s',
    async (kind) => {
      const number = await aPullRequest(`behind-${kind}`);
      await standIn.commit({
        repository: FULL_NAME,
        branch: `behind-${kind}`,
        author: 'dora',
        files: { 'dora.tf': '#' },
        message: 'Help',
      });
      const sha = await standIn.mergePullRequest({ repository: FULL_NAME, number }, { kind, by: 'bob' });

      const { people, hasUnknown, mergedInto } = await github.commits.contributors(repository, sha);

      expect(await github.commits.pullRequests(repository, sha)).toEqual([number]);
      expect(people.map(({ login }) => login).toSorted()).toEqual(['bob', 'carol', 'dora']);
      expect(hasUnknown).toBe(false);
      expect(mergedInto).toEqual(['main']);
    },
  );

  test('those of the head of an open pull request', async () => {
    const number = await aPullRequest('open');
    const { headSha } = await github.pullRequests.get(repository, number);

    expect(await github.commits.contributors(repository, headSha)).toEqual({
      people: [{ login: 'carol', id: expect.any(Number) }],
      hasUnknown: false,
      shas: [headSha],
      mergedInto: [],
      pullRequests: [
        { number, headBranch: 'open', headSha, baseSha: await standIn.headOf(FULL_NAME), fromFork: false },
      ],
    });
  });

  test('all commits of its pull request, whoever asks for which', async () => {
    const number = await aPullRequest('two');
    const { headSha } = await github.pullRequests.get(repository, number);
    const change = { repository: FULL_NAME, branch: 'two', author: 'dora', files: { 'd.tf': '#' }, message: 'Help' };
    const last = await standIn.commit(change);
    const sha = await standIn.mergePullRequest({ repository: FULL_NAME, number }, { kind: 'merge', by: 'bob' });

    expect((await github.commits.contributors(repository, sha)).shas).toEqual([sha, last, headSha]);
  });
});

describe('who moved a branch', () => {
  test('is told for each of its moves, the newest first', async () => {
    const number = await aPullRequest('asked');
    const before = await standIn.headOf(FULL_NAME);
    const after = await standIn.mergePullRequest({ repository: FULL_NAME, number }, { kind: 'squash', by: 'bob' });

    const moves = await github.repositories.movesOf(repository, 'main', () => true);

    expect(moves[0]).toMatchObject({ before, after, by: { login: 'bob', id: expect.any(Number) } });
  });

  test('is everybody since it was created, whoever wrote the commits', async () => {
    await aPullRequest('moved');
    const other = { repository: FULL_NAME, branch: 'other', author: 'carol', files: { 'o.tf': '#' }, message: 'O' };
    await standIn.forcePush({ repository: FULL_NAME, branch: 'moved', to: await standIn.commit(other), by: 'dora' });

    const { people, hasUnknown } = await github.repositories.pushersOf(repository, 'moved');

    expect(people.map(({ login }) => login)).toEqual(['dora', 'carol']);
    expect(hasUnknown).toBe(false);
  });

  test('is not known where GitHub does not tell when it was created', async () => {
    expect(await github.repositories.pushersOf(repository, 'nowhere')).toEqual({ people: [], hasUnknown: true });
  });
});

test('the default branch is asked for', async () => {
  expect(await github.repositories.defaultBranch(repository)).toBe('main');
});

test('a public repository is told from a private one', async () => {
  const { installationId } = await standIn.createRepository({
    owner: 'acme',
    name: 'open',
    private: false,
    files: { 'main.tf': '' },
    collaborators: { alice: 'admin' },
  });

  expect(await github.repositories.isPublic({ owner: 'acme', name: 'open', installationId })).toBe(true);
  expect(await github.repositories.isPublic(repository)).toBe(false);
});

test('a short secondary limit is waited out', async () => {
  standIn.faults.add({ kind: 'secondary rate limit', retryAfterS: 1, times: 1 });

  expect(await github.commits.compare(repository, head, head)).toBe('identical');
});

test('none of all this would GitHub have refused', () => {
  standIn.assertNoRefusedRequests();
});

/** A change by carol on a branch of its own. Answers its number. */
async function aPullRequest(branch: string): Promise<number> {
  const change = { repository: FULL_NAME, author: 'carol' };
  await standIn.commit({ ...change, branch, files: { [`${branch}.tf`]: '#' }, message: `Add ${branch}` });
  return (await standIn.openPullRequest({ ...change, title: `Add ${branch}`, head: branch })).number;
}

function contentOf(subject: Presentation) {
  const revision = { ...subject.deployment.revision, sha: head };
  return renderCheckRun({ ...subject, deployment: { ...subject.deployment, revision } }, LINKS);
}

function aLog() {
  const nothing = () => undefined;
  return { debug: nothing, info: nothing, warn: (...line: unknown[]) => warnings.push(line), error: nothing };
}

function shown(id: number) {
  return standIn.checkRuns(FULL_NAME).find((checkRun) => checkRun.id === id);
}
