/**
 * Lists paths of a revision. The objects of a few kilobytes can name millions of files, or nested directories without end, so
 * git is stopped at a limit of output and of time, and the revision is refused.
 */
import type { LocalCommand } from '../command/git-commands.ts';
import { GitOutputLimitError, GitTimeoutError, RevisionTooLargeError } from '../errors.ts';
import type { Mirror } from '../mirror/mirror.ts';

/** Five times as many as the largest repositories have that we know of. */
export const FILES_LIMIT = 500_000;

/** So many files with paths of 80 characters, each with its mode and id. */
const LISTING_LIMIT_BYTES = 64 * 1024 * 1024;

/** Returns paths that end in NUL, with whatever else the command prints about each. Throws `RevisionTooLargeError`. */
export async function readPaths(mirror: Pick<Mirror, 'read'>, command: LocalCommand): Promise<string> {
  const { stdout } = await mirror
    .read({ ...command, outputLimitBytes: LISTING_LIMIT_BYTES })
    .catch((error: unknown) => {
      if (error instanceof GitOutputLimitError) throw tooLarge(`more than ${LISTING_LIMIT_BYTES} bytes`, error);
      if (error instanceof GitTimeoutError) throw tooLarge('that git takes too long to list them', error);
      throw error;
    });
  const files = countFiles(stdout);
  if (files > FILES_LIMIT) throw tooLarge(`${files} files`);
  return stdout.toString();
}

function tooLarge(found: string, cause?: Error): RevisionTooLargeError {
  const expected = `at most ${FILES_LIMIT} files, whose names and ids take ${LISTING_LIMIT_BYTES} bytes`;
  return new RevisionTooLargeError(expected, found, 'split the repository, or the change', { cause });
}

function countFiles(listing: Buffer): number {
  let count = 0;
  for (let at = listing.indexOf(0); at !== -1; at = listing.indexOf(0, at + 1)) count += 1;
  return count;
}
