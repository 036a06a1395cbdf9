/**
 * Configuration: reads the server's file, a repository's file and the environment into plain readonly values, or reports
 * every problem with them at once.
 */
export { formatProblem, printable, type Place, type Problem } from './yaml/problem.ts';
export {
  NO_REPOSITORY_CONFIG,
  type Autodiscover,
  type RepositoryConfig,
  type RepositoryConfigRead,
  type RootConfig,
} from './repository/repository-config.ts';
export { environmentFileOf } from './repository/atlantis/atlantis-config.ts';
export { createIsIncluded, includedProblem, includesOf, type IncludedFile } from './repository/include.ts';
export { matchesSegments, nameMatcher, type Segment } from './repository/path-pattern.ts';
export { readRepositoryConfig, type RepositorySource } from './repository/read-repository-config.ts';
export { groupOf } from './repository/ordering.ts';
export { unknownDependencies } from './repository/ordering-rules.ts';
export { rootsProblem } from './repository/repository-limits.ts';
export { nameDiscoveredRoots, rootNameOf } from './repository/root-name.ts';
export { sharedCredentials } from './check/credentials/shared-credentials.ts';
export { directoriesOf, matchesGlob, matchesRoot, placeOf, type RootPlace } from './server/glob.ts';
export { isInScope } from './server/scope/scope.ts';
export { isInDirectories, isStopOf, stopFact, type StoppedRoot } from './server/stops/root-stops.ts';
export { poolNamed } from './server/pools.ts';
export { directoryGlobOf } from './server/stops/directory-glob.ts';

export {
  describeOwners,
  planPoliciesFor,
  type PlanPolicy,
  type PolicyOwners,
} from './server/policies/plan-policies.ts';
export { ANNOUNCED_MS, closingFor, windowAhead, type Closing } from './server/windows/closing.ts';
export { describeTime, describeWindow } from './server/windows/describe-window.ts';
export { budgetsFor, type Budget } from './server/budgets/budget.ts';
export {
  isAwaited,
  isProtected,
  protectionRulesFor,
  protectionRulesOf,
  type ProtectionRule,
} from './server/protection/protection-rules.ts';
export { describeChecked, WAVES_ZONE } from './server/waves/checked-standing.ts';
export { checksOf, wavesFor } from './server/waves/waves.ts';
export type { CommandCheck, Expectation, RequestCheck, WaveCheck } from './server/waves/wave-checks.ts';
export { windowFact } from './server/windows/window-fact.ts';
export { changesBetween, windowStateAt, windowsFor } from './server/windows/window-state.ts';
export { workedMs } from './server/windows/working-hours.ts';
export { policyFolderProblems } from './server/policies/policy-folders.ts';
export { policyFor, type RepositoryPolicy } from './server/repository-policy/policy.ts';
export { hasReminders, settingsFor, settingsForAllRoots } from './server/repository-policy/settings-for.ts';
export { resolveRoot } from './repository/resolve-root.ts';
export { hasOwnApplyIdentity, identityFor, type RootIdentity } from './server/identity/root-identity.ts';
export { secretFilesFor } from './server/identity/secret-files.ts';
export {
  coversEverything,
  coversRepository,
  isOperator,
  operatorOf,
  type ApiToken,
  type ConsolePolicy,
  type LoginConfig,
  type LoginMode,
  type Operator,
} from './server/console/console-policy.ts';
export { dayIn, describeHours, firstDueAt, heldBackUntil, isHeldBack } from './server/notifications/delivery-hours.ts';
export {
  followsTopic,
  wantsNotification,
  type AlertmanagerTarget,
  type DeploymentsTarget,
  type Destination,
  type EmailTarget,
  type PagerDutyTarget,
  type SlackTarget,
  type TeamsTarget,
  type WebhookTarget,
} from './server/notifications/destinations.ts';
export { hashOfToken } from './server/console/api-token.ts';
export { type Override } from './settings/overrides.ts';
export { readServerConfig, type ServerConfigRead } from './server/read-server-config.ts';
export { hostGraceMs } from './server/shutdown-grace.ts';
export { LONGEST_TIMEOUT_MS } from './settings/timeout.ts';
export type { AuditConfig, ServerConfig } from './server/server-config.ts';
export type { TerraformConfig } from './server/terraform/terraform-config.ts';
export type { RetentionConfig } from './server/storage/retention.ts';
export type { StorageConfig } from './server/storage/storage-config.ts';
export {
  type IdentitySettings,
  type PullRequestComment,
  type RepositoryEntry,
  type RootSettings,
  type SecretPhase,
} from './server/repository-entry.ts';
export { env, type Address, type SealingKeys } from './environment/env.ts';
export {
  readEnv,
  type EnvironmentRead,
  type EnvironmentRecord,
  type Variable,
  type Variables,
  type ValuesOf,
} from './environment/environment.ts';
export { Secret } from './environment/secret.ts';
export {
  STORAGE_VARIABLES,
  storageAccess,
  storageProblems,
  type StorageAccess,
} from './server/storage/storage-access.ts';
export { ConfigurationError, type LocatedProblem } from './environment/configuration-error.ts';
export { githubApiUrlOf, githubUrlOf, isLoopback } from './environment/hosts.ts';
export {
  reloadableServerConfig,
  type ReloadableServerConfig,
  type Reloaded,
} from './server/reloadable-server-config.ts';
