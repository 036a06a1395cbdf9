/** The commit that merging a head into a base would give, made in the mirror. Nothing is pushed. */
import type { Mirror } from '../mirror/mirror.ts';
import { mergeBaseOf } from './history.ts';

export interface MergeParents {
  /** 40 hex digits, as is `head`. */
  readonly base: string;
  readonly head: string;
}

export type Merged =
  /** The same commit on every host, because nothing in it depends on the host or the time. */
  | { readonly kind: 'merged'; readonly sha: string }
  /** At most `FILES_LIMIT` paths; hostile. `total` counts all. */
  | { readonly kind: 'conflict'; readonly files: readonly string[]; readonly total: number }
  /** The two have no history in common. */
  | { readonly kind: 'unrelated' };

/** Enough to see what it is about. */
const FILES_LIMIT = 20;

export async function mergeIn(
  mirror: Mirror,
  { base, head }: MergeParents,
  signal: AbortSignal | undefined,
): Promise<Merged> {
  if ((await mergeBaseOf(mirror, base, head, signal)) === undefined) return { kind: 'unrelated' };
  // Where both sides changed a large file, the mirror lacks it and git fetches it.
  const args = ['--write-tree', '-z', '--name-only', '--no-messages', base, head];
  const { exitCode, stdout } = await mirror.ask({ verb: 'merge-tree', args, accepted: [1], signal });
  const [tree = '', ...conflicts] = stdout.toString().split('\0').slice(0, -1);
  if (exitCode === 1) return { kind: 'conflict', files: conflicts.slice(0, FILES_LIMIT), total: conflicts.length };
  const written = ['-t', 'commit', '-w', '--stdin'];
  const commit = await mirror.run({ verb: 'hash-object', args: written, input: commitOf(tree, base, head), signal });
  return { kind: 'merged', sha: commit.stdout.toString().trim() };
}

const NOBODY = 'Nereid <nereid@localhost> 0 +0000';

function commitOf(tree: string, base: string, head: string): string {
  const header = [`tree ${tree}`, `parent ${base}`, `parent ${head}`, `author ${NOBODY}`, `committer ${NOBODY}`];
  return `${header.join('\n')}\n\nMerge ${head} into ${base}\n`;
}
