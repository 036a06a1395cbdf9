/**
 * A merge that changes two hundred roots, none of which waits for a person: how evenly the roots are applied, and when GitHub
 * shows the last of them. GitHub takes 900 points a minute and a write costs five, so the last check runs come minutes later
 * at any rate.
 */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { deploy } from './deployments/deploy.ts';
import { changeOf, rootFiles, rootNames, SAMPLE } from './deployments/sample-repository.ts';
import { withStack } from './deployments/with-stack.ts';

export interface ManyBench {
  readonly roots: number;
  /** Milliseconds from the push to the last apply, by the time of its state file, and to the last check run. */
  readonly appliedMs: number;
  readonly shownMs: number;
  /** Roots per second, for each quarter of the roots. */
  readonly rates: readonly number[];
}

const ROOTS = 200;

/** Three times as long as it takes. */
const DEADLINE_MS = 900_000;

export function benchMany(env: NodeJS.ProcessEnv): Promise<ManyBench> {
  return withStack({ env, planReview: 'auto' }, async (stack) => {
    const names = rootNames(ROOTS);
    const states = stack.folders.state;
    await stack.github.createRepository({ ...SAMPLE, files: rootFiles(names, states), collaborators: {} });
    const start = Date.now();
    const { shownMs } = await deploy(stack, ROOTS, changeOf(names, 1), DEADLINE_MS);
    const written = await Promise.all(names.map(async (name) => (await stat(join(states, `${name}.tfstate`))).mtimeMs));
    const applied = written.map((at) => at - start).toSorted((one, other) => one - other);
    return { roots: ROOTS, appliedMs: applied.at(-1) ?? 0, shownMs, rates: quarters(applied) };
  });
}

function quarters(applied: readonly number[]): readonly number[] {
  const size = applied.length / 4;
  return [0, 1, 2, 3].map((quarter) => {
    const [first = 0, last = 0] = [applied[quarter * size], applied[(quarter + 1) * size - 1]];
    return ((size - 1) * 1_000) / (last - first);
  });
}
