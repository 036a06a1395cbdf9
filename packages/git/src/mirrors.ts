/** All mirrors and working trees of one host. */
import { join } from 'node:path';
import { defined } from '@nereid/domain/defined';
import type { Revision } from '@nereid/domain/deployment';
import type { Repository } from '@nereid/domain/root';
import { LRUCache } from 'lru-cache';
import { findAbsentContents, type AbsentContent, type LfsContent } from './read/absent-contents.ts';
import type { FileContent } from './read/blobs.ts';
import { commitsBrought, type BroughtCommits } from './read/brought-commits.ts';
import { findChangedFiles, findPushBase, type ChangedFiles, type RevisionRange } from './read/changed-files.ts';
import { keepWithin, type DiskUse, type KeptBeside } from './disk/keep-within.ts';
import { createKeptRepositories } from './disk/kept-repositories.ts';
import { gitEnvironment, serverUrl, type GivenEnvironment } from './command/environment.ts';
import {
  askBranch,
  containedIn,
  describeRevision,
  firstParentsBetween,
  isAncestorOf,
  mergeBaseOf,
  treeIdOf,
} from './read/history.ts';
import { fillPointers } from './lfs/fill-pointers.ts';
import type { FilledFile } from './lfs/filled-files.ts';
import { assertFits, weighRevision, withLfs, type TreeLimit } from './trees/tree-weight.ts';
import { createIdleTrees } from './trees/idle-trees.ts';
import type { GitTimeouts, MirrorFetch } from './command/git-commands.ts';
import { mergeIn, type Merged, type MergeParents } from './read/merge.ts';
import type { Mirror } from './mirror/mirror.ts';
import { repositoryPath } from './names.ts';
import { createOpenMirrors } from './open-mirrors.ts';
import { readLineage, type Lineage } from './read/lineage.ts';
import { createRevisionTree, parseListing, type RevisionTree, type TreeFile } from './read/revision-tree.ts';
import { createWorkingTrees, type Authorization, type WorkingTrees } from './trees/working-trees.ts';

export interface MirrorsOptions {
  /** Belongs to this process alone. Mirrors are in its folder `mirrors`. */
  readonly dataDir: string;
  /** Absolute, the same on every host: a plan remembers the path of its working tree. */
  readonly workDir: string;
  readonly hostId: string;
  /** The address of the repositories, `https://github.com`: `<gitUrl>/<owner>/<name>.git`. Without credentials. */
  readonly gitUrl: string;
  /**
   * The value of the Authorization header for one command, `Basic …`; undefined when none is needed. A secret. Without this,
   * only check-outs fetch, which bring their own.
   */
  readonly authorization: ((repository: Repository) => Promise<string | undefined>) | undefined;
  /** The environment of the process. Only `PATH`, `TMPDIR`, proxies and certificates are taken from it. */
  readonly environment: GivenEnvironment;
  /** Default 4: as many deployments run at once on two cores, and each tree takes the disk space of a checkout. */
  readonly idleTreesPerRepository?: number;
  readonly timeouts?: Partial<GitTimeouts>;
  /** Called after each fetch of a mirror. */
  readonly onFetch?: (fetched: MirrorFetch) => void;
}

/**
 * Every operation fetches the objects that it needs and lacks, so callers need not fetch them first. All operations throw
 * `RepositoryUnreachableError`, `RevisionGoneError`, `GitTimeoutError`, and `InvalidNameError` for invalid names; an aborted
 * signal throws its reason.
 */
