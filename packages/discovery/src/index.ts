/**
 * Root discovery: finds the roots to deploy from the files of a revision and of a change. The content of repositories is read and
 * matched in threads with a budget; they read through the `RevisionTree` that they are given, and have no other effects.
 */
export {
  openDiscovery,
  type Change,
  type Discovery,
  type Load,
  type NamedRoots,
  type OneRoot,
  type Stretch,
} from './thread/discovery.ts';
export type { Discovered, ModifiedRoot } from './discover-roots.ts';
export { DiscoveryBudgetError, DiscoveryBusyError } from './errors.ts';
export type { FoundRoots } from './find-roots.ts';
export type { Touching } from './find-touching.ts';
export type { ConfigFile } from './config-files.ts';
export { createIsInput, createIsInReach, type RootInputs } from './inputs/root-inputs.ts';
export type { Problems } from './repository-roots.ts';
