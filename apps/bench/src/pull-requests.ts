/**
 * Compares previews with the manual work that they replace, in turns in the same run: the time from opening a pull request to its
 * last plan, and the time of the same Terraform commands by hand in as many roots.
 *
 * Everything shares this machine: Temporal, the GitHub stand-in, Nereid's processes, Terraform.
 */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Stack } from '@nereid/local/stack';
import { AT_ONCE, planByHand, writeFiles, type HandOptions } from './deployments/by-hand.ts';
import { countRequests } from './deployments/deploy.ts';
import { countEvents } from './deployments/history.ts';
import { ofEach, readUsage, spent, type OfEach } from './deployments/processes.ts';
import { changeOf, rootFiles, rootNames, SAMPLE, SAMPLE_NAME } from './deployments/sample-repository.ts';
import { withStack } from './deployments/with-stack.ts';
import { median, timed } from './timing.ts';

export interface PullRequestsBench {
  readonly sizes: readonly PreviewsBench[];
  /** Events of history for each preview, over all rounds, by type of workflow. */
  readonly events: Readonly<Record<string, number>>;
}

export interface PreviewsBench {
  readonly roots: number;
  /** Medians, milliseconds: from the request that opens it until `nereid/plan` is completed, and by hand. */
  readonly plannedMs: number;
  readonly byHandMs: number;
  readonly ratio: number;
  /** For each preview: CPU milliseconds without those of Terraform, and requests to GitHub's API. */
  readonly cpu: OfEach;
  readonly requests: number;
}

const SIZES = [1, 20] as const;

const ROUNDS = 5;

/** A round of 21 previews takes some 250 of the 560 points that pull requests may take in a minute. */
const ROUND_MS = 33_000;

const DEADLINE_MS = 120_000;

export function benchPullRequests(env: NodeJS.ProcessEnv): Promise<PullRequestsBench> {
  return withStack({ env, planReview: 'required', plansPullRequests: true }, measure);
}

interface Round {
  readonly plannedMs: number;
  readonly byHandMs: number;
  readonly cpu: OfEach;
  readonly requests: number;
}

async function measure(stack: Stack, folder: string): Promise<PullRequestsBench> {
  const names = rootNames(Math.max(...SIZES));
  const handFolder = join(folder, 'by-hand');
  const hand = { terraform: stack.terraform, folder: handFolder, atOnce: AT_ONCE };
  await stack.github.createRepository({
    ...SAMPLE,
    files: rootFiles(names, stack.folders.state),
    collaborators: { alice: 'write' },
  });
  await writeFiles(handFolder, rootFiles(names, join(handFolder, 'state')));
  const rounds = new Map<number, Round[]>(SIZES.map((size) => [size, []]));
  let previews = 0;
  // The first round makes the mirror; it is not counted.
  for (let round = 0; round <= ROUNDS; round += 1) {
    const isOver = pause(ROUND_MS);
    for (const size of SIZES) {
      const chosen = names.slice(0, size);
      const one = await measureRound(stack, hand, chosen, `round-${round}-${size}`);
      previews += size;
      if (round > 0) rounds.get(size)?.push(one);
    }
    await isOver;
  }
  const events = Object.entries(await countEvents(stack.temporalAddress));
  return {
    sizes: SIZES.map((roots) => summary(roots, rounds.get(roots) ?? [])),
    events: Object.fromEntries(events.map(([type, count]) => [type, count / previews])),
  };
}

async function measureRound(stack: Stack, hand: HandOptions, names: readonly string[], branch: string): Promise<Round> {
  const { github } = stack;
  const files = changeOf(names, 1);
  const sha = await github.commit({ repository: SAMPLE_NAME, branch, files, message: branch, author: 'alice' });
  github.resetTraffic();
  const before = await readUsage();
  const [plannedMs, number] = await timed(async () => {
    const request = { repository: SAMPLE_NAME, head: branch, title: branch, author: 'alice' };
    const opened = await github.openPullRequest(request);
    await github.waitFor(() => isPlanned(stack, sha, names.length), { what: branch, deadlineMs: DEADLINE_MS });
    return opened.number;
  });
  const cpu = spent(before, await readUsage());
  const requests = countRequests(stack);
  await github.closePullRequest({ repository: SAMPLE_NAME, number }, 'alice');
  await writeFiles(hand.folder, files);
  const [byHandMs] = await timed(() => planByHand(hand, names));
  return { plannedMs, byHandMs, cpu, requests };
}

function isPlanned({ github }: Stack, sha: string, roots: number): true | undefined {
  const runs = github.checkRuns(SAMPLE_NAME, sha);
  const all = runs.find(({ name }) => name === 'nereid/plan');
  return all?.conclusion === 'success' && all.output.title?.endsWith(inRoots(roots)) === true ? true : undefined;
}

function inRoots(roots: number): string {
  return roots === 1 ? '' : `in ${roots} of ${roots} roots`;
}

function summary(roots: number, rounds: readonly Round[]): PreviewsBench {
  const of = (what: (round: Round) => number) => median(rounds.map(what));
  const [plannedMs, byHandMs] = [of((round) => round.plannedMs), of((round) => round.byHandMs)];
  return {
    roots,
    plannedMs,
    byHandMs,
    ratio: plannedMs / byHandMs,
    cpu: ofEach((part) => of(({ cpu }) => cpu[part]) / roots),
    requests: of((round) => round.requests) / roots,
  };
}
