/**
 * Three hundred pull requests are open on one root when it is deployed: their plans are out of date then, and are made again. GitHub
 * takes 900 points a minute and a write costs five, so the last check runs come minutes later at any rate.
 */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Stack } from '@nereid/local/stack';
import { countRequests, deploy } from './deployments/deploy.ts';
import { changeOf, rootFiles, rootNames, SAMPLE, SAMPLE_NAME } from './deployments/sample-repository.ts';
import { withStack } from './deployments/with-stack.ts';
import { timed } from './timing.ts';

export interface OpenPullRequestsBench {
  readonly pullRequests: number;
  /** Milliseconds from opening the first until all are planned. */
  readonly openedMs: number;
  /** Milliseconds from the merge: until it is applied, by the time of its state file, until that is shown, and until every pull request is up to date. */
  readonly appliedMs: number;
  readonly shownMs: number;
  readonly upToDateMs: number;
  /** Plans of pull requests, and requests to GitHub's API, from the merge until all are up to date. */
  readonly plans: number;
  readonly requests: number;
}

const PULL_REQUESTS = 300;

/** Three times as long as it takes. */
const DEADLINE_MS = 3_600_000;

export function benchOpenPullRequests(env: NodeJS.ProcessEnv): Promise<OpenPullRequestsBench> {
  return withStack({ env, planReview: 'auto', plansPullRequests: true }, async (stack) => {
    const [root = ''] = rootNames(1);
    const files = rootFiles([root], stack.folders.state);
    await stack.github.createRepository({ ...SAMPLE, files, collaborators: { alice: 'write' } });
    await deploy(stack, 1, changeOf([root], 0), DEADLINE_MS);
    const [openedMs, heads] = await timed(() => openAll(stack, root));
    stack.github.resetTraffic();
    const before = countPlans(stack, root);
    const mergedAt = Date.now();
    const [upToDateMs, { appliedAt, shownMs }] = await timed(async () => {
      const { shownMs } = await deploy(stack, 1, changeOf([root], 1), DEADLINE_MS);
      const { mtimeMs: appliedAt } = await stat(join(stack.folders.state, `${root}.tfstate`));
      await planned(stack, root, heads, 2);
      return { appliedAt, shownMs };
    });
    const [plans, requests] = [countPlans(stack, root) - before, countRequests(stack)];
    return {
      pullRequests: PULL_REQUESTS,
      openedMs,
      appliedMs: appliedAt - mergedAt,
      shownMs,
      upToDateMs,
      plans,
      requests,
    };
  });
}

/** Each adds a file of its own, so that none conflicts with another. */
async function openAll(stack: Stack, root: string): Promise<ReadonlySet<string>> {
  const { github } = stack;
  const heads = new Set<string>();
  for (let index = 1; index <= PULL_REQUESTS; index += 1) {
    const branch = `change-${index}`;
    const files = { [`${root}/${branch}.tf`]: `resource "terraform_data" "change_${index}" {}\n` };
    heads.add(await github.commit({ repository: SAMPLE_NAME, branch, files, message: branch, author: 'alice' }));
    await github.openPullRequest({ repository: SAMPLE_NAME, head: branch, title: branch, author: 'alice' });
  }
  await planned(stack, root, heads, 1);
  return heads;
}

/** Waits until each head has so many plans, and the last one is shown. */
async function planned(stack: Stack, root: string, heads: ReadonlySet<string>, plans: number): Promise<void> {
  const { github } = stack;
  const areAll = () => {
    const shown = new Map<string, number>();
    for (const { name, headSha, conclusion, output } of github.checkRuns(SAMPLE_NAME)) {
      if (name !== `nereid/plan: ${root}` || conclusion !== 'success' || !output.title?.startsWith('Plan:')) continue;
      shown.set(headSha, (shown.get(headSha) ?? 0) + 1);
    }
    return [...heads].every((head) => (shown.get(head) ?? 0) >= plans) ? true : undefined;
  };
  await github.waitFor(areAll, { what: `${heads.size} pull requests planned`, deadlineMs: DEADLINE_MS });
}

function countPlans({ github }: Stack, root: string): number {
  return github.checkRuns(SAMPLE_NAME).filter(({ name }) => name === `nereid/plan: ${root}`).length;
}
