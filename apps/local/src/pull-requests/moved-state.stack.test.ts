/** A root whose backend moves: what people are told while its state stays where it was, and once that was moved as well. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { SAMPLE_NAME } from '../sample/repository.ts';
import { resource, startStage, type Stage } from './stage.ts';

const NAME = 'nereid/deploy: moved';
const EMPTY = 'its state is empty now';

let stage: Stage;
let states: string;

beforeAll(async () => {
  stage = await startStage(process.env);
  states = stage.stack.folders.state;
});

afterAll(async () => {
  await stage[Symbol.asyncDispose]();
});

function root(state: string): string {
  const file = path.join(states, `${state}.tfstate`);
  return `terraform {\n  backend "local" {\n    path = ${JSON.stringify(file)}\n  }\n}\n\n${resource('kept')}`;
}

async function merged(content: string) {
  const { number, sha: head } = await stage.open({ 'moved/main.tf': content });
  const preview = await stage.titled('nereid/plan: moved', head, /^Plan: |^No changes/);
  const sha = await stage.stack.github.mergePullRequest(
    { repository: SAMPLE_NAME, number },
    { kind: 'squash', by: 'carol' },
  );
  return { preview, sha, deployment: await stage.titled(NAME, sha, /^Plan: |^No changes/) };
}

function press(label: string, { id, actions }: Awaited<ReturnType<typeof merged>>['deployment']): void {
  stage.stack.github.pressButton(id, actions.find((one) => one.label === label)?.identifier ?? '', 'alice');
}

/** As an engineer does it, in a clone of the new code that was initialised with the old one. */
async function migrate(from: string, to: string): Promise<void> {
  const clone = await mkdtemp(path.join(tmpdir(), 'nereid-migrate-'));
  const terraform = (...args: readonly string[]) => promisify(execFile)('terraform', args, { cwd: clone });
  const file = path.join(clone, 'main.tf');
  await writeFile(file, root(from));
  await terraform('init');
  await writeFile(file, root(to));
  await terraform('init', '-migrate-state', '-force-copy');
  await rm(clone, { recursive: true, force: true });
}

test('a plan of an empty state says so where the root was deployed before, and not once the state has moved', async () => {
  const first = await merged(root('before'));
  expect(first.deployment.output.summary).not.toContain(EMPTY);
  press('Confirm', first.deployment);
  await stage.titled(NAME, first.sha, /^Applied: /);

  const second = await merged(root('after'));
  expect(second.deployment.output.title).toContain('Plan: 1 to add');
  for (const { output } of [second.preview, second.deployment]) expect(output.summary).toContain(EMPTY);
  press('Reject', second.deployment);
  await stage.titled(NAME, second.sha, /^Rejected/);

  await migrate('before', 'after');
  const third = await merged(`${root('after')}\n${resource('more')}`);
  for (const { output } of [third.preview, third.deployment]) {
    expect(output.title).toContain('Plan: 1 to add');
    expect(output.summary).not.toContain(EMPTY);
  }
});
