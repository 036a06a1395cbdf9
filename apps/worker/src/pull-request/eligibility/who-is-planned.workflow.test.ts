/** Which pull requests are planned: real git and Temporal, and no host. */
import { afterEach, describe, expect, test } from '@jest/globals';
import { intakeStageOfThisFile } from '../../intake/testing/intake-stage.ts';
import { BACKEND } from '../../intake/testing/staged-repository.ts';
import { reconcilePullRequests } from '../../reconcile/reconcile-pull-requests.ts';
import { stagedPullRequests } from '../testing/staged-pull-requests.ts';

const ROOTS = { 'network/main.tf': BACKEND, 'database/main.tf': BACKEND };
const TAKES_COMMAND = 'A fork: somebody with write permission comments `nereid plan`';

const stage = intakeStageOfThisFile();

/** Nothing was asked of GitHub that it would not understand. */
afterEach(() => stage.standIn.assertNoRefusedRequests());

describe('a fork', () => {
  async function aFork(kind = 'forked') {
    const infra = await stage.repository(ROOTS, 'acme', true, kind);
    // A branch of the same name, which is not what the pull request is about.
    await infra.commit({ 'database/other.tf': '' }, 'change');
    const files = { 'network/fork.tf': '' };
    const input = { repository: infra.fullName, title: 'From afar', head: 'change', author: 'eve', files };
    const { number, headSha } = await stage.standIn.openPullRequestFromFork(input);
    const pulls = stagedPullRequests(stage, infra);
    await pulls.changed(number, 'opened');
    return { infra, pulls, number, headSha, opened: { number, headSha, branch: 'change' } };
  }

  test('is planned on command of somebody who may write: exactly that head', async () => {
    const { infra, pulls, number, headSha, opened } = await aFork();
    expect(await pulls.shows(headSha, TAKES_COMMAND)).toMatchObject({ conclusion: 'action_required' });

    const refusal = await stage.deliver(infra.says(opened, 'nereid plan', 'eve'));
    expect(refusal.kind).toBe('refused');
    const result = await stage.deliver(infra.says(opened, 'nereid plan', 'wim'));

    expect(result.kind).toBe('signalled');
    await pulls.shows(headSha, 'Planning 1 root');
    expect(await pulls.previews(number)).toMatchObject([
      { deployment: { root: { name: 'network' }, preview: { headSha }, requestedBy: 'eve' } },
    ]);
  });

  test('that is pushed to after the command has no plan of its new head, and the old one ends', async () => {
    const { infra, pulls, number, headSha, opened } = await aFork();
    await pulls.shows(headSha, TAKES_COMMAND);
    await stage.deliver(infra.says(opened, 'nereid plan'));
    await pulls.shows(headSha, 'Planning 1 root');

    const ref = { repository: infra.fullName, number };
    const next = await stage.standIn.pushToFork(ref, { files: { 'network/evil.tf': '' }, by: 'eve' });
    await pulls.changed(number);

    expect(await pulls.shows(next, TAKES_COMMAND)).toMatchObject({ conclusion: 'action_required' });
    expect(await pulls.previews(number)).toEqual([]);
    expect(await pulls.shows(headSha, 'A newer commit is planned')).toMatchObject({ conclusion: 'neutral' });
  });

  test('that was pushed to after the comment was written is not planned, and the next comment has it planned', async () => {
    const { infra, pulls, number, headSha, opened } = await aFork();
    await pulls.shows(headSha, TAKES_COMMAND);
    const command = { ...infra.says(opened, 'nereid plan'), createdAt: new Date(Date.now() - 1_000).toISOString() };
    const ref = { repository: infra.fullName, number };
    const evil = await stage.standIn.pushToFork(ref, { files: { 'network/evil.tf': '' }, by: 'eve' });

    const result = await stage.deliver(command);

    expect(result).toMatchObject({ kind: 'refused' });
    expect(result.sentence).toMatch(/^the head [0-9a-f]{7} of this fork may be newer than your comment/);
    // The refused command has had it looked at.
    await pulls.shows(evil, TAKES_COMMAND);
    expect(await stage.deliver(infra.says(opened, 'nereid plan'))).toMatchObject({ kind: 'signalled' });
    await pulls.shows(evil, 'Planning 1 root');
  });

  test('whose head is moved back after the command is not planned at another one', async () => {
    const { infra, pulls, number, headSha: first, opened } = await aFork();
    await pulls.shows(first, TAKES_COMMAND);
    const ref = { repository: infra.fullName, number };
    const second = await stage.standIn.pushToFork(ref, { files: { 'network/second.tf': '' }, by: 'eve' });
    await pulls.changed(number);
    await pulls.shows(second, TAKES_COMMAND);
    await stage.deliver(infra.says(opened, 'nereid plan'));
    await pulls.shows(second, 'Planning 1 root');

    await stage.standIn.pushToFork(ref, { to: first, by: 'eve' });
    await pulls.changed(number);

    await pulls.looked(number, ({ headSha }) => headSha === first);
    expect(await pulls.previews(number)).toEqual([]);
    await pulls.shows(first, TAKES_COMMAND);
  });

  test('that was deleted is planned from the commits that GitHub keeps', async () => {
    const { infra, pulls, number, headSha, opened } = await aFork();
    await pulls.shows(headSha, TAKES_COMMAND);
    stage.standIn.deleteFork({ repository: infra.fullName, number });

    await stage.deliver(infra.says(opened, 'nereid plan'));

    await pulls.shows(headSha, 'Planning 1 root');
  });

  test('is never planned where the server does not say so', async () => {
    const { infra, pulls, headSha, opened } = await aFork('planned');
    await pulls.shows(headSha, 'A fork: nothing was planned');

    const { sentence } = await stage.deliver(infra.says(opened, 'nereid plan', 'ada'));

    expect(sentence).toBe('this pull request comes from a fork, and plans run its code');
  });
});

