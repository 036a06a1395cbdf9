/** Pull requests are planned before they are merged: the merged result, for every root that they modify. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { RECONCILE_SCHEDULE } from '@nereid/domain/temporal-names';
import { Client, Connection } from '@temporalio/client';
import { readdir } from 'node:fs/promises';
import { until } from '../faults/terrain.ts';
import { SAMPLE_NAME } from '../sample/repository.ts';
import type { Stack } from '../stack/stack.ts';
import { resource, startStage, type Opened, type Stage } from './stage.ts';

let stage: Stage;
let stack: Stack;

beforeAll(async () => {
  stage = await startStage();
  stack = stage.stack;
});

afterAll(async () => {
  await stage[Symbol.asyncDispose]();
});

const rootWith = (state: string) => `terraform {\n  backend "local" { path = "${state}" }\n}\n${resource('one')}`;

/** Says the whole reply, or a part of it. */
async function replied(number: number, text: string): Promise<void> {
  const bodies = () => stack.github.comments({ repository: SAMPLE_NAME, number }).map(({ body }) => body);
  await until(
    `a reply that says ${text}`,
    () => Promise.resolve(bodies().some((body) => body.includes(text))),
    () => JSON.stringify(bodies()),
  );
}

describe('a pull request', () => {
  test('shows what its merge would change, root by root and in one check run', async () => {
    const { sha, number } = await stage.open({ 'network/pull.tf': resource('a'), 'database/pull.tf': resource('b') });

    const all = await stage.completed('nereid/plan', sha);
    const network = await stage.completed('nereid/plan: network', sha);

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
    const { sha } = await stage.open({ 'README.md': 'words' });

    expect(await stage.completed('nereid/plan', sha)).toMatchObject({
      conclusion: 'success',
      output: { title: 'Touches no root' },
    });
  });

  test('that cannot be merged has one that names the files', async () => {
    const { github } = stack;
    const first = await stage.open({ 'network/conflict.tf': resource('left') });
    await stage.completed('nereid/plan', first.sha);
    const second = await stage.open({ 'network/conflict.tf': resource('right') });
    await stage.completed('nereid/plan', second.sha);
    await github.mergePullRequest({ repository: SAMPLE_NAME, number: first.number }, { kind: 'merge', by: 'alice' });
    await github.commit({
      repository: SAMPLE_NAME,
      branch: second.branch,
      files: { 'network/more.tf': '' },
      message: 'more',
      author: 'bob',
    });
    const sha = await github.headOf(SAMPLE_NAME, second.branch);

    const run = await stage.completed('nereid/plan', sha);

    expect(run).toMatchObject({ conclusion: 'failure', output: { title: 'Conflicts with main: nothing was planned' } });
    expect(run.output.summary).toContain('network/conflict.tf');
  });

  test('with code that does not plan fails, and says why', async () => {
    const { sha } = await stage.open({
      'database/wrong.tf': 'resource "terraform_data" "x" { input = local.missing }\n',
    });

    expect(await stage.completed('nereid/plan', sha)).toMatchObject({
      conclusion: 'failure',
      output: { title: '1 of 1 root could not be planned', summary: expect.stringContaining('undeclared local value') },
    });
    expect(await stage.completed('nereid/plan: database', sha)).toMatchObject({ conclusion: 'failure' });
  });

  test('that is a draft waits for a command', async () => {
    const { sha } = await stage.open({ 'network/draft.tf': resource('d') }, { draft: true });

    expect(await stage.completed('nereid/plan', sha)).toMatchObject({
      conclusion: 'action_required',
      output: { title: 'A draft: comment `nereid plan` for a plan' },
    });
  });

  test('is out of date once its root was merged, and is planned again once that was deployed', async () => {
    const { sha } = await stage.open({ 'database/later.tf': resource('later') });
    const { id } = await stage.completed('nereid/plan', sha);
    const files = { 'database/first.tf': resource('first') };

    const merged = await stack.github.commit({
      ...{ repository: SAMPLE_NAME, branch: 'main', files, message: 'first', author: 'bob' },
    });
    await stage.titled(
      'nereid/plan',
      sha,
      `Out of date: ${merged.slice(0, 7)} was merged, planned again after its deployment`,
    );
    const deployment = await stage.completed('nereid/deploy: database', merged);
    const confirm = deployment.actions.find(({ label }) => label === 'Confirm')?.identifier ?? '';
    stack.github.pressButton(deployment.id, confirm, 'alice');

    const after = await stage.titled('nereid/plan', sha, 'Plan: 1 to add, 0 to change, 0 to destroy, in 1 of 1 root');
    expect(after).toMatchObject({ id, conclusion: 'success' });
    await until(`a plan with ${merged}`, async () => {
      const { output } = await stage.completed('nereid/plan: database', sha);
      return output.summary?.includes(`merged with \`main\` at \`${merged.slice(0, 7)}\``) === true;
    });
  });

  test('that is pushed to again is planned at its new head, and the plans of the old one end', async () => {
    const first = await stage.open({ 'network/one.tf': resource('one') });
    await until('its check run', () => Promise.resolve(stage.runsOf('nereid/plan', first.sha).length > 0));
    const files = { 'network/two.tf': resource('two') };
    const sha = await stack.github.commit({
      ...{ repository: SAMPLE_NAME, branch: first.branch, files, message: 'two', author: 'bob' },
    });

    await stage.completed('nereid/plan', sha);
    const { output } = await stage.completed('nereid/plan: network', sha);

    expect(output.summary).toContain('terraform_data.one');
    expect(output.summary).toContain('terraform_data.two');
    await stage.completed('nereid/plan', first.sha);
  });

  test('is planned on command: a draft, and again', async () => {
    const { number, sha } = await stage.open({ 'network/wanted.tf': resource('wanted') }, { draft: true });
    await stage.completed('nereid/plan', sha);

    stack.github.comment({ repository: SAMPLE_NAME, number }, 'alice', 'nereid plan nowhere');
    await replied(number, 'expected names of roots, found "nowhere"; the roots are ');
    stack.github.comment({ repository: SAMPLE_NAME, number }, 'alice', 'nereid plan');
    await replied(number, 'Planning: `network`. Follow it in the checks of this pull request.');

    await until(
      'the plan of the draft',
      async () => (await stage.completed('nereid/plan', sha)).conclusion === 'success',
    );
    const first = await stage.completed('nereid/plan: network', sha);
    stack.github.comment({ repository: SAMPLE_NAME, number }, 'alice', 'nereid plan network');
    await until('another plan', async () => (await stage.completed('nereid/plan: network', sha)).id !== first.id);
    const again = await stage.completed('nereid/plan: network', sha);
    stack.github.rerequestCheckRun(again.id, 'alice');
    await until('a third plan', async () => (await stage.completed('nereid/plan: network', sha)).id !== again.id);
  });

  test('of more than a hundred roots is planned root by root, and is no success by that', async () => {
    const names = Array.from({ length: 101 }, (_, index) => `r${index}`);
    const files = names.map(
      (one) => [`many/${one}/main.tf`, rootWith(`${stack.folders.state}/${one}.tfstate`)] as const,
    );
    const { number, sha } = await stage.open(Object.fromEntries(files));
    const { conclusion, output } = await stage.completed('nereid/plan', sha);
    expect(conclusion).toBe('action_required');
    expect(output.title).toMatch(/^101 roots, the limit is 100: /);

    stack.github.comment({ repository: SAMPLE_NAME, number }, 'alice', 'nereid plan many-r7');

    const title = 'Plan: 1 to add, 0 to change, 0 to destroy, in 1 of 1 root, 100 roots not planned';
    expect(await stage.titled('nereid/plan', sha, title)).toMatchObject({ conclusion: 'action_required' });
    const first = await stage.completed('nereid/plan: many-r7', sha);
    stack.github.comment({ repository: SAMPLE_NAME, number }, 'alice', 'nereid plan many-r8');
    await stage.titled('nereid/plan', sha, /in 2 of 2 roots, 99 roots not planned$/);
    expect((await stage.completed('nereid/plan: many-r7', sha)).id).toBe(first.id);
  });

  test('is planned, although its head was another one for a moment', async () => {
    const { branch, sha } = await stage.open({ 'network/back.tf': resource('back') });
    const files = { 'network/forth.tf': resource('forth') };
    await stack.github.commit({ ...{ repository: SAMPLE_NAME, branch, files, message: 'forth', author: 'bob' } });
    await stack.github.forcePush({ repository: SAMPLE_NAME, branch, to: sha, by: 'bob' });

    await until('its plan', async () => (await stage.completed('nereid/plan', sha)).conclusion === 'success');
  });

  test('has a page for each of its plans', async () => {
    const { sha } = await stage.open({ 'network/page.tf': resource('page') });
    const { detailsUrl } = await stage.completed('nereid/plan: network', sha);

    await until('its page', async () => {
      const page = await fetch(detailsUrl ?? '');
      return page.status === 200 && (await page.text()).includes('Planned');
    });
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
    const { sha, branch } = await stage.open({ 'network/unheard.tf': resource('unheard') });
    await reconcile();
    expect(await stage.completed('nereid/plan', sha)).toMatchObject({ conclusion: 'success' });
    loseOne('pull_request');
    const files = { 'network/unheard-too.tf': resource('unheard_too') };
    const next = await stack.github.commit({
      ...{ repository: SAMPLE_NAME, branch, files, message: 'unheard too', author: 'bob' },
    });

    await reconcile();

    expect(await stage.completed('nereid/plan', next)).toMatchObject({ conclusion: 'success' });
  });

  test('does not have a pull request planned after it was closed', async () => {
    const closed = await stage.open({ 'network/closed.tf': resource('closed') });
    await stage.completed('nereid/plan', closed.sha);
    expect(await isPlanned(closed)).toBe(true);
    loseOne('pull_request');
    await stack.github.closePullRequest({ repository: SAMPLE_NAME, number: closed.number }, 'bob');

    await reconcile();

    await until('its plans to be forgotten', async () => !(await isPlanned(closed)));
  });

  test('does not hold up a merge queue', async () => {
    const rules = { requiredChecks: ['nereid/plan'], mergeQueue: { groupSize: 2 } };
    await stack.github.setBranchRules(SAMPLE_NAME, 'main', rules);
    const { number, sha } = await stage.open({ 'database/queued.tf': resource('queued') });
    await stage.completed('nereid/plan', sha);
    loseOne('merge_group');
    await stack.github.enqueue({ repository: SAMPLE_NAME, number }, 'alice');

    await reconcile();

    const isMerged = () => stack.github.pullRequest({ repository: SAMPLE_NAME, number }).merged !== null;
    await until('it to be merged', () => Promise.resolve(isMerged()));
    await stack.github.setBranchRules(SAMPLE_NAME, 'main', undefined);
  });
});
