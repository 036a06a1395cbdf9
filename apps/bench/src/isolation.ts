/**
 * What the wall around code of repositories costs: deployments with the sandbox and without it, in turns in the same run, each with
 * its Confirm pressed at once; and the signatures of a deployment, by their number and the time that one takes.
 */
import { fileURLToPath } from 'node:url';
import type { Stack } from '@nereid/local/stack';
import { deploy } from './deployments/deploy.ts';
import { changeOf, rootFiles, rootNames, SAMPLE } from './deployments/sample-repository.ts';
import { withStack } from './deployments/with-stack.ts';
import { readCounts } from './isolation/counts.ts';
import { timeCommands } from './isolation/time-commands.ts';
import { timeSignatures } from './isolation/time-signatures.ts';
import { median } from './timing.ts';

export interface IsolationBench {
  /** Medians, milliseconds from the merge until it is shown as applied. */
  readonly sandboxedMs: number;
  readonly bareMs: number;
  /** The median of the differences between neighbours. */
  readonly sandboxMs: number;
  /** For each command. */
  readonly bubblewrapMs: number;
  /** For each deployment, of all processes together. */
  readonly signed: number;
  readonly verified: number;
  readonly signMs: number;
  readonly verifyMs: number;
  /** One after the other. */
  readonly signaturesMs: number;
}

/** Odd, so that the median is one of them. A single deployment varies by more than the sandbox takes. */
const ROUNDS = 25;

const DEADLINE_MS = 120_000;

const PRELOAD = fileURLToPath(import.meta.resolve('./isolation/preload.ts'));

export async function benchIsolation(env: NodeJS.ProcessEnv): Promise<IsolationBench> {
  const bubblewrapMs = await timeCommands(env);
  const times = await timeSignatures();
  const counting = { NODE_OPTIONS: `--import ${PRELOAD}` };
  const environments = { gateway: counting, worker: counting };
  const options = { env, planReview: 'required', environments } as const;
  const measured = await withStack(options, (sandboxed) =>
    withStack({ ...options, sandbox: 'none' }, (bare) => measure(sandboxed, bare)),
  );
  const signaturesMs = measured.signed * times.signMs + measured.verified * times.verifyMs;
  return { bubblewrapMs, ...times, ...measured, signaturesMs };
}

type Measured = Pick<IsolationBench, 'sandboxedMs' | 'bareMs' | 'sandboxMs' | 'signed' | 'verified'>;

async function measure(sandboxed: Stack, bare: Stack): Promise<Measured> {
  for (const stack of [sandboxed, bare])
    await stack.github.createRepository({
      ...SAMPLE,
      files: rootFiles(rootNames(1), stack.folders.state),
      collaborators: { alice: 'write' },
    });
  // The first round makes the mirror and the lane; it is not counted.
  for (const stack of [sandboxed, bare]) await deployOne(stack, 0);
  const before = readCounts(sandboxed.folders.top);
  const [enclosed, free]: [number[], number[]] = [[], []];
  for (let round = 1; round <= ROUNDS; round += 1) {
    enclosed.push(await deployOne(sandboxed, round));
    free.push(await deployOne(bare, round));
  }
  const after = readCounts(sandboxed.folders.top);
  return {
    sandboxedMs: median(enclosed),
    bareMs: median(free),
    sandboxMs: median(enclosed.map((ms, round) => ms - (free[round] ?? Number.NaN))),
    signed: (after.signed - before.signed) / ROUNDS,
    verified: (after.verified - before.verified) / ROUNDS,
  };
}

async function deployOne(stack: Stack, round: number): Promise<number> {
  const names = rootNames(1);
  const { shownMs } = await deploy(stack, names.length, changeOf(names, round), DEADLINE_MS);
  return shownMs;
}
