/**
 * Terraform and OpenTofu: finding or fetching the binary, running the steps of a root with the providers that
 * this host has, reading plans. Knows no Temporal.
 */
export { createApplyMarker } from './apply-marker.ts';
export type { ApplyResult } from './apply-result.ts';
export { applyRoot, type ApplyOptions } from './apply-root.ts';
export { digestOf } from './digest.ts';
export { terraformEnvironment, type Environment, type EnvironmentOptions } from './environment.ts';
export * from './errors.ts';
export { followApply, type FollowedApply, type FollowOptions } from './follow-apply.ts';
export { LOCK_TIMEOUT_MS, type JobOptions, type StepName } from './job-options.ts';
export { planRoot, type PlanResult } from './plan-root.ts';
export { LOCK_FILE } from './providers/lock-file.ts';
export type { KeptPackage } from './providers/package-store.ts';
export { createProviderCache, type ProviderCache } from './providers/provider-cache.ts';
export { readRequiredVersion } from './required-version.ts';
export {
  createBinaryFinder,
  type BinaryFinderOptions,
  type FindBinary,
  type FoundBinary,
  type WantedBinary,
} from './find-binary.ts';
