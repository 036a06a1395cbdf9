import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { folderOfThisFile } from '@nereid/test-kit/folders';
import { aGitHub, REPOSITORY, type AGitHub } from '../fixtures/a-github.ts';
import { at } from '../fixtures/at.ts';
import { git } from '../fixtures/git-client.ts';

let world: AGitHub;
const folder = folderOfThisFile();

beforeAll(async () => {
  world = await aGitHub();
});

afterAll(async () => {
  await world[Symbol.asyncDispose]();
});

const page = async (path: string, who = 'wim') => {
  const response = await fetch(world.github.url + path, { headers: { cookie: `who=${who}` } });
  return { status: response.status, headers: response.headers, text: await response.text() };
};

const press = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(world.github.url + path, {
    method: 'POST',
    headers: { cookie: 'who=wim', ...headers },
    body: new URLSearchParams(fields),
    redirect: 'manual',
  });

const aCheckRun = async (fields: object): Promise<string> => {
  const head_sha = await world.github.headOf(REPOSITORY);
  const { body } = await world.api('POST', `/repos/${REPOSITORY}/check-runs`, { name: 'plan', head_sha, ...fields });
  return `/${REPOSITORY}/runs/${String(at(body, 'id'))}`;
};

const aChange = async (branch: string) => {
  const files = { [`${branch}.tf`]: '<script>alert(1)</script>\n' };
  await world.github.commit({ repository: REPOSITORY, branch, files, message: `Add ${branch}`, author: 'wim' });
};

/** What a person reads: without tags, and with single spaces. */
const plain = (text: string) => text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');

const ACTION = { label: 'Confirm', identifier: 'confirm.0123456789ab', description: 'Apply' };