export interface Mirrors extends WorkingTrees {
  /** Makes sure that the commits are in the mirror: one fetch for all missing ones, no network when none is missing. */
  fetch(repository: Repository, shas: readonly string[], signal?: AbortSignal): Promise<void>;
  describe(repository: Repository, sha: string, branch: string, signal?: AbortSignal): Promise<Revision>;
  /** Git's id of all files of a commit, 40 hex digits. Two commits with the same files have the same, whatever their history. */
  treeId(repository: Repository, sha: string, signal?: AbortSignal): Promise<string>;
  /** The branch's head on the server at this moment; undefined when there is no such branch. */
  branchHead(repository: Repository, branch: string, signal?: AbortSignal): Promise<string | undefined>;
  /** Whether the branch, as it is on the server at this moment, has the commit in its history. */
  contains(repository: Repository, branch: string, sha: string, signal?: AbortSignal): Promise<boolean>;
  /** The same, with the server's default branch: the server is asked once for both. */
  findOnBranch(
    repository: Repository,
    branch: string,
    sha: string,
    signal?: AbortSignal,
  ): Promise<{ readonly isContained: boolean; readonly defaultBranch?: string }>;
  /** Undefined when the two have no history in common. */
  mergeBase(repository: Repository, a: string, b: string, signal?: AbortSignal): Promise<string | undefined>;
  /** The commits of a branch after one of them, up to another, oldest first. */
  commitsBetween(
    repository: Repository,
    range: { readonly after: string; readonly upTo: string },
    signal?: AbortSignal,
  ): Promise<readonly string[]>;
  /**
   * The commits that one revision has and another lacks, from what this host has already: at once, and undefined when it lacks
   * one of the two. `limit`, for tests.
   */
  commitsBrought(
    repository: Repository,
    range: { readonly after: string; readonly upTo: string; readonly limit?: number },
    signal?: AbortSignal,
  ): Promise<BroughtCommits | undefined>;
  /** The newest commits that some others contain, themselves included, from what this host has already. */
  lineage(repository: Repository, shas: readonly string[], signal?: AbortSignal): Promise<Lineage>;
  /** A commit is an ancestor of itself. */
  isAncestor(repository: Repository, ancestor: string, descendant: string, signal?: AbortSignal): Promise<boolean>;
  /** The same from what this host has already: at once, and undefined when it lacks one of them. */
  isKnownAncestor(
    repository: Repository,
    ancestor: string,
    descendant: string,
    signal?: AbortSignal,
  ): Promise<boolean | undefined>;
  /** Makes the commit that merging the two would give, so that everything else can be asked about it. */
  merge(
    repository: Repository,
    parents: MergeParents & { readonly authorization?: Authorization },
    signal?: AbortSignal,
  ): Promise<Merged>;
  /** Returns the commits that the head contains, itself included. A commit that the repository lacks is never contained. */
  contained(
    repository: Repository,
    head: string,
    shas: readonly string[],
    signal?: AbortSignal,
  ): Promise<readonly string[]>;
  /** Throws `RevisionTooLargeError`, as everything does that lists files. */
  changedFiles(repository: Repository, range: RevisionRange, signal?: AbortSignal): Promise<ChangedFiles>;
  /** The `base` of `changedFiles`, without its files. */
  pushBase(
    repository: Repository,
    push: { readonly before: string; readonly after: string },
    signal?: AbortSignal,
  ): Promise<string | undefined>;
  listFiles(repository: Repository, sha: string, signal?: AbortSignal): Promise<readonly TreeFile[]>;
  /** What a check-out of the revision lacks, in the order of the paths. */
  absentContents(
    revision: { readonly repository: Repository; readonly sha: string; readonly authorization?: Authorization },
    signal?: AbortSignal,
  ): Promise<readonly AbsentContent[]>;
  /**
   * Downloads contents of Git LFS into their places in a check-out, and returns those files. They count towards its limit. Throws a
   * `ContentAbsentError`.
   */
  fetchLfs(wanted: WantedContents): Promise<readonly FilledFile[]>;
  /**
   * Removes mirrors, idle trees and the caller's other things, the least recently used first, while they take more than this.
   * Nothing in use is removed.
   */
  keepWithin(budgetBytes: number, beside?: readonly KeptBeside[]): Promise<DiskUse>;
  tree(repository: Repository, sha: string, signal?: AbortSignal): RevisionTree;
}

export interface WantedContents {
  readonly repository: Repository;
  readonly sha: string;
  /** The absolute path of the check-out. */
  readonly tree: string;
  readonly contents: readonly LfsContent[];
  readonly limit: TreeLimit;
  readonly authorization: Authorization;
  readonly signal: AbortSignal;
}

