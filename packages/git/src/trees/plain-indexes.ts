/**
 * Indexes of working trees that hide nothing. An index can tell git to take files for unchanged, and these would survive the move to
 * another revision. Git is asked once: an index that hides nothing, or that git has written from such a one, hides nothing as long
 * as nobody else writes it. The file's time of change tells that, which no program can set.
 */
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { hasErrorCode } from '@nereid/subprocess';
import { LRUCache } from 'lru-cache';
import { TreeUnusableError } from '../errors.ts';
import type { Mirror } from '../mirror/mirror.ts';
import type { WorkingTree } from './working-tree.ts';

export interface PlainIndexes {
  /** Throws a `TreeUnusableError` if the index hides changes. Git is asked only if somebody has written the index meanwhile. */
  assertPlain(mirror: Mirror, tree: WorkingTree, signal?: AbortSignal): Promise<void>;
  /** Once git has written a plain index anew for us. */
  remember(mirror: Mirror, tree: WorkingTree): Promise<void>;
}

/** More than a host has trees. Of an index that is forgotten, git is asked again. */
const KNOWN_LIMIT = 1_000;

export function createPlainIndexes(): PlainIndexes {
  /** By the id of the tree. Not on the disk: code that ran without a sandbox could write it there. */
  const known = new LRUCache<string, Version>({ max: KNOWN_LIMIT });

  return {
    async assertPlain(mirror, tree, signal) {
      // Before git reads the index: what is written after that has another version.
      const found = await versionOf(mirror, tree);
      if (found === ABSENT || (found !== UNKNOWN && found === known.get(tree.id))) return;
      await askGit(mirror, tree, signal);
      known.set(tree.id, found);
    },
    async remember(mirror, tree) {
      known.set(tree.id, await versionOf(mirror, tree));
    },
  };
}

/** Where the content of an index is, and when it was last changed. */
type Version = string;

/** A tree that has no files yet. */
const ABSENT: Version = 'absent';

/** What a link leads to changes without a trace. */
const UNKNOWN: Version = 'unknown';

async function versionOf(mirror: Mirror, { id }: WorkingTree): Promise<Version> {
  const file = join(mirror.folder.dir, 'worktrees', id, 'index');
  try {
    const found = await lstat(file, { bigint: true });
    return found.isFile() ? [found.dev, found.ino, found.size, found.ctimeNs].join(' ') : UNKNOWN;
  } catch (error) {
    return hasErrorCode(error, 'ENOENT') ? ABSENT : UNKNOWN;
  }
}

async function askGit(mirror: Mirror, { path }: WorkingTree, signal: AbortSignal | undefined): Promise<void> {
  const { stdout } = await mirror.run({ verb: 'ls-files', args: ['-v', '-z'], cwd: path, signal });
  const entries = stdout.toString().split('\0').slice(0, -1);
  const isPlain = entries.every((entry) => entry.startsWith('H '));
  if (!isPlain) throw new TreeUnusableError(path, 'files whose changes its index hides');
}
