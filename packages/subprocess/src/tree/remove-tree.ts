/** Removes folders in which code of others ran. */
import { lstat, rm } from 'node:fs/promises';
import { runCommand } from '../run-command.ts';

/** A tree of a million files takes a minute or two. */
const PROGRAM_MS = 10 * 60_000;

/** Something is left of a folder, which is to be removed by hand. */
export class TreeNotRemovedError extends Error {
  override readonly name = 'TreeNotRemovedError';
  readonly code = 'TREE_NOT_REMOVED';

  constructor(folder: string, why: string, options: ErrorOptions) {
    super(`expected to remove ${folder}, found that rm could not: ${why}`, options);
  }
}

/**
 * Removes a folder, if it is there, with all that code of others left in it: also folders that nobody may read, and such as lie deeper
 * than any path reaches, which Node cannot remove. Follows no link. Another clean-up, or a command that is about to end, may still
 * change it: then it is tried again for a second.
 */
export async function removeTree(folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true, maxRetries: 4, retryDelay: 100 });
  } catch (cause) {
    // Given a link, it would change what is behind it. Another clean-up may have been faster.
    const found = await lstat(folder).catch(() => undefined);
    if (found?.isDirectory()) await run(['chmod', '-R', '--', 'u+rwX', folder]);
    const removed = await run(['rm', '-rf', '--', folder]);
    if (removed.kind !== 'exited' || removed.exitCode !== 0)
      throw new TreeNotRemovedError(folder, removed.stderr.trim().slice(-WORDS_LIMIT) || removed.kind, { cause });
  }
}

/** Of what the program says. */
const WORDS_LIMIT = 300;

function run(argv: readonly [string, ...string[]]) {
  return runCommand({ argv, env: { PATH: '/usr/bin:/bin' }, cwd: '/', timeoutMs: PROGRAM_MS });
}
