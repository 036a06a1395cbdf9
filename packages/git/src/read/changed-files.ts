/**
 * The files that a push, a pull request or a commit changes.
 *
 * A push is `before..after`, with all its commits. If `before` is zero or gone, or if the push was forced, the push counts
 * from the merge base with `before` if there is one, and otherwise from the first parent; a root commit changes all its files.
 * A renamed file counts under its old name and its new one.
 */
import { RevisionGoneError } from '../errors.ts';
import { firstParentOf, isAncestorOf, mergeBaseOf } from './history.ts';
import type { Mirror } from '../mirror/mirror.ts';
import { readPaths } from './read-paths.ts';

export type RevisionRange =
  /** As a webhook gives it; `before` is 40 zeros when the branch is new. */
  | { readonly kind: 'push'; readonly before: string; readonly after: string }
  /** From the merge base of the two. */
  | { readonly kind: 'pull-request'; readonly base: string; readonly head: string }
  /** Exactly what differs, whatever the history of the two. */
  | { readonly kind: 'trees'; readonly before: string; readonly after: string }
  /** From the first parent. */
  | { readonly kind: 'commit'; readonly sha: string }
  /** All files of the revision. */
  | { readonly kind: 'everything'; readonly sha: string };

export interface ChangedFiles {
  /** The commit that `head` was compared with; absent when it was compared with nothing. */
  readonly base?: string;
  readonly head: string;
  /** Relative to the repository's top, `/` between segments. Hostile: any characters but NUL. */
  readonly files: readonly string[];
}

/** The tree without files, which every git knows. */
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

export async function findChangedFiles(
  mirror: Mirror,
  range: RevisionRange,
  signal: AbortSignal | undefined,
): Promise<ChangedFiles> {
  switch (range.kind) {
    case 'push':
      return filesOfPush(mirror, range, signal);
    case 'pull-request':
      return mirror.use([range.base, range.head], signal, async () =>
        compare(mirror, await mergeBaseOf(mirror, range.base, range.head, signal), range.head, signal),
      );
    case 'trees':
      return mirror.use([range.before, range.after], signal, async () =>
        compare(mirror, range.before, range.after, signal),
      );
    case 'commit':
      return filesOfCommit(mirror, range.sha, signal);
    case 'everything':
      return mirror.use([range.sha], signal, async () => compare(mirror, undefined, range.sha, signal));
  }
}

type Push = Pick<Extract<RevisionRange, { kind: 'push' }>, 'before' | 'after'>;

/** The commit from which a push counts; undefined when everything in it is new. */
export async function findPushBase(
  mirror: Mirror,
  push: Push,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const { before, after } = push;
  if (!(await isComparable(mirror, push, signal))) {
    return mirror.use([after], signal, async () => firstParentOf(mirror, after, signal));
  }
  return mirror.use([before, after], signal, async () => baseBetween(mirror, push, signal));
}

async function filesOfPush(mirror: Mirror, push: Push, signal: AbortSignal | undefined): Promise<ChangedFiles> {
  const { before, after } = push;
  if (!(await isComparable(mirror, push, signal))) return filesOfCommit(mirror, after, signal);
  return mirror.use([before, after], signal, async () => {
    // Nearly every push is a fast-forward, so its difference is computed while the merge base is searched.
    const [base, difference] = await Promise.all([
      baseBetween(mirror, push, signal),
      compare(mirror, before, after, signal),
    ]);
    return base === before ? difference : compare(mirror, base, after, signal);
  });
}

async function isComparable(
  mirror: Mirror,
  { before, after }: Push,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  return !/^0+$/.test(before) && canBring(mirror, [before, after], signal);
}

async function baseBetween(
  mirror: Mirror,
  { before, after }: Push,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  if (await isAncestorOf(mirror, before, after)) return before;
  return (await mergeBaseOf(mirror, before, after, signal)) ?? firstParentOf(mirror, after, signal);
}

/** False when a commit is gone: a server deletes the commits that a forced push left behind, at a time of its choosing. */
async function canBring(mirror: Mirror, shas: readonly string[], signal: AbortSignal | undefined): Promise<boolean> {
  try {
    await mirror.use(shas, signal, async () => Promise.resolve());
    return true;
  } catch (error) {
    if (error instanceof RevisionGoneError) return false;
    throw error;
  }
}

async function filesOfCommit(mirror: Mirror, sha: string, signal: AbortSignal | undefined): Promise<ChangedFiles> {
  return mirror.use([sha], signal, async () => compare(mirror, await firstParentOf(mirror, sha, signal), sha, signal));
}

async function compare(
  mirror: Mirror,
  base: string | undefined,
  head: string,
  signal: AbortSignal | undefined,
): Promise<ChangedFiles> {
  const args = ['-r', '-z', '--no-renames', '--name-only', '--no-commit-id', base ?? EMPTY_TREE, head];
  const files = (await readPaths(mirror, { verb: 'diff-tree', args, signal })).split('\0').slice(0, -1);
  return base === undefined ? { head, files } : { base, head, files };
}