describe('a pull request into another branch', () => {
  async function intoAnother(kind: string) {
    const infra = await stage.repository(ROOTS, 'acme', true, kind);
    await infra.commit({ 'README.md': 'words' }, 'release');
    const opened = await infra.pullRequest({ 'network/a.tf': '' }, { base: 'release' });
    const pulls = stagedPullRequests(stage, infra);
    await pulls.changed(opened.number, 'opened');
    return { infra, pulls, opened };
  }

  test('is not planned, and a command says why', async () => {
    const { infra, pulls, opened } = await intoAnother('planned');
    await pulls.looked(opened.number, ({ isOpen }) => isOpen);

    const { sentence } = await stage.deliver(infra.says(opened, 'nereid plan'));

    expect(sentence).toBe('this pull request is to be merged into release, which is not the branch that is deployed');
    expect(infra.checkRuns()).toEqual([]);
  });

  test('is planned with plan_all_bases, merged with its own base', async () => {
    const { infra, pulls, opened } = await intoAnother('any-base');
    await pulls.shows(opened.headSha, 'Planning 1 root');

    const baseSha = await stage.standIn.headOf(infra.fullName, 'release');
    expect(await pulls.previews(opened.number)).toMatchObject([
      { deployment: { preview: { baseSha }, revision: { branch: 'release' } } },
    ]);
  });
});

describe('a draft', () => {
  async function becameDraft() {
    const infra = await stage.repository(ROOTS, 'acme', true, 'planned');
    const opened = await infra.pullRequest({ 'network/a.tf': '' });
    const pulls = stagedPullRequests(stage, infra);
    await pulls.changed(opened.number, 'opened');
    await pulls.shows(opened.headSha, 'Planning 1 root');
    const [preview] = await pulls.previews(opened.number);
    if (preview === undefined) throw new Error('expected a preview');
    await pulls.planned(preview);
    await stage.standIn.convertToDraft(infra.at(opened), 'wim');
    await pulls.changed(opened.number, 'converted_to_draft');
    await pulls.looked(opened.number, ({ notRenewed }) => notRenewed === 'draft');
    return { infra, pulls, opened, preview };
  }

  test('that was planned before keeps its plans, and says that there are no newer ones', async () => {
    const { infra, pulls, opened, preview } = await becameDraft();
    await infra.commit({ 'network/b.tf': '' });

    await pulls.changed(opened.number);

    const title = 'No changes in 1 root (a draft: not planned again)';
    expect(await pulls.shows(opened.headSha, title)).toMatchObject({ conclusion: 'success' });
    expect(await pulls.previews(opened.number)).toMatchObject([{ deployment: { id: preview.deployment.id } }]);
  });

  test('has no plan of its next head', async () => {
    const { infra, pulls, opened } = await becameDraft();
    const next = await infra.commit({ 'network/c.tf': '' }, opened.branch);

    await pulls.changed(opened.number);

    await pulls.shows(next, 'A draft: comment `nereid plan` for a plan');
  });

  test('that is ready again is planned again', async () => {
    const { infra, pulls, opened, preview } = await becameDraft();
    await stage.standIn.readyForReview(infra.at(opened), 'wim');

    await pulls.changed(opened.number, 'ready_for_review');

    const { previews } = await pulls.looked(opened.number, ({ notRenewed }) => notRenewed === undefined);
    expect(previews).toHaveLength(1);
    expect(previews[0]?.deploymentId).not.toBe(preview.deployment.id);
  });
});