/**
 * Local commands take milliseconds; a minute means a sick disk. A first fetch of a large repository takes minutes; a server
 * that prepares one sends a sign of life every five seconds.
 */
const TIMEOUTS: GitTimeouts = { localMs: 60_000, networkMs: 15 * 60_000, silenceMs: 20_000, retryMs: 10_000 };

/**
 * More than most hosts have slots: what is thrown away because there are as many, the next deployment writes again, file by file. The
 * disk budget removes what takes too much.
 */
const IDLE_TREES = 16;

/** The listings of the current revisions of many busy repositories. A listing of 10,000 files takes 1 MB. */
const LISTINGS_LIMIT = 64 * 1024 * 1024;

/** Pointers and submodules of the revisions that are deployed now, at some hundred bytes each. */
const ABSENT_LIMIT = 50_000;

/** Configuration is small; this holds the files of thousands of roots. */
const CONTENTS_LIMIT = 32 * 1024 * 1024;

export function createMirrors(options: MirrorsOptions): Mirrors {
  const gitUrl = serverUrl(options.gitUrl);
  const environment = gitEnvironment(options.environment, gitUrl);
  const mirrorsDir = join(options.dataDir, 'mirrors');
  const timeouts = { ...TIMEOUTS, ...options.timeouts };
  const { mirrorAt, mirrorOf } = createOpenMirrors({
    ...{ mirrorsDir, gitUrl, environment, timeouts },
    authorization: options.authorization,
    onFetch: options.onFetch,
  });
  const caches = {
    listings: new LRUCache<string, string>({ maxSize: LISTINGS_LIMIT, sizeCalculation: ({ length }) => length + 1 }),
    contents: new LRUCache<string, FileContent>({ maxSize: CONTENTS_LIMIT, sizeCalculation: weighContent }),
    absent: new LRUCache<string, readonly AbsentContent[]>({
      maxSize: ABSENT_LIMIT,
      sizeCalculation: ({ length }) => length + 1,
    }),
  };

  const treeOf = (mirror: Mirror, sha: string, signal: AbortSignal | undefined) =>
    createRevisionTree({ mirror, sha, caches, signal });
  const tree: Mirrors['tree'] = (repository, sha, signal) => treeOf(mirrorOf(repository), sha, signal);
  const listFilesOf = async (mirror: Mirror, sha: string, signal?: AbortSignal) =>
    parseListing(await treeOf(mirror, sha, signal).listing());
  const listFiles: Mirrors['listFiles'] = async (repository, sha, signal) =>
    listFilesOf(mirrorOf(repository), sha, signal);
  const isAncestor: Mirrors['isAncestor'] = async (repository, ancestor, descendant, signal) =>
    mirrorOf(repository).use([ancestor, descendant], signal, async (mirror) =>
      isAncestorOf(mirror, ancestor, descendant),
    );
  const fetch: Mirrors['fetch'] = async (repository, shas, signal) =>
    mirrorOf(repository).use(shas, signal, async () => Promise.resolve());
  const askOf = async (repository: Repository, branch: string, signal?: AbortSignal) =>
    mirrorOf(repository).use([], signal, async (mirror) => askBranch(mirror, branch, signal));
  const findOnBranch: Mirrors['findOnBranch'] = async (repository, branch, sha, signal) => {
    // A commit that comes by a push is not here yet, so it is fetched while the server is asked for the head.
    const [asked, fetched] = await Promise.allSettled([
      askOf(repository, branch, signal),
      fetch(repository, [sha], signal),
    ]);
    const { head, defaultBranch } = valueOf(asked);
    if (head === undefined) return { isContained: false, ...defined({ defaultBranch }) };
    valueOf(fetched);
    return { isContained: await isAncestor(repository, sha, head, signal), ...defined({ defaultBranch }) };
  };

  const { workDir, hostId, idleTreesPerRepository = IDLE_TREES } = options;
  const idleTrees = createIdleTrees(workDir, hostId, idleTreesPerRepository);
  const kept = createKeptRepositories({ mirrorsDir, idleTrees, mirrorOf: mirrorAt });

  return {
    ...createWorkingTrees({
      workDir,
      hostId,
      idleTrees,
      mirrorOf,
      listFiles: listFilesOf,
    }),
    fetch,
    describe: async (repository, sha, branch, signal) =>
      mirrorOf(repository).use([sha], signal, async (mirror) => describeRevision(mirror, sha, branch, signal)),
    treeId: async (repository, sha, signal) =>
      mirrorOf(repository).use([sha], signal, async (mirror) => treeIdOf(mirror, sha, signal)),
    branchHead: async (repository, branch, signal) => (await askOf(repository, branch, signal)).head,
    findOnBranch,
    contains: async (repository, branch, sha, signal) =>
      (await findOnBranch(repository, branch, sha, signal)).isContained,
    mergeBase: async (repository, a, b, signal) =>
      mirrorOf(repository).use([a, b], signal, async (mirror) => mergeBaseOf(mirror, a, b, signal)),
    commitsBetween: async (repository, range, signal) =>
      mirrorOf(repository).use([range.after, range.upTo], signal, async (mirror) =>
        firstParentsBetween(mirror, range, signal),
      ),
    commitsBrought: async (repository, range, signal) =>
      mirrorOf(repository).look([range.after, range.upTo], signal, async (mirror) =>
        commitsBrought(mirror, range, signal),
      ),
    lineage: async (repository, shas, signal) => {
      const read = async (mirror: Mirror) => readLineage(mirror, shas, signal);
      return (await mirrorOf(repository).look([], signal, read)) ?? new Map();
    },
    isAncestor,
    isKnownAncestor: async (repository, ancestor, descendant, signal) =>
      mirrorOf(repository).look([ancestor, descendant], signal, async (mirror) =>
        isAncestorOf(mirror, ancestor, descendant),
      ),
    merge: async (repository, { authorization, ...parents }, signal) =>
      mirrorOf(repository, authorization).use([parents.base, parents.head], signal, async (mirror) =>
        mergeIn(mirror, parents, signal),
      ),
    contained: async (repository, head, shas, signal) =>
      mirrorOf(repository).use([head], signal, async (mirror) => containedIn(mirror, head, shas, signal)),
    changedFiles: async (repository, range, signal) => findChangedFiles(mirrorOf(repository), range, signal),
    pushBase: async (repository, push, signal) => findPushBase(mirrorOf(repository), push, signal),
    listFiles,
    absentContents: async ({ repository, sha, authorization }, signal) => {
      const known = caches.absent.get(sha);
      if (known !== undefined) return known;
      const mirror = mirrorOf(repository, authorization);
      const files = await listFilesOf(mirror, sha, signal);
      const absent = await mirror.use([sha], signal, async () => findAbsentContents(mirror, { sha, files }, signal));
      caches.absent.set(sha, absent);
      return absent;
    },
    async fetchLfs({ repository, sha, tree: checkedOut, contents, limit, authorization, signal }) {
      const mirror = mirrorOf(repository, authorization);
      const files = await listFilesOf(mirror, sha, signal);
      const weight = await mirror.use([sha], signal, async () => weighRevision(mirror, { sha, files }, signal));
      assertFits(withLfs(weight, contents), limit);
      const path = repositoryPath(repository);
      const { retryMs } = timeouts;
      return fillPointers({ path, gitUrl, authorization, tree: checkedOut, contents, retryMs, signal });
    },
    keepWithin: async (budgetBytes, beside) => keepWithin(budgetBytes, await kept.look(), beside),
    tree,
  };
}

function valueOf<T>(settled: PromiseSettledResult<T>): T {
  if (settled.status === 'rejected') throw settled.reason;
  return settled.value;
}

function weighContent(content: FileContent): number {
  return content.kind === 'text' ? content.text.length + 1 : 1;
}
