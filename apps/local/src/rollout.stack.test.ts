/** Roots of one merge that depend on each other are deployed in order, on real parts. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ROLLOUT_CHECK_RUN_NAME } from '@nereid/domain/deployment';
import { traceIdOf } from '@nereid/process';
import type { CheckRun } from '@nereid/github-stand-in';
import { openCollector, type Collector } from '@nereid/test-kit/collector';
import type { Change } from './sample/changes.ts';
import { ensureSample, SAMPLE_NAME } from './sample/repository.ts';
import type { Stack } from './stack/stack.ts';
import { startTemporaryStack } from './stack/testing/temporary-stack.ts';
import { createScene, type Place, type Scene } from './story/scene.ts';
import { until } from './faults/terrain.ts';
import { openWorkflows, type Workflows } from './story/workflows.ts';

let collector: Collector;
let stack: Stack;
let workflows: Workflows;
let scene: Scene;

beforeAll(async () => {
  collector = await openCollector();
  stack = await startTemporaryStack({
    deployments: { environment: '{environment}/{root}' },
    protectionRules: [{ environment: 'production', roots: ['network', 'service'] }],
    environments: { worker: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } },
  });
  workflows = await openWorkflows(stack);
  await ensureSample(stack.github);
  scene = createScene(stack, workflows);
  // Each root is deployed when the file that configures it changes.
  const sha = await scene.merge(change('configured', ROOTS));
  for (const root of ROOTS) await scene.confirm({ root, sha }, 'alice');
});

afterAll(async () => {
  await workflows[Symbol.asyncDispose]();
  await stack[Symbol.asyncDispose]();
  await collector.close();
});

const ROOTS = ['network', 'database', 'service'] as const;

/** `database` waits for `network`, and `service` for `database`. */
const CONFIG = `version: 1
roots:
  - dir: network
  - { dir: database, depends_on: [network] }
  - { dir: service, depends_on: [database] }
`;

function change(branch: string, roots: readonly string[]): Change {
  const files = roots.map((root) => [`${root}/${branch}.tf`, `resource "terraform_data" "${branch}" {}\n`] as const);
  return {
    branch,
    title: branch,
    body: '',
    author: 'bob',
    files: { 'nereid.yaml': CONFIG, ...Object.fromEntries(files) },
  };
}

function titled(at: Place, title: string): Promise<Readonly<CheckRun>> {
  return scene.seen(at, title, ({ output }) => output.title === title);
}

