/**
 * Root discovery: finds the roots to deploy from the files of a revision and of a change. Reads through the `RevisionTree` that
 * it is given, and has no other effects.
 */
export { discoverRoots, type Change, type Discovered, type ModifiedRoot } from './discover-roots.ts';
export { findRoots, type FoundRoots, type NamedRoots } from './find-roots.ts';
export { createParsedFiles, type ParsedFiles } from './parsed-files.ts';
export type { Problems, RootsSource } from './repository-roots.ts';
