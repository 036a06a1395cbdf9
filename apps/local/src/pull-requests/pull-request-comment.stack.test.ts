/** The one comment on a pull request, and the page to which it leads. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
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

/** The link of the check run `nereid/plan`, once it is completed. */
async function linkOfCheckRun(sha: string): Promise<string | null | undefined> {
  const found = () =>
    stack.github.checkRuns(SAMPLE_NAME).find(({ name, headSha }) => name === 'nereid/plan' && headSha === sha);
  await until(`nereid/plan to be completed on ${sha}`, () => Promise.resolve(found()?.conclusion != null));
  return found()?.detailsUrl;
}

describe('the comment', () => {
  const ofTheApp = ({ number }: Opened) =>
    stack.github.comments({ repository: SAMPLE_NAME, number }).filter(({ author }) => author.endsWith('[bot]'));

  /** There is one, about this head, and it says this in its first line. */
  async function said(one: Opened, sha: string, title: RegExp): Promise<string> {
    let bodies: readonly string[] = [];
    await until(
      `one comment on ${sha} that says ${String(title)}`,
      () => {
        bodies = ofTheApp(one).map(({ body }) => body);
        const [body = ''] = bodies;
        return Promise.resolve(bodies.length === 1 && title.test(body) && body.includes(`\`${sha.slice(0, 7)}\``));
      },
      () => JSON.stringify(bodies),
    );
    return bodies[0] ?? '';
  }

  test('on a pull request says what its merge would change, links to the page with all plans, and follows its heads', async () => {
    const one = await stage.open({ 'network/said.tf': resource('said') });

    const first = await said(one, one.sha, /^### Plan: \d+ to add, 0 to change, 0 to destroy, in 1 of 1 root/);
    const [, address = ''] = /\[All plans, with their logs\]\((.*?)\)/.exec(first) ?? [];
    const page = await fetch(address);
    const detailsUrl = await linkOfCheckRun(one.sha);
    const wrong = await stage.push(one.branch, {
      'network/said.tf': 'resource "terraform_data" "x" { input = local.no }\n',
    });
    await said(one, wrong, /^### 1 of 1 root could not be planned/);
    const none = await stage.push(one.branch, { 'network/said.tf': null, 'README.md': 'words' });
    await said(one, none, /^### Touches no root/);
    const after = await (await fetch(address)).text();

    expect(page.status).toBe(200);
    expect(await page.text()).toContain('terraform_data.said');
    expect(detailsUrl).toBe(address);
    expect(after).toContain('1 of 1 root could not be planned');
    expect(after).toContain(one.sha.slice(0, 7));
  });

  test('names what a root that goes leaves behind, and says how to destroy it', async () => {
    const merged = await stage.push('main', { 'dns/comment.tf': resource('left_behind') });
    const runs = () => stack.github.checkRuns(SAMPLE_NAME);
    await until('dns to be deployed', () =>
      Promise.resolve(
        runs().some(({ headSha, output }) => headSha === merged && output.title?.startsWith('Applied') === true),
      ),
    );

    const one = await stage.open({ 'dns/main.tf': null, 'dns/comment.tf': null });
    const body = await said(one, one.sha, /^### Removes 1 root: 2 resources stay/);

    expect(body).toContain('To destroy the resources, first merge a change that removes them');
    const ofRoot = () => runs().find(({ name, headSha }) => name === 'nereid/plan: dns' && headSha === one.sha);
    await until('nereid/plan: dns to be completed', () => Promise.resolve(ofRoot()?.conclusion != null));
    expect(ofRoot()).toMatchObject({
      conclusion: 'neutral',
      output: { title: 'Removes the root: 2 resources stay, nothing destroys them' },
    });
    expect(ofRoot()?.output.summary).toContain('! terraform_data.left_behind');
  });

  test('is one, though nobody heard that it was written', async () => {
    stack.github.faults.add({ kind: 'lost answer', route: /^POST .*\/issues\/\d+\/comments/, times: 1 });
    const one = await stage.open({ 'network/unheard-comment.tf': resource('unheard_comment') });

    await said(one, one.sha, /^### Plan: \d+ to add/);
    await linkOfCheckRun(one.sha);

    expect(ofTheApp(one)).toHaveLength(1);
  });

  test('is not written where nothing changes', async () => {
    const one = await stage.open({ 'README.md': 'other words' });
    await linkOfCheckRun(one.sha);
    const other = await stage.open({ 'network/later-comment.tf': resource('later_comment') });
    await said(other, other.sha, /^### Plan: \d+ to add/);

    expect(ofTheApp(one)).toEqual([]);
  });
});
