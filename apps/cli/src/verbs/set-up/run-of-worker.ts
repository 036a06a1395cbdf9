import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { EXIT, ExitError, type ExitCode } from '../../exit-code.ts';
import type { World } from '../../world.ts';

/** The package has no worker. */
const WORKER = path.join(import.meta.dirname, '../../../../worker/src');

/** Runs a program of the worker, by the name of its folder, with these arguments, and ends as it does. `needed`: what it needs of a clone. */
export async function runOfWorker(
  folder: 'replay' | 'notifications',
  args: readonly string[],
  { env, signal }: World,
  needed: string,
): Promise<ExitCode> {
  const program = path.join(WORKER, folder, 'main.ts');
  if (!existsSync(program))
    throw new ExitError(
      EXIT.refused,
      `expected a clone, ${needed}, found none; in the image of a worker, run: node apps/worker/src/${folder}/main.ts`,
    );
  const argv = ['--disable-warning=ExperimentalWarning', program, ...args];
  const child = spawn(process.execPath, argv, { env, stdio: 'inherit', signal });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => {
      resolve(Object.values(EXIT).find((known) => known === code) ?? EXIT.interrupted);
    });
  });
}