describe('a newcomer', () => {
  test('finds the repository, its commits and their checks', async () => {
    await aCheckRun({ conclusion: 'success' });

    expect((await page('/')).text).toContain('acme/infra');
    expect((await page(`/${REPOSITORY}`)).text).toMatch(/Initial commit[^]*aria-label="success"/);
  });

  test('changes a file, which opens a pull request, and merges it', async () => {
    const edited = await press(`/${REPOSITORY}/edit`, { path: 'README.md', text: '# changed\n', title: 'New title' });
    const path = edited.headers.get('location') ?? '';
    const shown = await page(path);

    const merged = await press(`${path}/merge`, { kind: 'squash' });

    expect(shown.text).toContain('New title');
    expect(shown.text).toContain('+# changed');
    expect(merged.status).toBe(303);
    expect((await page(path)).text).toContain('label merged');
  });

  test('finds which required checks have not passed, and merges through the queue once they have', async () => {
    const queue = { requiredChecks: ['nereid/plan'], mergeQueue: {} };
    await world.github.createRepository({
      owner: 'acme',
      name: 'queued',
      files: { a: 'a' },
      collaborators: { wim: 'write' },
    });
    await world.github.setBranchRules('acme/queued', 'main', queue);
    const change = { repository: 'acme/queued', branch: 'b', files: { b: 'b' }, message: 'B', author: 'wim' };
    const head_sha = await world.github.commit(change);
    const pr = await world.github.openPullRequest({ repository: 'acme/queued', title: 'B', head: 'b', author: 'wim' });
    const path = `/acme/queued/pull/${pr.number}`;
    const expected = plain((await page(path)).text);
    const early = await press(`${path}/enqueue`, {});
    await world.api('POST', '/repos/acme/queued/check-runs', { name: 'nereid/plan', head_sha, conclusion: 'success' });

    const late = await press(`${path}/enqueue`, {});

    const queued = plain((await page(path)).text);
    const removed = await press(`${path}/dequeue`, {});
    expect(expected).toContain('Required checks have not passed: nereid/plan is expected');
    expect([early.status, late.status, removed.status]).toEqual([422, 303, 303]);
    expect(queued).toContain('Queued to merge: place 1 in the merge queue');
    expect(queued).toContain('Remove from queue');
    expect(plain((await page(path)).text)).toContain('Merge when ready');
  });

  test('finds on a merged pull request what its merge commit failed with', async () => {
    await aChange('broken');
    const pr = { title: 'Broken', head: 'broken', author: 'wim' };
    const { number } = await world.github.openPullRequest({ repository: REPOSITORY, ...pr });
    const head_sha = await world.github.mergePullRequest(
      { repository: REPOSITORY, number },
      { kind: 'merge', by: 'max' },
    );
    await aCheckRun({ name: 'nereid/config', head_sha, conclusion: 'failure' });

    const { text } = await page(`/${REPOSITORY}/pull/${number}`);

    expect(plain(text)).toContain('Merged max merged 1 commit into main from broken');
    expect(plain(text)).toContain(`Checks of the merge commit ${head_sha.slice(0, 7)} : nereid/config failed`);
    expect(plain(text)).toContain(`1 check on the merge commit ${head_sha.slice(0, 7)}`);
  });

  test('sees commits after what they build on, also those of the same second', async () => {
    await aChange('quick');
    const head = { title: 'Quick', head: 'quick', author: 'wim' };
    const { number } = await world.github.openPullRequest({ repository: REPOSITORY, ...head });
    await world.github.mergePullRequest({ repository: REPOSITORY, number }, { kind: 'merge', by: 'max' });

    const text = plain((await page(`/${REPOSITORY}`)).text);

    expect(text).toMatch(/Merge pull request #\d+ from acme\/quick.*Add quick.*Initial commit/);
  });

  test('clones and pushes in the name of whoever is chosen', async () => {
    const made = await press(`/${REPOSITORY}/clone`, {});
    const [, address = ''] = /git clone (\S+)/.exec(plain(await made.text())) ?? [];
    await git(folder, ['clone', address, '.']);
    await git(folder, ['commit', '--allow-empty', '--message', 'By hand']);

    await git(folder, ['push', 'origin', 'HEAD:by-hand']);

    const pushed = () =>
      world.receiver.received('push').find(({ payload }) => at(payload, 'ref') === 'refs/heads/by-hand');
    const { payload } = await world.github.waitFor(pushed, { what: 'the push', deadlineMs: 120_000 });
    expect(payload).toMatchObject({ pusher: { name: 'wim' } });
  });

  test('gets a token from this site alone', async () => {
    const made = await press(`/${REPOSITORY}/clone`, {}, { origin: 'http://evil.example' });

    expect(made.status).toBe(403);
  });

  test('is somebody else after choosing so', async () => {
    const response = await press('/-/who', { who: 'max', back: '/deliveries' });

    expect(response.headers.get('set-cookie')).toContain('who=max');
    expect(response.headers.get('location')).toBe('/deliveries');
  });

  test('is not led to another site by the way back', async () => {
    const response = await press('/-/who', { who: 'max', back: '//example.com' });

    expect(response.headers.get('location')).toBe('/');
  });
});

describe('a file of a commit', () => {
  test('is shown as text, each line with its anchor', async () => {
    const sha = await world.github.commit({
      ...{ repository: REPOSITORY, branch: 'file', message: 'A file', author: 'wim' },
      files: { 'network/a b.tf': 'one\n<script>alert(1)</script>\n' },
    });

    const { status, text, headers } = await page(`/${REPOSITORY}/blob/${sha}/network/a%20b.tf`);

    expect(status).toBe(200);
    expect(plain(text)).toContain('network/a b.tf');
    expect(text).toContain('<div id="L2"><a href="#L2">2</a>&#60;script&#62;alert(1)&#60;/script&#62;</div>');
    expect(text).not.toContain('id="L3"');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  test('that is not there says so', async () => {
    const sha = await world.github.headOf(REPOSITORY);

    expect((await page(`/${REPOSITORY}/blob/${sha}/nowhere.tf`)).status).toBe(404);
    expect((await page(`/${REPOSITORY}/blob/${sha}/no%00where.tf`)).status).toBe(404);
    expect((await page(`/${REPOSITORY}/blob/${sha}/network`)).status).toBe(404);
    expect((await page(`/${REPOSITORY}/blob/${'0'.repeat(40)}/README.md`)).status).toBe(404);
  });
});

describe('a check run', () => {
  test('shows its summary and a button that tells the App who pressed it', async () => {
    const output = { title: '1 to add', summary: '| add |\n| - |\n| 1 |\n\n<script>alert(1)</script>' };
    const path = await aCheckRun({ conclusion: 'action_required', output, actions: [ACTION] });
    const { text } = await page(path);

    const pressed = await press(`${path}/press`, { identifier: ACTION.identifier });

    await world.github.settled();
    expect(text).toContain('<td>1</td>');
    expect(text).not.toContain('<script>alert');
    expect(text).toContain('>Confirm</button>');
    expect(pressed.status).toBe(303);
    expect(world.receiver.received('check_run.requested_action').at(-1)?.payload).toMatchObject({
      requested_action: { identifier: ACTION.identifier },
      sender: { login: 'wim' },
    });
  });

  test('shows no buttons to a person who may only read, and takes none from them', async () => {
    const path = await aCheckRun({ conclusion: 'action_required', actions: [ACTION] });

    const pressed = await press(`${path}/press`, { identifier: ACTION.identifier }, { cookie: 'who=rea' });

    expect((await page(path, 'rea')).text).not.toContain('>Confirm</button>');
    expect(pressed.status).toBe(403);
  });

  test('takes no press from another site', async () => {
    const path = await aCheckRun({ conclusion: 'action_required', actions: [ACTION] });

    const pressed = await press(`${path}/press`, { identifier: ACTION.identifier }, { origin: 'http://evil.example' });

    expect(pressed.status).toBe(403);
  });

  test('can be run again, alone and with all others', async () => {
    const path = await aCheckRun({ conclusion: 'failure' });
    const suite = world.github.checkSuites(REPOSITORY).find(({ headSha }) => path !== '' && headSha !== '');

    const one = await press(`${path}/rerun`, {});
    const all = await press(`/${REPOSITORY}/suites/${suite?.id ?? 0}/rerun`, {});

    await world.github.settled();
    expect([one.status, all.status]).toEqual([303, 303]);
    expect(world.receiver.received('check_run.rerequested')).not.toHaveLength(0);
    expect(world.receiver.received('check_suite.rerequested')).not.toHaveLength(0);
  });
});

describe('a pull request', () => {
  test('is commented and approved in the name of whoever is chosen', async () => {
    await aChange('talk');
    const { number } = await world.github.openPullRequest({
      repository: REPOSITORY,
      title: '<b>Talk</b>',
      head: 'talk',
      author: 'wim',
    });
    const path = `/${REPOSITORY}/pull/${number}`;

    await press(`${path}/comment`, { body: 'nereid apply' });
    await press(`${path}/approve`, {}, { cookie: 'who=max' });

    const { text } = await page(path);
    expect(world.github.comments({ repository: REPOSITORY, number })).toMatchObject([
      { author: 'wim', body: 'nereid apply' },
    ]);
    expect(text).toMatch(/<b>max<\/b> approved/);
    expect(text).not.toContain('Update branch');
    expect(text).not.toContain('<b>Talk</b>');
    expect(text).not.toContain('<script>alert');
  });
});

test('a pull request that is behind its base has a button that updates its branch', async () => {
  await aChange('late');
  const head = { title: 'Late', head: 'late', author: 'wim' };
  const { number } = await world.github.openPullRequest({ repository: REPOSITORY, ...head });
  const approved = { repository: REPOSITORY, number };
  await world.github.approve(approved, 'max');
  await world.github.commit({
    ...{ repository: REPOSITORY, branch: 'main', message: 'Meanwhile', author: 'max' },
    files: { 'meanwhile.tf': '' },
  });
  const path = `/${REPOSITORY}/pull/${number}`;
  const before = (await page(path)).text;

  const updated = await press(`${path}/update`, {});

  const after = (await page(path)).text;
  expect(before).toContain('Update branch');
  expect(updated.status).toBe(303);
  expect(after).not.toContain('Update branch');
  expect(plain(after)).toMatch(/max approved [0-9a-f]{7} , an older head/);
});

describe('webhook deliveries', () => {
  test('are shown with the answer and can be sent again', async () => {
    await aChange('deliveries');
    await world.github.settled();
    const delivery = world.github.deliveries().findLast(({ event }) => event === 'push');

    const again = await press(`/deliveries/${delivery?.id ?? 0}/redeliver`, {});

    expect(again.status).toBe(303);
    expect((await page('/deliveries')).text).toContain('redelivery');
    expect(world.github.deliveries().at(-1)).toMatchObject({ guid: delivery?.guid, redelivery: true });
  });
});

describe('every page', () => {
  test('runs nothing but its own script', async () => {
    const { headers } = await page('/');

    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('content-security-policy')).toContain("script-src 'self'");
  });

  test('that does not exist says so', async () => {
    expect((await page('/acme/nothing')).status).toBe(404);
    expect((await page('/a/b/c/d/e')).status).toBe(404);
  });

  test('hears of changes', async () => {
    const response = await fetch(`${world.github.url}/-/changes`);
    const reader = response.body?.getReader();

    world.github.setTeam('acme', 'platform', []);

    let heard = '';
    while (!heard.includes('data: changed')) heard += Buffer.from((await reader?.read())?.value ?? []).toString();
    expect(heard).toContain('data: changed');
    await reader?.cancel();
  });
});
