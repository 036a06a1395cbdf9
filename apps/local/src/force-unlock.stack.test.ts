/** A run that was killed leaves the state locked: the check run says how to free it, and a comment does. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { CheckRun } from '@nereid/github-stand-in';
import { startStateServer, type StateServer } from '@nereid/test-kit/state-server';
import { until } from './faults/terrain.ts';
import { PEOPLE } from './sample/people.ts';
import type { Stack } from './stack/stack.ts';
import { startTemporaryStack } from './stack/testing/temporary-stack.ts';

const NAME = 'acme/locked';
const LOCK_ID = '594d17c1-7d4f-5256-08d1-4d67a8754dbd';
const BACKEND = 'terraform {\n  backend "http" {}\n}\n';

let states: StateServer;
let stack: Stack;

beforeAll(async () => {
  states = await startStateServer();
  const init = { init: { extra_args: states.backendConfig } };
  // A plan that meets the lock does not wait for minutes.
  const plan = { plan: { extra_args: ['-lock-timeout=0s'] } };
  stack = await startTemporaryStack({
    repositories: [{ match: NAME, workflow: 'impatient', plan_review: 'auto' }],
    workflows: { impatient: { plan: [init, plan], apply: ['apply'] } },
  });
  const files = { 'network/main.tf': BACKEND };
  await stack.github.createRepository({ owner: 'acme', name: 'locked', files, collaborators: PEOPLE });
});

afterAll(async () => {
  await stack[Symbol.asyncDispose]();
  await states[Symbol.asyncDispose]();
});

test('a plan that meets a left-over lock names the command, which frees it, and Re-run deploys', async () => {
  const { github } = stack;
  states.lock({ ID: LOCK_ID, Who: 'bob@gone' });
  const files = { 'network/a.tf': 'resource "terraform_data" "a" {}\n' };
  const sha = await github.commit({ repository: NAME, branch: 'main', files, message: 'A', author: 'alice' });

  const failed = await completed(sha, 'failure');
  expect(failed.output.title).toBe('Error: Error acquiring the state lock');
  const command = /^nereid force-unlock .*$/m.exec(failed.output.summary ?? '')?.[0] ?? '';
  expect(command).toBe(`nereid force-unlock network ${LOCK_ID}`);

  const number = await aPullRequest();
  github.comment({ repository: NAME, number }, 'alice', command);
  await replied(number, '@alice may not free a lock of the state: it takes admin permission');
  expect(states.lockedBy()).toBe('bob@gone');

  github.comment({ repository: NAME, number }, 'carol', command);
  await replied(number, `Freed the lock \`${LOCK_ID}\` of the state of \`network\`, as @carol asked.`);
  expect(states.lockedBy()).toBeUndefined();

  github.rerequestCheckRun(failed.id, 'alice');
  expect((await completed(sha, 'success')).output.title).toBe('Applied: 1 added, 0 changed, 0 destroyed');
  // People have their answer before it is in the audit trail.
  await until('the three events of it in the audit trail', async () => (await unlocksInTrail()).length >= 3);
  expect(await unlocksInTrail()).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ state: 'REFUSED', initiatingUser: 'alice', lockId: LOCK_ID }),
      expect.objectContaining({ state: 'REVIEWED', initiatingUser: 'carol', lockId: LOCK_ID }),
      expect.objectContaining({ state: 'SUCCESS', initiatingUser: 'carol', lockId: LOCK_ID }),
    ]),
  );
});

test('a lock that is not there is not freed, and the reply has the words of Terraform', async () => {
  const number = await aPullRequest();

  stack.github.comment({ repository: NAME, number }, 'carol', 'nereid force-unlock network 1');

  await replied(number, 'Failed to unlock state');
});

async function unlocksInTrail(): Promise<readonly unknown[]> {
  const events = await stack.storage.auditTrail();
  return events.filter((event) => 'action' in event && event.action === 'force_unlock');
}

let opened = 0;

async function aPullRequest(): Promise<number> {
  opened += 1;
  const change = { repository: NAME, files: { [`README-${opened}.md`]: 'words' }, message: 'words', author: 'bob' };
  const head = `change-${opened}`;
  await stack.github.commit({ ...change, branch: head });
  const { number } = await stack.github.openPullRequest({ repository: NAME, head, title: 'Words', author: 'bob' });
  return number;
}

/** The newest check run of the root on the commit, once it has this conclusion. */
async function completed(sha: string, conclusion: string): Promise<Readonly<CheckRun>> {
  const newest = () =>
    stack.github
      .checkRuns(NAME, sha)
      .filter(({ name }) => name === 'nereid/deploy: network')
      .toSorted((one, other) => other.id - one.id)[0];
  await until(
    `a ${conclusion} on ${sha}`,
    () => Promise.resolve(newest()?.conclusion === conclusion),
    () => JSON.stringify(newest()?.output),
  );
  const run = newest();
  if (run === undefined) throw new Error('expected a check run');
  return run;
}

async function replied(number: number, text: string): Promise<void> {
  const bodies = () => stack.github.comments({ repository: NAME, number }).map(({ body }) => body);
  await until(
    `a reply that says ${text}`,
    () => Promise.resolve(bodies().some((body) => body.includes(text))),
    () => JSON.stringify(bodies()),
  );
}
