/** Pull requests are planned before they are merged: the merged result, for every root that they modify. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { RECONCILE_SCHEDULE } from '@nereid/contracts';
import type { CheckRun } from '@nereid/github-stand-in';
import { Client, Connection } from '@temporalio/client';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { until } from '../faults/terrain.ts';
import { ensureSample, SAMPLE_NAME } from '../sample/repository.ts';
import { startStack, type Stack } from '../stack/stack.ts';

let folder: string;
let stack: Stack;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'nereid-pull-request-'));
  const report = () => undefined;
  stack = await startStack({
    env: process.env,
    folder,
    ports: 'free',
    storage: 'folder',
    report,
    plansPullRequests: true,
  });
  await ensureSample(stack.github);
});

afterAll(async () => {
  await stack[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

interface Opened {
  readonly number: number;
  readonly sha: string;
  readonly branch: string;
}

let opened = 0;

async function open(files: Readonly<Record<string, string>>, how: { readonly draft?: boolean } = {}): Promise<Opened> {
  const { github } = stack;
  opened += 1;
  const branch = `change-${opened}`;
  const sha = await github.commit({ repository: SAMPLE_NAME, branch, files, message: branch, author: 'bob' });
  const request = { repository: SAMPLE_NAME, head: branch, title: `Change ${opened}`, author: 'bob', ...how };
  const { number } = await github.openPullRequest(request);
  return { number, sha, branch };
}

const resource = (name: string) => `resource "terraform_data" "${name}" {}\n`;
const MANY = `terraform {\n  backend "local" {}\n}\n${resource('one')}`;

/** The newest check run of this name on the commit, once it is completed. */
async function completed(name: string, sha: string): Promise<Readonly<CheckRun>> {
  let found: readonly Readonly<CheckRun>[] = [];
  await until(
    `${name} to be completed on ${sha}`,
    async () => {
      found = runsOf(name, sha).toSorted((one, other) => other.id - one.id);
      return Promise.resolve(found[0]?.conclusion != null);
    },
    () => JSON.stringify(found.map(({ status, output }) => [status, output.title])),
  );
  if (found[0] === undefined) throw new Error(`expected ${name}`);
  return found[0];
}

function runsOf(name: string, sha: string): readonly Readonly<CheckRun>[] {
  return stack.github.checkRuns(SAMPLE_NAME).filter((run) => run.name === name && run.headSha === sha);
}

/** Says the whole reply, or a part of it. */
async function replied(number: number, text: string): Promise<void> {
  const bodies = () => stack.github.comments({ repository: SAMPLE_NAME, number }).map(({ body }) => body);
  await until(
    `a reply that says ${text}`,
    () => Promise.resolve(bodies().some((body) => body.includes(text))),
    () => JSON.stringify(bodies()),
  );
}

async function titled(name: string, sha: string, title: string): Promise<Readonly<CheckRun>> {
  let found: Readonly<CheckRun> | undefined;
  await until(
    `${name} on ${sha} to say ${title}`,
    async () => {
      found = await completed(name, sha);
      return found.output.title === title;
    },
    () => JSON.stringify(found?.output.title),
  );
  if (found === undefined) throw new Error(`expected ${name}`);
  return found;
}

