/** Whatever people do with a pull request while it is planned: real git and Temporal, and no host. */
import { afterEach, describe, expect, test } from '@jest/globals';
import type { FileChanges } from '@nereid/github-stand-in';
import { RevisionGoneError } from '@nereid/git';
import { intakeStageOfThisFile } from '../intake/testing/intake-stage.ts';
import { BACKEND } from '../intake/testing/staged-repository.ts';
import { syncPullRequest } from './sync-pull-request.ts';
import { stagedPullRequests } from './testing/staged-pull-requests.ts';

const ROOTS = { 'network/main.tf': BACKEND, 'database/main.tf': BACKEND };
const PLANNING = 'Planning 1 root';

const stage = intakeStageOfThisFile();

/** Nothing was asked of GitHub that it would not understand. */
afterEach(() => stage.standIn.assertNoRefusedRequests());

async function opened(files: FileChanges) {
  const infra = await stage.repository(ROOTS, 'acme', true, 'planned');
  const pull = await infra.pullRequest(files);
  const pulls = stagedPullRequests(stage, infra);
  await pulls.changed(pull.number, 'opened');
  return { infra, pull, pulls, ref: infra.at(pull) };
}

async function planning(files: FileChanges = { 'network/a.tf': '' }) {
  const found = await opened(files);
  await found.pulls.shows(found.pull.headSha, PLANNING);
  return found;
}

describe('a pull request', () => {
  test.each([
    ['../x', 'expected names of roots, found "../x"; the roots are database, network'],
    ['netwrk', 'expected names of roots, found "netwrk" (did you mean network?); the roots are database, network'],
    ['`$(id)`', 'expected names of roots, found "`$(id)`"; the roots are database, network'],
    ['x'.repeat(480), 'expected names of roots, found "xxx'],
  ])('has no root with a name like %.10s, and is told so', async (name, sentence) => {
    const { infra, pull } = await planning();

    const result = await stage.deliver(infra.says(pull, `nereid plan ${name}`));

    expect(result.kind).toBe('refused');
    expect(result.sentence.startsWith(sentence)).toBe(true);
  });

  test('of more files than GitHub lists is planned with all of them', async () => {
    const many = Array.from({ length: 3_100 }, (_, index) => [`docs/${index}.md`, ''] as const);

    const { pull, pulls } = await planning({ ...Object.fromEntries(many), 'network/last.tf': '' });

    expect(await pulls.previews(pull.number)).toMatchObject([{ deployment: { root: { name: 'network' } } }]);
  });

  test('has the roots that only its branch has', async () => {
    const { pull, pulls } = await planning({ 'fresh/main.tf': BACKEND });

    expect(await pulls.previews(pull.number)).toMatchObject([{ deployment: { root: { name: 'fresh' } } }]);
  });

  test('with a broken nereid.yaml is told where, and the plans that it had before end', async () => {
    const { infra, pull, pulls } = await planning();
    const sha = await infra.commit({ 'nereid.yaml': 'version: 1\nroots:\n  - { dir: 7 }\n' }, pull.branch);

    await pulls.changed(pull.number);

    const { conclusion, output } = await pulls.shows(sha, 'nereid.yaml: 1 problem');
    expect(conclusion).toBe('failure');
    expect(output.summary).toContain('nereid.yaml:3:');
    await pulls.running(0);
  });

  test('that removes a root is told that nothing destroys its resources, and its state on the base is looked at', async () => {
    const { infra, pull, pulls } = await opened({ 'database/main.tf': null });

    const { output } = await pulls.shows(pull.headSha, PLANNING);

    expect(output.summary).toContain('database is removed, and its resources stay: nothing destroys them');
    const { baseSha } = await pulls.looked(pull.number, ({ previews }) => previews.length > 0);
    expect(await pulls.previews(pull.number)).toMatchObject([
      { deployment: { root: { name: 'database' }, revision: { sha: baseSha }, preview: { baseSha, isRemoval: true } } },
    ]);
    expect(await stage.deliver(infra.says(pull, 'nereid plan database'))).toMatchObject({ kind: 'signalled' });
  });

  test('that removes a root and changes another has both looked at, and not again for what concerns neither', async () => {
    const { infra, pull, pulls } = await opened({ 'database/main.tf': null, 'network/a.tf': '' });
    await pulls.shows(pull.headSha, 'Planning 2 roots');
    const before = await pulls.previews(pull.number);

    await infra.commit({ 'README.md': 'of the base' });
    await pulls.changed(pull.number);

    const { previews } = await pulls.looked(
      pull.number,
      ({ baseSha }) => baseSha !== before[0]?.deployment.preview?.baseSha,
    );
    expect(previews).toMatchObject([{ rootName: 'network' }, { rootName: 'database', isRemoval: true }]);
    expect(previews.map(({ deploymentId }) => deploymentId)).toEqual(before.map(({ deployment }) => deployment.id));
  });

  test('that is closed while it is planned is no longer planned, and is again once it is reopened', async () => {
    const { infra, pull, pulls, ref } = await planning();
    await stage.standIn.closePullRequest(ref, 'wim');
    await pulls.changed(pull.number, 'closed');

    await pulls.shows(pull.headSha, 'No longer planned');
    await pulls.running(0);
    expect((await stage.deliver(infra.says(pull, 'nereid plan'))).sentence).toBe('this pull request is closed');

    await stage.standIn.reopenPullRequest(ref, 'wim');
    await pulls.changed(pull.number, 'reopened');
    await pulls.shows(pull.headSha, PLANNING);
    await pulls.running(1);
  });

  test('that is merged while it is planned, and its branch deleted, is no longer planned', async () => {
    const { pull, pulls, ref } = await planning();

    await stage.standIn.mergePullRequest(ref, { kind: 'squash', by: 'wim', deleteBranch: true });
    await pulls.changed(pull.number, 'closed');

    await pulls.shows(pull.headSha, 'No longer planned');
    await pulls.running(0);
  });

  test('whose base is changed while it is planned is no longer planned, and is again for the deployed branch', async () => {
    const { infra, pull, pulls, ref } = await planning();
    await infra.commit({ 'README.md': '' }, 'release');

    await stage.standIn.changeBase(ref, 'release', 'wim');
    await pulls.changed(pull.number, 'edited');
    await pulls.shows(pull.headSha, 'No longer planned');
    await stage.standIn.changeBase(ref, 'main', 'wim');
    await pulls.changed(pull.number, 'edited');

    await pulls.shows(pull.headSha, PLANNING);
  });

  test('that is force-pushed is planned at its new head only', async () => {
    const { infra, pull, pulls } = await planning({ 'database/a.tf': '' });
    const to = await infra.commit({ 'network/other.tf': '' }, 'elsewhere');

    await stage.standIn.forcePush({ repository: infra.fullName, branch: pull.branch, to, by: 'wim' });
    await pulls.changed(pull.number);

    await pulls.shows(to, PLANNING);
    expect(await pulls.running(1)).toEqual((await pulls.previews(pull.number)).map(({ deployment }) => deployment.id));
    await pulls.shows(pull.headSha, 'A newer commit is planned');
  });

  test('that is pushed to a hundred times in a row has one plan in the end: that of its last head', async () => {
    const { infra, pull, pulls } = await planning();
    let last = pull.headSha;
    for (let push = 0; push < 100; push += 1) {
      last = await infra.commit({ 'network/a.tf': `# ${push}` }, pull.branch);
      await pulls.changed(pull.number);
    }

    await pulls.shows(last, PLANNING);

    const [preview, ...others] = await pulls.previews(pull.number);
    expect(preview).toMatchObject({ deployment: { preview: { headSha: last } } });
    expect(others).toEqual([]);
    expect(await pulls.running(1)).toEqual([preview?.deployment.id]);
  });

  test('on the root of another one is planned beside it', async () => {
    const { infra, pulls } = await planning();
    const other = await infra.pullRequest({ 'network/b.tf': '' });

    await pulls.changed(other.number, 'opened');

    await pulls.shows(other.headSha, PLANNING);
    await pulls.running(2);
  });
});

