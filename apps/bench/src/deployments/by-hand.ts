/** The commands that a person would type in each root: the same Terraform commands, with nothing around them. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { runCommand } from '@nereid/subprocess';
import type { Files } from './sample-repository.ts';

/** `atOnce`: as many roots as a worker on this machine has slots. */
export interface HandOptions {
  readonly terraform: string;
  readonly folder: string;
  readonly atOnce: number;
}

/** A root that takes longer is stuck. */
const TIMEOUT_MS = 60_000;

const STEPS = [
  ['init', '-input=false'],
  ['plan', '-input=false', '-out=plan.bin'],
  ['show', '-json', 'plan.bin'],
  ['apply', '-input=false', 'plan.bin'],
] as const;

export async function writeFiles(folder: string, files: Files): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
}

export async function applyByHand({ terraform, folder, atOnce }: HandOptions, names: readonly string[]): Promise<void> {
  const waiting = names.values();
  const work = async () => {
    for (const name of waiting) await applyOne(terraform, join(folder, name));
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

async function applyOne(terraform: string, cwd: string): Promise<void> {
  const env = { TF_IN_AUTOMATION: '1', CHECKPOINT_DISABLE: '1', HOME: cwd };
  for (const step of STEPS) {
    const result = await runCommand({ argv: [terraform, ...step], cwd, env, timeoutMs: TIMEOUT_MS });
    if (result.kind === 'exited' && result.exitCode === 0) continue;
    const found = result.kind === 'exited' ? `exit code ${result.exitCode}` : result.kind;
    throw new Error(`expected terraform ${step[0]} to end well, found ${found}: ${result.stderr}`);
  }
}
