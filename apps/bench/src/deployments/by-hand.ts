/** The commands that a person would type in each root: the same Terraform commands, with nothing around them. */
import { mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { runCommand } from '@nereid/subprocess';
import type { Files } from './sample-repository.ts';

export interface HandOptions {
  readonly terraform: string;
  readonly folder: string;
  /** How many roots at the same time. */
  readonly atOnce: number;
}

/** As many as a worker on this machine has slots: twice the cores. */
export const AT_ONCE = 2 * availableParallelism();

/** A root that takes longer is stuck. */
const TIMEOUT_MS = 60_000;

const PLAN = [
  ['init', '-input=false'],
  ['plan', '-input=false', '-out=plan.bin'],
  ['show', '-json', 'plan.bin'],
] as const;

const APPLY = ['apply', '-input=false', 'plan.bin'] as const;

export async function writeFiles(folder: string, files: Files): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
}

export function planByHand(options: HandOptions, names: readonly string[]): Promise<void> {
  return run(options, names, PLAN);
}

export function applyByHand(options: HandOptions, names: readonly string[]): Promise<void> {
  return run(options, names, [...PLAN, APPLY]);
}

type Commands = readonly (readonly string[])[];

async function run(
  { terraform, folder, atOnce }: HandOptions,
  names: readonly string[],
  commands: Commands,
): Promise<void> {
  const waiting = names.values();
  const work = async () => {
    for (const name of waiting) await runIn(join(folder, name), terraform, commands);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

async function runIn(cwd: string, terraform: string, commands: Commands): Promise<void> {
  const env = { TF_IN_AUTOMATION: '1', CHECKPOINT_DISABLE: '1', HOME: cwd };
  for (const command of commands) {
    const result = await runCommand({ argv: [terraform, ...command], cwd, env, timeoutMs: TIMEOUT_MS });
    if (result.kind === 'exited' && result.exitCode === 0) continue;
    const found = result.kind === 'exited' ? `exit code ${result.exitCode}` : result.kind;
    throw new Error(`expected terraform ${command[0]} to end well, found ${found}: ${result.stderr}`);
  }
}
