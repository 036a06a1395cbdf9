/**
 * Compares deployments with the manual work that they replace, in turns in the same run: the time from a merge to the last
 * applied root, with each Confirm pressed at once, and the time of the same Terraform commands by hand in as many roots.
 *
 * Everything shares this machine: Temporal, the GitHub stand-in, Nereid's processes, Terraform.
 */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Stack } from '@nereid/local/stack';
import { median, timed } from './timing.ts';
import { applyByHand, AT_ONCE, writeFiles } from './deployments/by-hand.ts';
import { countRequests, deploy, type Deployed } from './deployments/deploy.ts';
import { countEvents } from './deployments/history.ts';
import { ofEach, readUsage, spent, type OfEach } from './deployments/processes.ts';
import { changeOf, rootFiles, rootNames, SAMPLE } from './deployments/sample-repository.ts';
import { withStack } from './deployments/with-stack.ts';

export interface DeploymentsBench {
  readonly roots: number;
  /** Medians, milliseconds. */
  readonly deployed: Deployed;
  readonly byHandMs: number;
  /** How many times longer the deployments take. */
  readonly ratio: number;
  /** For each deployment: CPU milliseconds without those of Terraform, and requests to GitHub's API. */
  readonly cpu: OfEach;
  readonly requests: number;
  /** CPU milliseconds of its commands, git's and Terraform's, and how many times those of the same Terraform commands by hand. */
  readonly commandsMs: number;
  readonly commandsRatio: number;
}

export interface AllDeployments {
  readonly sizes: readonly DeploymentsBench[];
  /** Events of history for each deployment, over all rounds, by type of workflow. */
  readonly events: Readonly<Record<string, number>>;
  /** MiB, half a minute or more after the last deployment. */
  readonly memory: OfEach;
}

/** The ancestor was measured with the second size. */
const SIZES = [1, 20] as const;

const ROUNDS = 5;

/** For one round: on a slow machine, the first round may need more than GitHub's points of one minute, and wait for the next. */
const DEADLINE_MS = 150_000;

/**
 * GitHub gives 900 points a minute, of which check runs may take 800. The forty deployments of the first round take some
 * 600, any other round 320: no round waits for points that the round before it took.
 */
const ROUND_MS = 61_000;

export function benchDeployments(env: NodeJS.ProcessEnv): Promise<AllDeployments> {
  return withStack({ env, planReview: 'required' }, measure);
}

interface Round {
  readonly deployed: Deployed;
  readonly byHandMs: number;
  readonly cpu: OfEach;
  readonly commandsMs: number;
  readonly commandsByHandMs: number;
  readonly requests: number;
}

async function measure(stack: Stack, folder: string): Promise<AllDeployments> {
  const names = rootNames(Math.max(...SIZES));
  const handFolder = join(folder, 'by-hand');
  await stack.github.createRepository({
    ...SAMPLE,
    files: rootFiles(names, stack.folders.state),
    collaborators: { alice: 'write' },
  });
  await writeFiles(handFolder, rootFiles(names, join(handFolder, 'state')));
  const rounds = new Map<number, Round[]>(SIZES.map((size) => [size, []]));
  let deployments = 0;
  // The first round makes the mirror, the lanes and the first states; it is not counted.
  for (let round = 0; round <= ROUNDS; round += 1) {
    const isOver = pause(ROUND_MS);
    for (const size of SIZES) {
      const chosen = round === 0 ? names : names.slice(0, size);
      const files = changeOf(chosen, round * SIZES.length + SIZES.indexOf(size));
      const one = await measureRound(stack, handFolder, chosen, files);
      deployments += chosen.length;
      if (round > 0) rounds.get(size)?.push(one);
    }
    await isOver;
  }
  const { memory } = await readUsage();
  const events = Object.entries(await countEvents(stack.temporalAddress));
  return {
    sizes: SIZES.map((roots) => summary(roots, rounds.get(roots) ?? [])),
    events: Object.fromEntries(events.map(([type, count]) => [type, count / deployments])),
    memory,
  };
}

async function measureRound(
  stack: Stack,
  handFolder: string,
  names: readonly string[],
  files: Readonly<Record<string, string>>,
): Promise<Round> {
  stack.github.resetTraffic();
  const before = await readUsage();
  const deployed = await deploy(stack, names.length, files, DEADLINE_MS);
  const after = await readUsage();
  const [cpu, commandsMs] = [spent(before, after), after.commandsMs - before.commandsMs];
  const requests = countRequests(stack);
  await writeFiles(handFolder, files);
  const options = { terraform: stack.terraform, folder: handFolder, atOnce: AT_ONCE };
  const [byHandMs] = await timed(async () => applyByHand(options, names));
  // The launcher of this process began them.
  const commandsByHandMs = (await readUsage()).commandsMs - after.commandsMs;
  return { deployed, byHandMs, cpu, commandsMs, commandsByHandMs, requests };
}

function summary(roots: number, rounds: readonly Round[]): DeploymentsBench {
  const of = (what: (round: Round) => number) => median(rounds.map(what));
  const shownMs = of(({ deployed }) => deployed.shownMs);
  const byHandMs = of((round) => round.byHandMs);
  return {
    roots,
    deployed: {
      firstSignMs: of(({ deployed }) => deployed.firstSignMs),
      allSignsMs: of(({ deployed }) => deployed.allSignsMs),
      shownMs,
    },
    byHandMs,
    ratio: shownMs / byHandMs,
    cpu: ofEach((part) => of(({ cpu }) => cpu[part]) / roots),
    requests: of((round) => round.requests) / roots,
    commandsMs: of((round) => round.commandsMs) / roots,
    commandsRatio: of((round) => round.commandsMs / round.commandsByHandMs),
  };
}
