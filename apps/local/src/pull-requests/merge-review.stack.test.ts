/** A plan that a person confirmed on the pull request is applied after the merge, without a second plan or wait. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { isJobAuditEvent, type JobAuditEvent } from '@nereid/domain/trail';
import type { CheckRun } from '@nereid/github-stand-in';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { until } from '../faults/terrain.ts';
import { SAMPLE_NAME } from '../sample/repository.ts';
import { makeFolders } from '../stack/folders.ts';
import type { Stack } from '../stack/stack.ts';
import { resource, startStage, type Opened, type Stage } from './stage.ts';

let folder: string;
let stage: Stage;
let stack: Stack;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'nereid-merge-review-'));
  const { state } = await makeFolders(folder);
  const beforePlan = `echo "$REPO_REL_DIR $HEAD_COMMIT" >> ${path.join(state, 'planned')}`;
  stage = await startStage({ folder, planReview: 'before_merge', beforePlan });
  stack = stage.stack;
});

afterAll(async () => {
  await stage[Symbol.asyncDispose]();
});

function press(run: Readonly<CheckRun>, label: string, by: string): void {
  const identifier = run.actions.find((action) => action.label === label)?.identifier;
  if (identifier === undefined) throw new Error(`expected a button ${label}, found ${JSON.stringify(run.actions)}`);
  stack.github.pressButton(run.id, identifier, by);
}

/** The plans of a root that were made, in order. */
async function plansOf(root: string): Promise<readonly string[]> {
  const lines = (await readFile(path.join(stack.folders.state, 'planned'), 'utf8')).split('\n');
  return lines.filter((line) => line.startsWith(`${root} `));
}

async function auditsOf(revision: string, count: number): Promise<readonly JobAuditEvent[]> {
  let found: readonly JobAuditEvent[] = [];
  await until(
    `${count} events of ${revision} in the audit trail`,
    async () => {
      const trail = (await stack.storage.auditTrail()).filter(isJobAuditEvent);
      found = trail.filter((event) => event.revision === revision);
      return found.length >= count;
    },
    () => JSON.stringify(found),
  );
  return found;
}

const PATHS = `resource "terraform_data" "paths" {
  input = { cwd = path.cwd, here = abspath(path.module) }
}
`;

test('a plan that was confirmed for the merge is applied after it, at its path, and not planned again', async () => {
  const { number, sha } = await stage.open({ 'network/paths.tf': PATHS });
  const preview = await stage.titled('nereid/plan: network', sha, /^Plan: /);
  press(preview, 'Confirm for merge', 'alice');
  const confirmed = await stage.titled('nereid/plan: network', sha, /^Confirmed for merge by @alice: \d+ to add/);
  expect(confirmed.actions).toEqual([]);
  const plans = await plansOf('network');

  const merge = { kind: 'squash', by: 'carol' } as const;
  const merged = await stack.github.mergePullRequest({ repository: SAMPLE_NAME, number }, merge);
  const run = await stage.titled('nereid/deploy: network', merged, /^Applied: /);

  expect(run.conclusion).toBe('success');
  expect(run.output.summary).toContain('Confirmed by @alice before the merge');
  expect(await plansOf('network')).toEqual(plans);
  const audits = await auditsOf(merged, 2);
  const shown = /Digest of this plan: `(?<digits>[0-9a-f]{12})`/.exec(preview.output.summary ?? '');
  const digest = expect.stringMatching(new RegExp(`^${shown?.groups?.['digits'] ?? 'none'}[0-9a-f]{52}$`));
  const reviewed = {
    planDigest: digest,
    approvedBy: 'alice',
    approvedBeforeMerge: true,
  };
  expect(audits).toEqual([
    expect.objectContaining({ state: 'RUNNING', ...reviewed }),
    expect.objectContaining({ state: 'SUCCESS', ...reviewed }),
  ]);
  const state = await readFile(path.join(stack.folders.state, 'network.tfstate'), 'utf8');
  expect(state).toContain(`/${preview.externalId}/repo/network`);
});

test('a plan of other files than those that were merged is made again, says why, and waits for a person', async () => {
  const change = await stage.open({ 'network/later.tf': 'resource "terraform_data" "later" {}\n' });
  const other = await stage.open({ 'database/first.tf': 'resource "terraform_data" "first" {}\n' });
  press(await stage.titled('nereid/plan: network', change.sha, /^Plan: /), 'Confirm for merge', 'alice');
  await stage.titled('nereid/plan: network', change.sha, /^Confirmed for merge/);
  const merge = { kind: 'squash', by: 'carol' } as const;
  await stack.github.mergePullRequest({ repository: SAMPLE_NAME, number: other.number }, merge);

  const merged = await stack.github.mergePullRequest({ repository: SAMPLE_NAME, number: change.number }, merge);
  const asking = await stage.titled('nereid/deploy: network', merged, /^Plan: /);
  expect(asking.output.summary).toContain(
    '@alice confirmed a plan of this before the merge, but other files were merged',
  );
  press(asking, 'Confirm', 'alice');

  await stage.titled('nereid/deploy: network', merged, /^Applied: /);
  expect((await plansOf('network')).at(-1)).toBe(`network ${merged}`);
});

describe('through a merge queue', () => {
  beforeAll(async () => {
    const rules = { requiredChecks: ['nereid/plan'], mergeQueue: { groupSize: 1 } };
    await stack.github.setBranchRules(SAMPLE_NAME, 'main', rules);
  });

  afterAll(() => stack.github.setBranchRules(SAMPLE_NAME, 'main', undefined));

  async function openConfirmed(name: string): Promise<Opened> {
    const opened = await stage.open({ [`network/${name}.tf`]: resource(name) });
    press(await stage.titled('nereid/plan: network', opened.sha, /^Plan: /), 'Confirm for merge', 'alice');
    await stage.titled('nereid/plan: network', opened.sha, /^Confirmed for merge/);
    await stage.completed('nereid/plan', opened.sha);
    return opened;
  }

  const enqueue = ({ number }: Opened) => stack.github.enqueue({ repository: SAMPLE_NAME, number }, 'carol');

  const lastGroup = () => stack.github.queueOf(SAMPLE_NAME, 'main').at(-1)?.headSha ?? '';

  test('the confirmed plan is applied, and beside it only the plan of the group was made', async () => {
    const change = await openConfirmed('queued_alone');
    const plans = await plansOf('network');

    await enqueue(change);
    const merged = lastGroup();
    const run = await stage.titled('nereid/deploy: network', merged, /^Applied: /);

    expect(run.output.summary).toContain('Confirmed by @alice before the merge');
    expect(await plansOf('network')).toEqual([...plans, `network ${merged}`]);
    const group = stage.runsOf('nereid/plan: network', merged);
    expect(group.map(({ conclusion, actions }) => [conclusion, actions])).toEqual([['success', []]]);
  });

  test('behind another pull request, other files are merged, so the plan is made again and waits for a person', async () => {
    const change = await openConfirmed('queued_behind');
    const other = await stage.open({ 'database/queued-first.tf': resource('queued_first') });
    await stage.completed('nereid/plan', other.sha);

    await enqueue(other);
    await enqueue(change);
    const merged = lastGroup();
    const asking = await stage.titled('nereid/deploy: network', merged, /^Plan: /);

    expect(asking.output.summary).toContain(
      '@alice confirmed a plan of this before the merge, but other files were merged',
    );
    expect(asking.actions.map(({ label }) => label)).toEqual(['Confirm', 'Reject']);
  });
});