describe('a pull request', () => {
  test('shows what its merge would change, root by root and in one check run', async () => {
    const { sha, number } = await open({ 'network/pull.tf': resource('a'), 'database/pull.tf': resource('b') });

    const all = await completed('nereid/plan', sha);
    const network = await completed('nereid/plan: network', sha);

    expect(all).toMatchObject({
      conclusion: 'success',
      output: { title: expect.stringMatching(/^Plan: \d+ to add, 0 to change, 0 to destroy, in 2 of 2 roots$/) },
    });
    expect(all.output.summary).toContain('network');
    expect(network).toMatchObject({
      conclusion: 'success',
      actions: [],
      output: { title: expect.stringMatching(/^Plan: \d+ to add/) },
    });
    expect(network.output.summary).toContain(`#${number}`);
  });

  test('that touches no root has a check run that says so', async () => {
    const { sha } = await open({ 'README.md': 'words' });

    expect(await completed('nereid/plan', sha)).toMatchObject({
      conclusion: 'success',
      output: { title: 'Touches no root' },
    });
  });

  test('that cannot be merged has one that names the files', async () => {
    const { github } = stack;
    const first = await open({ 'network/conflict.tf': resource('left') });
    await completed('nereid/plan', first.sha);
    const second = await open({ 'network/conflict.tf': resource('right') });
    await completed('nereid/plan', second.sha);
    await github.mergePullRequest({ repository: SAMPLE_NAME, number: first.number }, { kind: 'merge', by: 'alice' });
    await github.commit({
      repository: SAMPLE_NAME,
      branch: second.branch,
      files: { 'network/more.tf': '' },
      message: 'more',
      author: 'bob',
    });
    const sha = await github.headOf(SAMPLE_NAME, second.branch);

    const run = await completed('nereid/plan', sha);

    expect(run).toMatchObject({ conclusion: 'failure', output: { title: 'Conflicts with main: nothing was planned' } });
    expect(run.output.summary).toContain('network/conflict.tf');
  });

  test('with code that does not plan fails, and says why', async () => {
    const { sha } = await open({ 'database/wrong.tf': 'resource "terraform_data" "x" { input = local.missing }\n' });

    expect(await completed('nereid/plan', sha)).toMatchObject({
      conclusion: 'failure',
      output: { title: '1 of 1 root could not be planned', summary: expect.stringContaining('undeclared local value') },
    });
    expect(await completed('nereid/plan: database', sha)).toMatchObject({ conclusion: 'failure' });
  });

  test('that is a draft waits for a command', async () => {
    const { sha } = await open({ 'network/draft.tf': resource('d') }, { draft: true });

    expect(await completed('nereid/plan', sha)).toMatchObject({
      conclusion: 'action_required',
      output: { title: 'A draft: comment `nereid plan` for a plan' },
    });
  });

  test('is out of date once its root was merged, and is planned again once that was deployed', async () => {
    const { sha } = await open({ 'database/later.tf': resource('later') });
    const { id } = await completed('nereid/plan', sha);
    const files = { 'database/first.tf': resource('first') };

    const merged = await stack.github.commit({
      ...{ repository: SAMPLE_NAME, branch: 'main', files, message: 'first', author: 'bob' },
    });
    await titled(
      'nereid/plan',
      sha,
      `Out of date: ${merged.slice(0, 7)} was merged, planned again after its deployment`,
    );
    const deployment = await completed('nereid/deploy: database', merged);
    const confirm = deployment.actions.find(({ label }) => label === 'Confirm')?.identifier ?? '';
    stack.github.pressButton(deployment.id, confirm, 'alice');

    const after = await titled('nereid/plan', sha, 'Plan: 1 to add, 0 to change, 0 to destroy, in 1 of 1 root');
    expect(after).toMatchObject({ id, conclusion: 'success' });
    await until(`a plan with ${merged}`, async () => {
      const { output } = await completed('nereid/plan: database', sha);
      return output.summary?.includes(`merged with \`main\` at \`${merged.slice(0, 7)}\``) === true;
    });
  });

  test('that is pushed to again is planned at its new head, and the plans of the old one end', async () => {
    const first = await open({ 'network/one.tf': resource('one') });
    await until('its check run', () => Promise.resolve(runsOf('nereid/plan', first.sha).length > 0));
    const files = { 'network/two.tf': resource('two') };
    const sha = await stack.github.commit({
      ...{ repository: SAMPLE_NAME, branch: first.branch, files, message: 'two', author: 'bob' },
    });

    await completed('nereid/plan', sha);
    const { output } = await completed('nereid/plan: network', sha);

    expect(output.summary).toContain('terraform_data.one');
    expect(output.summary).toContain('terraform_data.two');
    await completed('nereid/plan', first.sha);
  });

  test('is planned on command: a draft, and again', async () => {
    const { number, sha } = await open({ 'network/wanted.tf': resource('wanted') }, { draft: true });
    await completed('nereid/plan', sha);

    stack.github.comment({ repository: SAMPLE_NAME, number }, 'alice', 'nereid plan nowhere');
    await replied(number, 'this pull request modifies no root with the name nowhere; it modifies network');
    stack.github.comment({ repository: SAMPLE_NAME, number }, 'alice', 'nereid plan');
    await replied(number, 'Planning: `network`. Follow it in the checks of this pull request.');

    await until('the plan of the draft', async () => (await completed('nereid/plan', sha)).conclusion === 'success');
    const first = await completed('nereid/plan: network', sha);
    stack.github.comment({ repository: SAMPLE_NAME, number }, 'alice', 'nereid plan network');
    await until('another plan', async () => (await completed('nereid/plan: network', sha)).id !== first.id);
    const again = await completed('nereid/plan: network', sha);
    stack.github.rerequestCheckRun(again.id, 'alice');
    await until('a third plan', async () => (await completed('nereid/plan: network', sha)).id !== again.id);
  });

  test('of more than a hundred roots is planned root by root, and is no success by that', async () => {
    const folders = Array.from({ length: 101 }, (_, index) => `many/r${index}`);
    const { number, sha } = await open(Object.fromEntries(folders.map((one) => [`${one}/main.tf`, MANY])));
    const { conclusion, output } = await completed('nereid/plan', sha);
    expect(conclusion).toBe('failure');
    expect(output.title).toMatch(/^101 roots, the limit is 100: /);

    stack.github.comment({ repository: SAMPLE_NAME, number }, 'alice', 'nereid plan many-r7');

    const title = 'Plan: 1 to add, 0 to change, 0 to destroy, in 1 of 1 root, 100 roots not planned';
    expect(await titled('nereid/plan', sha, title)).toMatchObject({ conclusion: 'action_required' });
    await completed('nereid/plan: many-r7', sha);
  });

  test('is planned, although its head was another one for a moment', async () => {
    const { branch, sha } = await open({ 'network/back.tf': resource('back') });
    const files = { 'network/forth.tf': resource('forth') };
    await stack.github.commit({ ...{ repository: SAMPLE_NAME, branch, files, message: 'forth', author: 'bob' } });
    await stack.github.forcePush({ repository: SAMPLE_NAME, branch, to: sha, by: 'bob' });

    await until('its plan', async () => (await completed('nereid/plan', sha)).conclusion === 'success');
  });

  test('has a page for each of its plans', async () => {
    const { sha } = await open({ 'network/page.tf': resource('page') });
    const { detailsUrl } = await completed('nereid/plan: network', sha);

    const page = await fetch(detailsUrl ?? '');

    expect(page.status).toBe(200);
    expect(await page.text()).toContain('Planned');
  });
});