test('a bot may have planned what it has the permission for, as a person may', async () => {
  const infra = await stage.repository(ROOTS, 'acme', true, 'planned');
  const opened = await infra.pullRequest({ 'network/a.tf': '' });

  const stranger = await stage.deliver(infra.says(opened, 'nereid plan', 'renovate[bot]'));
  stage.standIn.setRole(infra.fullName, 'writer[bot]', 'write');
  const member = await stage.deliver(infra.says(opened, 'nereid plan', 'writer[bot]'));

  expect(stranger).toMatchObject({ kind: 'refused', sentence: expect.stringContaining('it takes write permission') });
  expect(member.kind).toBe('signalled');
});

test('a pull request that nobody has touched for two weeks keeps its plans, and says how to ask', async () => {
  const infra = await stage.repository(ROOTS, 'acme', true, 'planned');
  const opened = await infra.pullRequest({ 'network/a.tf': '' });
  const pulls = stagedPullRequests(stage, infra);
  await pulls.changed(opened.number, 'opened');
  await pulls.shows(opened.headSha, 'Planning 1 root');
  for (const preview of await pulls.previews(opened.number)) await pulls.planned(preview);
  await infra.commit({ 'network/b.tf': '' });
  const updatedAt = new Date(Date.now() - 15 * 24 * 3_600_000).toISOString();
  Object.assign(stage.standIn.pullRequest(infra.at(opened)), { updatedAt });

  await pulls.changed(opened.number);

  const rests = 'No changes in 1 root (at rest for two weeks: comment `nereid plan` for a new plan)';
  await pulls.shows(opened.headSha, rests);
  await stage.deliver(infra.says(opened, 'nereid plan'));
  await pulls.shows(opened.headSha, 'Out of date: planning again');
});

test('of more than thirty roots, the first thirty by name have check runs of their own', async () => {
  const roots = Array.from({ length: 31 }, (_, index) => `r${String(index).padStart(2, '0')}`);
  const infra = await stage.repository(ROOTS, 'acme', true, 'planned');
  const files = Object.fromEntries(roots.map((root) => [`${root}/main.tf`, BACKEND]));
  const opened = await infra.pullRequest(files);
  const pulls = stagedPullRequests(stage, infra);

  await pulls.changed(opened.number, 'opened');

  const { output } = await pulls.shows(opened.headSha, 'Planning 31 roots');
  expect(output.summary).toContain('r30');
  const hidden = (await pulls.previews(opened.number)).filter(({ deployment }) => deployment.preview?.isOnlyInTable);
  expect(hidden.map(({ deployment }) => deployment.root.name)).toEqual(['r30']);
});

describe('of more than five hundred open pull requests', () => {
  const FULL = '500 open pull requests are planned, the limit is 500: merge or close some of them';
  const OTHERS = Array.from({ length: 500 }, (_, index) => 1_000 + index);

  async function full() {
    const infra = await stage.repository(ROOTS, 'acme', true, 'planned');
    const { repository } = infra;
    const records = stage.context.pullRequestRecords;
    await Promise.all(OTHERS.map((number) => records.remember(repository, 'network', number)));
    return { infra, repository, records, pulls: stagedPullRequests(stage, infra) };
  }

  test('the last is planned once another one is closed', async () => {
    const { infra, repository, records, pulls } = await full();
    const opened = await infra.pullRequest({ 'network/a.tf': '' });

    await pulls.changed(opened.number, 'opened');

    const { conclusion, output } = await pulls.shows(opened.headSha, FULL);
    expect(conclusion).toBe('action_required');
    expect(output.summary).toContain('This one is planned within minutes after that');
    for (const number of OTHERS) await records.forget(repository, 'network', number);
    await reconcilePullRequests(stage.context, { repository, branch: 'main' });
    await pulls.shows(opened.headSha, 'Planning 1 root');
  });

  test.each([
    ['touches no root', { 'README.md': 'words' }, 'Touches no root'],
    ['has conflicts', { 'network/main.tf': '# theirs' }, 'Conflicts with main: nothing was planned'],
  ])('one that %s says so', async (_what, files, title) => {
    const { infra, pulls } = await full();
    const opened = await infra.pullRequest(files);
    await infra.commit({ 'network/main.tf': '# ours' });

    await pulls.changed(opened.number, 'opened');

    await pulls.shows(opened.headSha, title);
  });

  test('a command for the last says why it is not planned', async () => {
    const { infra } = await full();
    const opened = await infra.pullRequest({ 'network/a.tf': '' });

    const result = await stage.deliver(infra.says(opened, 'nereid plan'));

    expect(result).toMatchObject({ kind: 'refused', sentence: FULL });
    expect(infra.comments(opened)).toEqual([expect.stringContaining(FULL)]);
  });
});
