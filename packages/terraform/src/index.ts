/**
 * Runs Terraform and OpenTofu: finds or fetches the binary, runs the steps of a root with the providers of this host, and
 * reads plans. It knows nothing of Temporal.
 */
export { createApplyMarker } from './apply/apply-marker.ts';
export type { ApplyResult } from './apply/apply-result.ts';
export { applyRoot, type ApplyOptions } from './apply/apply-root.ts';
export { digestOfChanges } from './changes/change-set.ts';
export { digestOf } from './plan/digest.ts';
export { allowedVariables, terraformEnvironment, type Environment, type EnvironmentOptions } from './environment.ts';
export * from './errors.ts';
export { followApply, type FollowedApply, type FollowOptions } from './apply/follow-apply.ts';
export { locateRoot } from './job/root-dir.ts';
export { LOCK_TIMEOUT_MS, type JobOptions, type MadePlanFile, type StepName } from './job/job-options.ts';
export { madeInDataDir } from './plan/made-in-data-dir.ts';
export { planRoot, type PlanResult } from './plan/plan-root.ts';
export { checkRoot, type CheckOptions, type CheckResult } from './check/check-root.ts';
export { forceUnlockRoot, type ForceUnlockOptions, type ForceUnlockResult } from './unlock/force-unlock-root.ts';
export { dataDirOf } from './state/backend.ts';
export { listStateOfRoot, type ListedState } from './removal/list-state-of-root.ts';
export { LOCK_FILE } from './providers/lock-file.ts';
export type { KeptPackage } from './providers/package-store.ts';
export { createProviderCache, type ProviderCache } from './providers/provider-cache.ts';
export { failed as failedPolicy, type PolicyFinding } from './policy/conftest-output.ts';
export { CONFTEST } from './binary/conftest-pin.ts';
export { whyNoReleases, type Releases } from './binary/why-no-releases.ts';
export { evaluatePolicy } from './policy/evaluate-policy.ts';
export { createConftestFinder, type FindConftest } from './binary/find-conftest.ts';
export { limitMessages } from './policy/limit-messages.ts';
export { readRequiredVersion } from './binary/required-version.ts';
export {
  createBinaryFinder,
  type BinaryFinderOptions,
  type FindBinary,
  type FoundBinary,
  type WantedBinary,
} from './binary/find-binary.ts';