describe('a merge queue that requires nereid/plan', () => {
  beforeEach(async () => {
    const rules = { requiredChecks: ['nereid/plan'], mergeQueue: { groupSize: 2 } };
    await stack.github.setBranchRules(SAMPLE_NAME, 'main', rules);
  });

  afterAll(() => stack.github.setBranchRules(SAMPLE_NAME, 'main', undefined));

  async function enqueue({ number, sha }: Opened): Promise<void> {
    await completed('nereid/plan', sha);
    await stack.github.enqueue({ repository: SAMPLE_NAME, number }, 'alice');
  }

  const groups = () => stack.github.queueOf(SAMPLE_NAME, 'main');
  const isMerged = ({ number }: Opened) =>
    stack.github.pullRequest({ repository: SAMPLE_NAME, number }).merged !== null;

  test('merges its groups once they are planned, several at a time', async () => {
    const all = [
      await open({ 'network/first-in.tf': resource('first_in') }),
      await open({ 'network/second-in.tf': resource('second_in') }),
      await open({ 'database/third-in.tf': resource('third_in') }),
    ];
    for (const one of all) await enqueue(one);
    const last = groups().at(-1);

    await until('all to be merged', () => Promise.resolve(all.every(isMerged)));

    expect(await completed('nereid/plan', last?.headSha ?? '')).toMatchObject({ conclusion: 'success' });
    const { output } = await completed('nereid/plan: database', last?.headSha ?? '');
    expect(output.summary).toContain('of the merge queue, against');
    expect(await stack.github.headOf(SAMPLE_NAME)).toBe(last?.headSha);
  });

  test('merges a group of five pull requests on one root, behind another one', async () => {
    const five = { requiredChecks: ['nereid/plan'], mergeQueue: { groupSize: 5 } };
    await stack.github.setBranchRules(SAMPLE_NAME, 'main', five);
    const names = ['one', 'two', 'three', 'four', 'five'];
    const all = [await open({ 'network/before-five.tf': resource('before_five') })];
    for (const name of names) all.push(await open({ [`database/of-${name}.tf`]: resource(`of_${name}`) }));
    for (const one of all) await enqueue(one);
    const last = groups().at(-1);

    await until('all to be merged', () => Promise.resolve(all.every(isMerged)));

    const { conclusion, output } = await completed('nereid/plan: database', last?.headSha ?? '');
    expect(conclusion).toBe('success');
    for (const name of names) expect(output.summary).toContain(`terraform_data.of_${name}`);
    expect(await stack.github.headOf(SAMPLE_NAME)).toBe(last?.headSha);
  });

  test('takes out what does not plan with the others', async () => {
    const one = await open({ 'network/twice.tf': resource('twice') });
    const other = await open({ 'network/again.tf': resource('twice') });
    await enqueue(one);
    await enqueue(other);

    await until('the first to be merged', () => Promise.resolve(isMerged(one)));
    await until('the other to be out', () => Promise.resolve(groups().length === 0));

    expect(isMerged(other)).toBe(false);
  });

  test('ends the plans of a group that is given up', async () => {
    const change = await open({ 'database/given-up.tf': resource('given_up') });
    await enqueue(change);
    const group = groups()[0]?.headSha ?? '';
    await until('its check run', () => Promise.resolve(runsOf('nereid/plan', group).length > 0));

    await stack.github.dequeue({ repository: SAMPLE_NAME, number: change.number }, 'alice');

    expect((await completed('nereid/plan', group)).headSha).toBe(group);
    expect(isMerged(change)).toBe(false);
  });
});

