import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { EXIT, ExitError, type ExitCode } from '../../exit-code.ts';
import type { World } from '../../world.ts';

export interface ReplayArguments {
  readonly with?: string;
  readonly within?: string;
}

/** The package has no worker, whose workflow code this is about. */
const WORKER = path.join(import.meta.dirname, '../../../../worker/src/replay/main.ts');

/** Runs the worker's own program, which loads Temporal's native library, and ends as it does. */
export async function runReplay(given: ReplayArguments, { env, signal }: World): Promise<ExitCode> {
  if (!existsSync(WORKER))
    throw new ExitError(
      EXIT.refused,
      'expected a clone, whose workflow code is replayed, found none; in the image of a worker, run: node apps/worker/src/replay/main.ts',
    );
  const options = Object.entries(given).flatMap(([name, value]: [string, string]) => [`--${name}`, value]);
  const argv = ['--disable-warning=ExperimentalWarning', WORKER, ...options];
  const child = spawn(process.execPath, argv, { env, stdio: 'inherit', signal });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => {
      resolve(Object.values(EXIT).find((known) => known === code) ?? EXIT.interrupted);
    });
  });
}
