/**
 * Git: a mirror of each repository, questions about its commits and files, and working trees of exactly one revision.
 */
export type { FileContent } from './blobs.ts';
export { createBoundedCache, type BoundedCache } from './bounded-cache.ts';
export type { ChangedFiles, RevisionRange } from './changed-files.ts';
export type { DiskUse } from './disk/keep-within.ts';
export { gitCredentialsEnvironment } from './environment.ts';
export {
  GitCommandError,
  GitOutputLimitError,
  GitLostError,
  GitTimeoutError,
  InvalidNameError,
  OutsideTreeError,
  RepositoryUnreachableError,
  RevisionGoneError,
} from './errors.ts';
export { createMirrors, type Mirrors, type MirrorsOptions } from './mirrors.ts';
export type { RevisionTree, TreeFile } from './revision-tree.ts';
export { directoryInTree } from './tree-directory.ts';
export type { CheckOut, Released } from './working-trees.ts';