describe('a webhook that is lost', () => {
  const loseOne = (event: string) => stack.github.faults.add({ kind: 'lost webhook', event, times: 1 });

  async function reconcile(): Promise<void> {
    const connection = await Connection.connect({ address: stack.temporalAddress });
    // A round may be under way, and may have looked already.
    await new Client({ connection }).schedule.getHandle(RECONCILE_SCHEDULE).trigger('BUFFER_ONE');
    await connection.close();
  }

  /** Whether a preview of the pull request is current. */
  async function isPlanned({ number }: Opened): Promise<boolean> {
    const files = await readdir(stack.folders.storage, { recursive: true });
    return files.some((file) => file.includes('previewed/') && file.endsWith(`/${number}`));
  }

  test('does not keep a pull request from being planned, nor its next head', async () => {
    loseOne('pull_request');
    const { sha, branch } = await open({ 'network/unheard.tf': resource('unheard') });
    await reconcile();
    expect(await completed('nereid/plan', sha)).toMatchObject({ conclusion: 'success' });
    loseOne('pull_request');
    const files = { 'network/unheard-too.tf': resource('unheard_too') };
    const next = await stack.github.commit({
      ...{ repository: SAMPLE_NAME, branch, files, message: 'unheard too', author: 'bob' },
    });

    await reconcile();

    expect(await completed('nereid/plan', next)).toMatchObject({ conclusion: 'success' });
  });

  test('does not have a pull request planned after it was closed', async () => {
    const closed = await open({ 'network/closed.tf': resource('closed') });
    await completed('nereid/plan', closed.sha);
    expect(await isPlanned(closed)).toBe(true);
    loseOne('pull_request');
    await stack.github.closePullRequest({ repository: SAMPLE_NAME, number: closed.number }, 'bob');

    await reconcile();

    await until('its plans to be forgotten', async () => !(await isPlanned(closed)));
  });

  test('does not hold up a merge queue', async () => {
    const rules = { requiredChecks: ['nereid/plan'], mergeQueue: { groupSize: 2 } };
    await stack.github.setBranchRules(SAMPLE_NAME, 'main', rules);
    const { number, sha } = await open({ 'database/queued.tf': resource('queued') });
    await completed('nereid/plan', sha);
    loseOne('merge_group');
    await stack.github.enqueue({ repository: SAMPLE_NAME, number }, 'alice');

    await reconcile();

    const isMerged = () => stack.github.pullRequest({ repository: SAMPLE_NAME, number }).merged !== null;
    await until('it to be merged', () => Promise.resolve(isMerged()));
    await stack.github.setBranchRules(SAMPLE_NAME, 'main', undefined);
  });
});
