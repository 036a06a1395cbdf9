/** Somebody removes our App from the account and installs it again, while a review is open and a lane runs. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { CheckRun } from '@nereid/github-stand-in';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PEOPLE } from './sample/people.ts';
import { startStack, type Stack } from './stack/stack.ts';

const NAME = 'acme/anew';

let folder: string;
let stack: Stack;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'nereid-installed-anew-'));
  stack = await startStack({
    env: process.env,
    folder,
    ports: 'free',
    storage: 'folder',
    report: () => undefined,
    repositories: [{ match: NAME }],
  });
  const state = path.join(stack.folders.state, 'anew.tfstate');
  const files = { 'network/main.tf': `terraform {\n  backend "local" { path = "${state}" }\n}\n` };
  await stack.github.createRepository({ owner: 'acme', name: 'anew', files, collaborators: PEOPLE });
});

afterAll(async () => {
  await stack[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

test('a plan that waits is confirmed and applied, and so is the next merge in the same lane', async () => {
  const { github } = stack;
  const waiting = await merge('a');
  const planned = await shown(waiting, ({ actions }) => actions.some(({ label }) => label === 'Confirm'));

  github.reinstallApp('acme');
  confirm(planned);

  await shown(waiting, ({ conclusion }) => conclusion === 'success');
  const next = await merge('b');
  confirm(await shown(next, ({ actions }) => actions.some(({ label }) => label === 'Confirm')));
  const applied = await shown(next, ({ conclusion }) => conclusion === 'success');
  expect(applied.output.title).toMatch(/^Applied: /);
});

function merge(name: string): Promise<string> {
  const files = { [`network/${name}.tf`]: `resource "terraform_data" "${name}" {}\n` };
  return stack.github.commit({ repository: NAME, branch: 'main', files, message: name, author: 'alice' });
}

function confirm({ id, actions }: Readonly<CheckRun>): void {
  const { identifier = '' } = actions.find(({ label }) => label === 'Confirm') ?? {};
  stack.github.pressButton(id, identifier, 'bob');
}

/** The newest check run of the root on the commit, once it is as wanted. */
function shown(sha: string, isWanted: (run: Readonly<CheckRun>) => boolean): Promise<Readonly<CheckRun>> {
  return stack.github.waitFor(() => stack.github.checkRuns(NAME, sha).find(isWanted), {
    what: `a check run on ${sha}`,
    deadlineMs: 60_000,
  });
}
