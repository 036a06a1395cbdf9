/** Roots of one merge that depend on each other are deployed in order, on real parts. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { CheckRun } from '@nereid/github-stand-in';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Change } from './sample/changes.ts';
import { ensureSample, SAMPLE_NAME } from './sample/repository.ts';
import { startStack, type Stack } from './stack/stack.ts';
import { createScene, type Place, type Scene } from './story/scene.ts';
import { openWorkflows, type Workflows } from './story/workflows.ts';

let folder: string;
let stack: Stack;
let workflows: Workflows;
let scene: Scene;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'nereid-rollout-'));
  const report = () => undefined;
  stack = await startStack({ env: process.env, folder, ports: 'free', storage: 'folder', report });
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
  await rm(folder, { recursive: true, force: true });
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

test('a root waits for the one that it depends on, says so, and starts once that is applied', async () => {
  const sha = await scene.merge(change('first', ['network', 'service']));
  const [network, service] = [{ root: 'network', sha } as const, { root: 'service', sha } as const];

  const waiting = await titled(service, 'Waits for network, which awaits its review');
  expect(waiting).toMatchObject({ status: 'queued' });

  await scene.confirm(network, 'alice');
  await scene.confirm(service, 'alice');
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

  const runs = stack.github.checkRuns(SAMPLE_NAME, sha);
  expect(runs.filter(({ conclusion }) => conclusion === 'success')).toHaveLength(3);
});
