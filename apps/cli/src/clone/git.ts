/** Git in the folder in which a person stands. Only commands that read files of this machine. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { World } from '../world.ts';

/** Without spaces around its output; undefined when it fails, or there is no git. */
export type Git = (...args: readonly string[]) => Promise<string | undefined>;

const run = promisify(execFile);

const PATIENCE_MS = 10_000;

export function gitIn({ folder, env }: Pick<World, 'folder' | 'env'>): Git {
  return async (...args) => {
    try {
      const { stdout } = await run('git', args, { cwd: folder, env, timeout: PATIENCE_MS });
      return stdout.trim();
    } catch {
      return undefined;
    }
  };
}
