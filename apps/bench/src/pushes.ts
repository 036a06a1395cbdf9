/**
 * Ten pushes to one root whose plans nobody reviews. The lane plans and applies each of them, in their order. The same
 * Terraform commands are run by hand after each round, ten times as well.
 */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Stack } from '@nereid/local/stack';
import { applyByHand, writeFiles } from './deployments/by-hand.ts';
import { changeOf, rootFiles, rootNames, SAMPLE, SAMPLE_NAME } from './deployments/sample-repository.ts';
import { withStack } from './deployments/with-stack.ts';
import { median, timed } from './timing.ts';

export interface PushesBench {
  readonly pushes: number;
  /** Medians, milliseconds: from the first push until GitHub shows the last one as applied, and by hand. */
  readonly ms: number;
  readonly byHandMs: number;
  readonly ratio: number;
}

const PUSHES = 10;

const ROUNDS = 5;

/** Longer than GitHub's points of one round take to come back. */
const PAUSE_MS = 20_000;

/** Ten times as long as it takes. */
const DEADLINE_MS = 60_000;

export function benchPushes(env: NodeJS.ProcessEnv): Promise<PushesBench> {
  return withStack({ env, planReview: 'auto' }, async (stack, folder) => {
    const names = rootNames(1);
    const handFolder = join(folder, 'by-hand');
    const files = rootFiles(names, stack.folders.state);
    await stack.github.createRepository({ ...SAMPLE, files, collaborators: { alice: 'write' } });
    await writeFiles(handFolder, rootFiles(names, join(handFolder, 'state')));
    const options = { terraform: stack.terraform, folder: handFolder, atOnce: 1 };
    const rounds: { readonly ms: number; readonly byHandMs: number }[] = [];
    // The first round makes the mirror and the lane; it is not counted.
    for (let round = 0; round <= ROUNDS; round += 1) {
      const changes = Array.from({ length: PUSHES }, (_, push) => changeOf(names, round * PUSHES + push + 1));
      const [ms] = await timed(() => pushAll(stack, changes));
      const [byHandMs] = await timed(async () => {
        for (const change of changes) {
          await writeFiles(handFolder, change);
          await applyByHand(options, names);
        }
      });
      if (round > 0) rounds.push({ ms, byHandMs });
      await pause(PAUSE_MS);
    }
    const [ms, byHandMs] = [median(rounds.map((one) => one.ms)), median(rounds.map((one) => one.byHandMs))];
    return { pushes: PUSHES, ms, byHandMs, ratio: ms / byHandMs };
  });
}

async function pushAll({ github }: Stack, changes: readonly ReturnType<typeof changeOf>[]): Promise<void> {
  const commit = { repository: SAMPLE_NAME, branch: 'main', message: 'Change', author: 'alice' };
  let last = '';
  for (const files of changes) last = await github.commit({ ...commit, files });
  const isApplied = () =>
    github.checkRuns(SAMPLE_NAME, last).some(({ output }) => output.title?.startsWith('Applied')) ? true : undefined;
  await github.waitFor(isApplied, { what: 'the last push is applied', deadlineMs: DEADLINE_MS });
}