describe('a head that git does not have', () => {
  async function syncWithoutHead(updatedAt: string) {
    const { infra, pull, ref } = await planning();
    await infra.commit({ 'network/next.tf': '' }, pull.branch);
    Object.assign(stage.standIn.pullRequest(ref), { updatedAt });
    const { context } = stage;
    const merge = () => Promise.reject(new RevisionGoneError(infra.fullName, [pull.headSha]));
    const tools = {
      context: { ...context, mirrors: { ...context.mirrors, merge } },
      signal: new AbortController().signal,
    };
    return syncPullRequest(tools, infra.repository, { number: pull.number }, []);
  }

  test('is waited for while it is new', async () => {
    await expect(syncWithoutHead(new Date().toISOString())).rejects.toMatchObject({
      type: 'HEAD_NOT_THERE_YET',
      nonRetryable: false,
    });
  });

  test('is not waited for any longer than git takes to catch up', async () => {
    const { sentence } = await syncWithoutHead(new Date(Date.now() - 3_600_000).toISOString());

    expect(sentence).toBe('Git does not have the head of this pull request: push a commit');
  });
});

test('Re-run of nereid/plan plans all roots again', async () => {
  const { infra, pull, pulls } = await opened({ 'network/a.tf': '', 'database/a.tf': '' });
  const shown = await pulls.shows(pull.headSha, 'Planning 2 roots');
  const before = (await pulls.previews(pull.number)).map(({ deployment }) => deployment.id);

  const { userActions } = await stage.deliver(infra.reruns(shown));

  // The check run is that of the pull request, and of no deployment.
  const [action] = (userActions ?? []).map(({ body }) => body.action);
  expect(userActions).toHaveLength(1);
  expect(action).toMatchObject({ action: 'plan', rootNames: [], pullRequest: pull.number });
  expect(action).not.toHaveProperty('deploymentId');
  const { previews } = await pulls.looked(pull.number, ({ requestId }) => requestId !== undefined);
  expect(previews).toHaveLength(2);
  expect(previews.filter(({ deploymentId }) => before.includes(deploymentId))).toEqual([]);
});

test('a preview whose record was removed is planned again while Temporal still remembers its workflow', async () => {
  const { infra, pull, pulls, ref } = await planning();
  const [first] = await pulls.previews(pull.number);
  if (first === undefined) throw new Error('expected a preview');
  await pulls.planned(first);
  const { id, receivedAt } = first.deployment;
  const place = { owner: infra.repository.owner, name: infra.repository.name, rootName: 'network', id };
  await stage.context.pullRequestRecords.removePreview({ ...place, day: receivedAt.slice(0, 10) });
  const day = new Date().toISOString().slice(0, 10);
  await stage.context.pullRequestRecords.removePullRequest({
    ...{ owner: infra.repository.owner, name: infra.repository.name, day },
    subject: { number: ref.number },
  });

  await pulls.changed(pull.number);

  const { previews } = await pulls.looked(pull.number, (found) => found.previews.length > 0);
  expect(previews[0]?.deploymentId).not.toBe(id);
  expect(await pulls.running(1)).toEqual([previews[0]?.deploymentId]);
});
