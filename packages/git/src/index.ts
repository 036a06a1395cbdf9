/**
 * Git: a mirror of each repository, questions about its commits and files, and working trees of exactly one revision.
 */
export type { BroughtCommit, BroughtCommits } from './read/brought-commits.ts';
export { unchangedFiles, type FilledFile } from './lfs/filled-files.ts';
export type { AbsentContent, LfsContent, LfsObject, Submodule } from './read/absent-contents.ts';
export { findEncrypted, type EncryptedContent } from './read/encrypted-files.ts';
export type { FileContent } from './read/blobs.ts';
export type { ChangedFiles, RevisionRange } from './read/changed-files.ts';
export type { DiskUse } from './disk/keep-within.ts';
export { gitCredentialsEnvironment, NO_PROGRAMS } from './command/environment.ts';
export {
  BlobsMissingError,
  ContentAbsentError,
  GitCommandError,
  GitOutputLimitError,
  GitLostError,
  GitTimeoutError,
  InvalidNameError,
  RepositoryUnreachableError,
  RevisionGoneError,
  RevisionTooLargeError,
  TreeInUseError,
} from './errors.ts';
export { createMirrors, type Mirrors, type MirrorsOptions } from './mirrors.ts';
export type { Lineage } from './read/lineage.ts';
export type { Merged, MergeParents } from './read/merge.ts';
export { parseListing, type RevisionTree, type TreeFile } from './read/revision-tree.ts';
export type { TreeLimit } from './trees/tree-weight.ts';
export type { Authorization, CheckOut, Released } from './trees/working-trees.ts';
