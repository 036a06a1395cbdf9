/**
 * Compares a merge whose plan a person confirmed on the pull request with one that is planned and confirmed afterwards, in turns in
 * the same run: the time from the merge until it is shown as applied. Confirm is pressed as soon as it is there.
 */
import type { Stack } from '@nereid/local/stack';
import { changeOf, rootFiles, rootNames, SAMPLE, SAMPLE_NAME } from './deployments/sample-repository.ts';
import { withStack } from './deployments/with-stack.ts';
import { median, timed } from './timing.ts';

export interface ConfirmedBench {
  /** Medians, milliseconds. */
  readonly confirmedMs: number;
  readonly freshMs: number;
  readonly ratio: number;
}

const ROUNDS = 5;

const DEADLINE_MS = 120_000;

export function benchConfirmed(env: NodeJS.ProcessEnv): Promise<ConfirmedBench> {
  return withStack({ env, planReview: 'before_merge', plansPullRequests: true }, measure);
}

async function measure(stack: Stack): Promise<ConfirmedBench> {
  const names = rootNames(1);
  await stack.github.createRepository({
    ...SAMPLE,
    files: rootFiles(names, stack.folders.state),
    collaborators: { alice: 'write', bob: 'write' },
  });
  const [confirmed, fresh]: [number[], number[]] = [[], []];
  // The first round makes the mirror; it is not counted.
  for (let round = 0; round <= ROUNDS; round += 1) {
    const [first, second] = [
      await mergeOne(stack, names, 2 * round, true),
      await mergeOne(stack, names, 2 * round + 1, false),
    ];
    if (round === 0) continue;
    confirmed.push(first);
    fresh.push(second);
  }
  const [confirmedMs, freshMs] = [median(confirmed), median(fresh)];
  return { confirmedMs, freshMs, ratio: confirmedMs / freshMs };
}

async function mergeOne(stack: Stack, names: readonly string[], change: number, isConfirmed: boolean): Promise<number> {
  const { github } = stack;
  const branch = `change-${change}`;
  const files = changeOf(names, change + 1);
  const sha = await github.commit({ repository: SAMPLE_NAME, branch, files, message: branch, author: 'bob' });
  const { number } = await github.openPullRequest({
    repository: SAMPLE_NAME,
    head: branch,
    title: branch,
    author: 'bob',
  });
  await press(stack, sha, isConfirmed ? 'Confirm for merge' : undefined);
  const [ms] = await timed(async () => {
    const merged = await github.mergePullRequest({ repository: SAMPLE_NAME, number }, { kind: 'squash', by: 'alice' });
    const pressed = new Set<number>();
    await github.waitFor(() => isApplied(stack, merged, pressed), {
      what: `${branch} applied`,
      deadlineMs: DEADLINE_MS,
    });
  });
  return ms;
}

/** Waits for the plan of the pull request, and presses its button if there is one to press. */
async function press({ github }: Stack, sha: string, label: string | undefined): Promise<void> {
  const of = () => github.checkRuns(SAMPLE_NAME, sha).find(({ name }) => name.startsWith('nereid/plan: '));
  const options = { deadlineMs: DEADLINE_MS };
  const run = await github.waitFor(
    () => [of()].find((one) => one?.actions.some((action) => action.label === 'Confirm for merge')),
    {
      ...options,
      what: 'a plan to confirm',
    },
  );
  const button = run.actions.find((action) => action.label === label);
  if (button === undefined) return;
  github.pressButton(run.id, button.identifier, 'alice');
  await github.waitFor(() => (of()?.output.title?.startsWith('Confirmed for merge') ? true : undefined), {
    ...options,
    what: 'the plan to be confirmed',
  });
}

function isApplied({ github }: Stack, sha: string, pressed: Set<number>): true | undefined {
  const runs = github.checkRuns(SAMPLE_NAME, sha).filter(({ name }) => name.startsWith('nereid/deploy: '));
  for (const { id, actions } of runs) {
    const confirm = actions.find(({ label }) => label === 'Confirm');
    if (confirm === undefined || pressed.has(id)) continue;
    pressed.add(id);
    github.pressButton(id, confirm.identifier, 'alice');
  }
  return runs.some(({ output }) => output.title?.startsWith('Applied')) ? true : undefined;
}
