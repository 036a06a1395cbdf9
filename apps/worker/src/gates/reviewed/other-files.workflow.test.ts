/** A plan was confirmed for the merge, and another change is merged first. Whether the plan holds depends on what that was about. */
import { expect, test } from '@jest/globals';
import { NO_LEASES } from '@nereid/domain/gates';
import type { ReviewedPlan } from '@nereid/domain/plan';
import type { FileChanges } from '@nereid/github-stand-in';
import { intakeStageOfThisFile } from '../../intake/testing/intake-stage.ts';
import { stagePreview } from '../../intake/testing/staged-preview.ts';
import { BACKEND } from '../../intake/testing/staged-repository.ts';
import type { WorkerContext } from '../../platform/context.ts';
import { findReviewedPlan } from './find-reviewed-plan.ts';

const stage = intakeStageOfThisFile();

/** `changed` is merged between the press of ada and the merge of what she confirmed. */
async function after(
  changed: FileChanges,
  files: FileChanges = {},
  asked: (deploymentId: string) => Partial<WorkerContext> = () => ({}),
): Promise<ReviewedPlan> {
  const infra = await stage.repository({ 'early/main.tf': BACKEND, ...files }, 'acme', true, 'planned');
  const opened = await infra.pullRequest({ 'early/main.tf': `${BACKEND}# wider` });
  const { checkRun } = await stagePreview(stage, infra, opened);
  await stage.deliver(infra.presses(checkRun, 'merge', 'ada'));
  await infra.commit(changed);
  const before = await infra.head();
  const sha = await stage.standIn.mergePullRequest(infra.at(opened), { kind: 'squash', by: 'ada' });
  await stage.deliver({ ...infra.pushes(before, sha), sender: 'ada' });
  const [deployment] = await infra.lane('early').deployments();
  if (deployment === undefined) throw new Error('expected a deployment');
  const context = { ...stage.context, ...asked(deployment.id) };
  const tools = { context, scheduledAtMs: Date.now(), signal: new AbortController().signal };
  return findReviewedPlan(tools, infra.repository, deployment);
}

test('a confirmed plan that holds gives back the lease for another one', async () => {
  const given: unknown[] = [];
  const budgets = [{ name: 'rate', plans: 1, weights: {}, repositories: [], roots: [] }];
  const lease = { repository: { owner: 'acme', name: 'infra' }, rootName: 'early', pool: 'default' };
  const asked = (deploymentId: string): Partial<WorkerContext> => ({
    server: { ...stage.context.server, current: () => ({ ...stage.context.server.current(), budgets }) },
    budgetLeases: {
      async change(budget, change) {
        const until = '2999-01-31T14:00:00.000Z';
        const answer = await change({ ...NO_LEASES, leases: [{ ...lease, deploymentId, until }] });
        given.push([budget.name, budget.door, answer.leases?.leases]);
        return answer;
      },
    },
  });

  expect(await after({ 'other/main.tf': BACKEND }, {}, asked)).toMatchObject({ kind: 'usable' });
  expect(given).toEqual([['rate', 'plan', []]]);
});

const EXTERNAL = { 'early/data.tf': 'data "external" "x" {\n  program = ["python3", "gen.py"]\n}\n' };

test.each<[string, FileChanges]>([
  ['its own documentation', { 'early/README.md': 'other words' }],
  ['the files of another root', { 'other/main.tf': BACKEND }],
])('a confirmed plan holds where another change was merged first, of %s', async (_what, changed) => {
  expect(await after(changed)).toMatchObject({ kind: 'usable' });
});

test.each<[string, FileChanges, FileChanges]>([
  ['a file of the root', { 'early/a.json': '' }, {}],
  ['a file that the root names', { 'shared/a.json': '' }, { 'early/b.tf': 'locals { x = file("../shared/a.json") }' }],
  ['how git writes files', { '.gitattributes': '* eol=crlf' }, {}],
])(
  'a confirmed plan does not hold where another change was merged first, of %s, and the file is named',
  async (_what, changed, files) => {
    expect(await after(changed, files)).toMatchObject({
      why: expect.stringMatching(
        new RegExp(`other files were merged than .* first: "${Object.keys(changed).join('')}"$`),
      ),
    });
  },
);

test('a root that may read any file is compared with all of them', async () => {
  expect(await after({ 'shared.json': '{}' }, EXTERNAL)).toMatchObject({
    why: expect.stringMatching(/other files were merged .* may read any of them: early\/data\.tf has data "external"$/),
  });
});
