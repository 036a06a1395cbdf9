/** A merge queue that requires nereid/plan lets groups through and out. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
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

describe('a merge queue that requires nereid/plan', () => {
  beforeEach(async () => {
    const rules = { requiredChecks: ['nereid/plan'], mergeQueue: { groupSize: 2 } };
    await stack.github.setBranchRules(SAMPLE_NAME, 'main', rules);
  });

  afterAll(() => stack.github.setBranchRules(SAMPLE_NAME, 'main', undefined));

  async function enqueue({ number, sha }: Opened): Promise<void> {
    await stage.completed('nereid/plan', sha);
    await stack.github.enqueue({ repository: SAMPLE_NAME, number }, 'alice');
  }

  /** No group gets its checks before all are in the queue, or the groups would depend on who is faster. */
  async function enqueueAll(all: readonly Opened[]): Promise<void> {
    for (const { sha } of all) await stage.completed('nereid/plan', sha);
    const heal = stack.github.faults.add({ kind: 'failure', status: 503, route: /^POST .*check-runs/ });
    for (const one of all) await enqueue(one);
    heal();
  }

  const groups = () => stack.github.queueOf(SAMPLE_NAME, 'main');
  const isMerged = ({ number }: Opened) =>
    stack.github.pullRequest({ repository: SAMPLE_NAME, number }).merged !== null;

  test('merges its groups once they are planned, several at a time', async () => {
    const all = [
      await stage.open({ 'network/first-in.tf': resource('first_in') }),
      await stage.open({ 'network/second-in.tf': resource('second_in') }),
      await stage.open({ 'database/third-in.tf': resource('third_in') }),
    ];
    await enqueueAll(all);
    const last = groups().at(-1);

    await until('all to be merged', () => Promise.resolve(all.every(isMerged)));

    expect(await stage.completed('nereid/plan', last?.headSha ?? '')).toMatchObject({ conclusion: 'success' });
    const { output } = await stage.completed('nereid/plan: database', last?.headSha ?? '');
    expect(output.summary).toContain('of the merge queue, against');
    expect(await stack.github.headOf(SAMPLE_NAME)).toBe(last?.headSha);
  });

  test('merges a group of five pull requests on one root, behind another one', async () => {
    const five = { requiredChecks: ['nereid/plan'], mergeQueue: { groupSize: 5 } };
    await stack.github.setBranchRules(SAMPLE_NAME, 'main', five);
    const names = ['one', 'two', 'three', 'four', 'five'];
    const all = [await stage.open({ 'network/before-five.tf': resource('before_five') })];
    for (const name of names) all.push(await stage.open({ [`database/of-${name}.tf`]: resource(`of_${name}`) }));
    await enqueueAll(all);
    const last = groups().at(-1);

    await until('all to be merged', () => Promise.resolve(all.every(isMerged)));

    const { conclusion, output } = await stage.completed('nereid/plan: database', last?.headSha ?? '');
    expect(conclusion).toBe('success');
    for (const name of names) expect(output.summary).toContain(`terraform_data.of_${name}`);
    expect(await stack.github.headOf(SAMPLE_NAME)).toBe(last?.headSha);
  });

  test('takes out what does not plan with the others', async () => {
    const one = await stage.open({ 'network/twice.tf': resource('twice') });
    const other = await stage.open({ 'network/again.tf': resource('twice') });
    await enqueue(one);
    await enqueue(other);

    await until('the first to be merged', () => Promise.resolve(isMerged(one)));
    await until('the other to be out', () => Promise.resolve(groups().length === 0));

    expect(isMerged(other)).toBe(false);
  });

  test('ends the plans of a group that is given up', async () => {
    const change = await stage.open({ 'database/given-up.tf': resource('given_up') });
    await enqueue(change);
    const group = groups()[0]?.headSha ?? '';
    await until('its check run', () => Promise.resolve(stage.runsOf('nereid/plan', group).length > 0));

    await stack.github.dequeue({ repository: SAMPLE_NAME, number: change.number }, 'alice');

    expect((await stage.completed('nereid/plan', group)).headSha).toBe(group);
    expect(isMerged(change)).toBe(false);
  });
});
