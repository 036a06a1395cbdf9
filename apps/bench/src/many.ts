/**
 * A merge that changes twenty roots, and one that changes two hundred, in the same run; no root waits for a person. How evenly the
 * roots are applied, when GitHub shows the last of them, and what each root costs: it should cost the same in both. GitHub
 * takes 900 points a minute and a write costs five, so the last check runs of two hundred come minutes later at any rate.
 * `SIZES=20,2000` measures merges of other sizes.
 */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Stack } from '@nereid/local/stack';
import { deploy } from './deployments/deploy.ts';
import { changeOf, rootFiles, rootNames, SAMPLE } from './deployments/sample-repository.ts';
import { withStack } from './deployments/with-stack.ts';
import { costsOf, type Costs } from './many/costs.ts';
import { scaled } from './temporal/scale.ts';

export interface ManyBench {
  readonly roots: number;
  /** Milliseconds from the push to the first and the last apply, by the times of their state files, and to the last check run. */
  readonly firstAppliedMs: number;
  readonly appliedMs: number;
  readonly shownMs: number;
  /** Roots per second, for each quarter of the roots. */
  readonly rates: readonly number[];
  /** The longest time in which no root was applied, after the first one. */
  readonly longestPauseMs: number;
  readonly costs: Costs;
}

/** Each has its own roots, whose lanes it begins. */
const SIZES = '20,200';

/** The first merge compiles code, and makes the mirror. It is not reported. */
const FIRST = 20;

/** Three times as long as it takes. */
const deadlineMsOf = (roots: number) => 300_000 + 3_000 * roots;

/** GitHub has all of its points again. */
const ROUND_MS = 61_000;

const PRELOAD = fileURLToPath(import.meta.resolve('./many/preload.ts'));

export function benchMany(env: NodeJS.ProcessEnv): Promise<readonly ManyBench[]> {
  const profiles = env['PROFILES'] === undefined ? '' : ` --cpu-prof --cpu-prof-dir=${env['PROFILES']}`;
  const preloaded = { NODE_OPTIONS: `--import ${PRELOAD}${profiles}` };
  const environments = { gateway: preloaded, worker: preloaded, 'worker-2': preloaded };
  return withStack({ env, planReview: 'auto', hasHostAlone: true, environments }, async (stack) => {
    const sizes = [FIRST, ...sizesOf(env)].map((size) => scaled(size, env));
    const all = rootNames(sum(sizes));
    const parts = sizes.map((size, index) => all.slice(sum(sizes.slice(0, index))).slice(0, size));
    const files = rootFiles(all, stack.folders.state);
    await stack.github.createRepository({ ...SAMPLE, files, collaborators: {} });
    const measured: ManyBench[] = [];
    for (const [index, names] of parts.entries()) {
      const isOver = index < parts.length - 1 ? pause(ROUND_MS) : undefined;
      measured.push(await measure(stack, names));
      await isOver;
    }
    return measured.slice(1);
  });
}

function sizesOf({ SIZES: wanted = SIZES }: NodeJS.ProcessEnv): readonly number[] {
  const sizes = wanted.split(',').map(Number);
  if (sizes.every((size) => Number.isSafeInteger(size) && size >= 8)) return sizes;
  throw new Error(`expected SIZES to be numbers of at least 8 roots, such as ${SIZES}, found ${wanted}`);
}

async function measure(stack: Stack, names: readonly string[]): Promise<ManyBench> {
  const start = Date.now();
  let shownMs = 0;
  const costs = await costsOf(stack, async () => {
    ({ shownMs } = await deploy(stack, names.length, changeOf(names, 1), deadlineMsOf(names.length)));
  });
  const stateOf = (name: string) => join(stack.folders.state, `${name}.tfstate`);
  const written = await Promise.all(names.map(async (name) => (await stat(stateOf(name))).mtimeMs));
  const applied = written.map((at) => at - start).toSorted((one, other) => one - other);
  const [firstAppliedMs = 0, appliedMs = 0] = [applied[0], applied.at(-1)];
  const longestPauseMs = Math.max(0, ...applied.slice(1).map((at, index) => at - (applied[index] ?? 0)));
  return { roots: names.length, firstAppliedMs, appliedMs, shownMs, rates: quarters(applied), longestPauseMs, costs };
}

function quarters(applied: readonly number[]): readonly number[] {
  const size = Math.floor(applied.length / 4);
  return [0, 1, 2, 3].map((quarter) => {
    const [first = 0, last = 0] = [applied[quarter * size], applied[(quarter + 1) * size - 1]];
    return ((size - 1) * 1_000) / (last - first);
  });
}

function sum(counts: readonly number[]): number {
  return counts.reduce((all, count) => all + count, 0);
}