/** The check run of all roots, once it has this title. Those that are deployed again have another one. */
async function rolledOut(sha: string, title: string): Promise<Readonly<CheckRun>> {
  const deadline = Date.now() + 120_000;
  for (;;) {
    const found = stack.github.checkRuns(SAMPLE_NAME, sha).filter(({ name }) => name === ROLLOUT_CHECK_RUN_NAME);
    const one = found.find(({ output }) => output.title === title);
    if (one !== undefined) return one;
    if (Date.now() > deadline)
      throw new Error(`expected “${title}”, found ${found.map(({ output }) => output.title).join('; ')}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

test('a root waits for the one that it depends on, says so, and starts once that is applied', async () => {
  const sha = await scene.merge(change('first', ['network', 'service']));
  const [network, service] = [{ root: 'network', sha } as const, { root: 'service', sha } as const];

  const waiting = await titled(service, 'Waits for network, which awaits its review');
  expect(waiting).toMatchObject({ status: 'queued' });

  expect(await rolledOut(sha, '2 roots: 1 to review, 1 waiting')).toMatchObject({ status: 'in_progress' });
  await scene.confirm(network, 'alice');
  await scene.confirm(service, 'alice');
  expect(await rolledOut(sha, '2 roots: 2 done')).toMatchObject({ conclusion: 'success' });
});

test('GitHub shows which commit each root was deployed at, with a link to its page', async () => {
  const states = () =>
    stack.github.deployments(SAMPLE_NAME).map(({ environment, sha, statuses }) => {
      const { state, logUrl } = statuses.at(-1) ?? { state: 'none', logUrl: '' };
      return { environment, sha, state, isLinked: /\/deployments\/[0-9a-f-]{36}/.test(logUrl) };
    });
  const shownOf = (root: string) => states().filter(({ environment }) => environment === `production/${root}`);
  const shown = () => [shownOf('network'), shownOf('service')].map((all) => all.map(({ state }) => state).join());
  const isShown = () => Promise.resolve(shown().every((all) => all === 'inactive,success'));
  await until('two deployments of each root', isShown, () => shown().join('; '));

  const head = await stack.github.headOf(SAMPLE_NAME);
  expect(shownOf('network').at(-1)).toMatchObject({ sha: head, isLinked: true });
  expect(shownOf('database').map(({ state }) => state)).toEqual(['success']);
  stack.github.assertNoRefusedRequests();
});

test('the merge is one trace, from its webhook to the applies', async () => {
  const [owner = '', name = ''] = SAMPLE_NAME.split('/');
  const traceId = traceIdOf({ owner, name }, await stack.github.headOf(SAMPLE_NAME));
  const spans = () => collector.spans().filter((span) => span.traceId === traceId);
  const names = () => spans().map((span) => span.name);
  const areThere = () => Promise.resolve(spans().filter((span) => span.name === 'apply').length === 2);
  await until('spans of both applies', areThere, () => names().join(', '));

  const idOf = (span: string) => spans().find((each) => each.name === span)?.spanId ?? 'none';
  const belowMerge = spans().filter(({ parentSpanId }) => parentSpanId === idOf('merge'));
  expect(belowMerge.map((span) => span.name).toSorted()).toEqual(['deployment', 'deployment', 'intake', 'webhook']);
  const ofDeployment = spans().filter(({ parentSpanId }) => parentSpanId === idOf('deployment'));
  expect(ofDeployment.map((span) => span.name)).toEqual(expect.arrayContaining(['lane', 'plan', 'review', 'apply']));
  const waits = spans().map(({ attributes }) => attributes['nereid.wait.gate']);
  expect(waits).toEqual(expect.arrayContaining(['order', 'review']));
});

test('roots do not start when one before them failed; its Re-run goes on from there', async () => {
  const sha = await scene.merge(change('second', ROOTS));
  const at = (root: Place['root']): Place => ({ root, sha });
  await titled(at('service'), 'Waits for database, which itself waits for other roots');

  scene.press(await scene.planned(at('network')), 'Reject', 'alice');
  const sentence =
    'network was rejected, so this was not started. Press Re-run on network: this is deployed again after it.';
  const refused = await Promise.all([titled(at('database'), sentence), titled(at('service'), sentence)]);
  expect(refused).toMatchObject([{ conclusion: 'failure' }, { conclusion: 'failure' }]);

  const rejected = await titled(at('network'), 'Rejected by @alice');
  stack.github.rerequestCheckRun(rejected.id, 'alice');
  const [database, service] = [
    { ...at('database'), otherThan: refused[0].externalId },
    { ...at('service'), otherThan: refused[1].externalId },
  ];
  await titled(database, 'Waits for network, which awaits its review');
  await scene.confirm({ ...at('network'), otherThan: rejected.externalId }, 'alice');
  await scene.confirm(database, 'alice');
  await scene.confirm(service, 'alice');

  await rolledOut(sha, '3 roots: 3 done');
  const runs = stack.github.checkRuns(SAMPLE_NAME, sha).filter(({ name }) => name !== ROLLOUT_CHECK_RUN_NAME);
  expect(runs.filter(({ conclusion }) => conclusion === 'success')).toHaveLength(3);
});

test('a job of GitHub Actions waits until the roots of its environment have its commit', async () => {
  const sha = await scene.merge(change('awaited', ['network', 'database']));
  const { id } = stack.github.startWorkflowRun(SAMPLE_NAME, { environment: 'production', sha, by: 'bob' });
  const run = () => stack.github.workflowRuns(SAMPLE_NAME).find((each) => each.id === id);
  const found = () => JSON.stringify(run());
  await until('a run that waits for network', () => Promise.resolve(run()?.comments.length === 1), found);
  expect(run()).toMatchObject({ state: 'waiting', comments: [expect.stringMatching(/^- `network`, which /m)] });

  await scene.confirm({ root: 'network', sha }, 'alice');
  await until('a run that goes', () => Promise.resolve(run()?.state === 'approved'), found);

  // The database is of no rule.
  await scene.confirm({ root: 'database', sha }, 'alice');
  expect(run()?.comments.at(-1)).toMatch(/^These roots have .*- `network`$/s);
});
