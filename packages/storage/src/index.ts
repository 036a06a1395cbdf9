/** Objects in a folder or in S3, and the records, plans and job logs that Nereid keeps as objects. */
export * from './errors.ts';
export { createJobLogs, type JobLogs, type JobLogsOfPools } from './logs/job-logs.ts';
export { READ_LIMIT_BYTES } from './logs/log-reader.ts';
export type { FollowOptions, LogEvent, LogPart, LogReader, LogSize } from './logs/log-reader.ts';
export type { LogPace, LogWriter, LogWriterOptions } from './logs/log-writer.ts';
export { planTextDigest, type PlanTexts } from './logs/plan-texts.ts';
export type { MaskedStream } from './logs/secret-mask.ts';
export {
  createFileLock,
  LockHeldError,
  acquireFileLock,
  type FileLock,
  type ProcessLock,
} from './objects/folder/file-lock.ts';
export { createGsCredentials } from './objects/gs/gs-credentials.ts';
export { ABSENT } from './objects/object-store.ts';
export { openObjectStore } from './objects/open-object-store.ts';
export type {
  ListOptions,
  ObjectStore,
  ObjectStoreOptions,
  PutOptions,
  StampedKey,
  StoredObject,
} from './objects/object-store.ts';
export { probeStorage, type ProbedStorage, type StorageUse } from './probe-storage.ts';
export { measuredStore, type StoreRequest } from './measured-store.ts';
export { createKeptPlans, KeptPlanMissingError, KeptPlanUnreadableError } from './plans/kept-plans.ts';
export { UNTRACKED_LIMIT_BYTES } from './plans/kept-plans.ts';
export type {
  FetchedPlan,
  Keeping,
  KeptPlans,
  KeptPlansOfPools,
  PlanDescription,
  PlanToKeep,
} from './plans/kept-plans.ts';
export { KeyFileError, readOrMakeKeyFile } from './plans/key-file.ts';
export { InvalidPlanKeyError } from './plans/plan-keys.ts';
export {
  createBegunApplies,
  type Beginning,
  type BegunApplies,
  type BegunAppliesOfPools,
} from './records/begun-applies.ts';
export {
  createDeploymentRecords,
  type DeploymentRecords,
  type EndBound,
  type EndPlace,
} from './records/deployment-records.ts';
export { createDrainRecords, type DrainRecords } from './hosts/drain-records.ts';
export { createBudgetLeases, type BudgetLeases } from './budgets/budget-leases.ts';
export {
  createStopRecords,
  type StopRecords,
  type StopsOfRepository,
  type StoredPoolStops,
} from './stops/stop-records.ts';
export { createWorkerDiagnoses, type WorkerDiagnoses } from './hosts/worker-diagnoses.ts';
export { createHostRecords, type HostRecords } from './hosts/host-records.ts';
export {
  createLaneRecords,
  RecordConflictError,
  type LaneName,
  type LaneRecords,
  type StampedLane,
  type VersionedLane,
} from './records/lane-records.ts';
export { createReminderRecords, type LastReminded, type ReminderRecords } from './reminders/reminder-records.ts';
export { createProtectedRuns, type ProtectedRuns } from './protected-runs/protected-runs.ts';
export { createLaneTurns, type LaneTurns, type TurnChange } from './records/lane-turns.ts';
export { createMergeReviews, type MergeReviews } from './pull-requests/merge-reviews.ts';
export {
  createPullRequestRecords,
  type OldPreview,
  type OldPullRequest,
  type PullRequestRecords,
} from './pull-requests/pull-request-records.ts';
export { createSeenStates, type SeenStates } from './pull-requests/seen-states.ts';
export { createWaveCheckRecords, type WaveCheckRecords } from './rollouts/wave-check-records.ts';
export { createRolloutRecords, type KnownEnd, type RolloutRecords } from './rollouts/rollout-records.ts';
export { createOwnNamespaces, type OwnNamespaces, type TemporalNamespace } from './records/own-namespaces.ts';
export { createOutbox, type Outbox, type VersionedState, type Waiting } from './notifications/outbox.ts';
export { createRootPlaces, type RootPlaces } from './records/root-places.ts';
export type { PreviewPlace } from './pull-requests/pull-request-keys.ts';
export type { RootPlaceId } from './records/record-keys.ts';
export {
  createRepositoryRecords,
  withMarks,
  type RepositoryRecords,
  type VersionedRepository,
} from './records/repository-records.ts';
export { DAY_LIMIT, type DayLog, type DayLogOptions } from './days/day-log.ts';
export { isBefore, type DayEntry, type DayPart, type DayPlace } from './days/day-parts.ts';
export { createOwedAudits, type OwedAudits } from './trail/owed-audits.ts';
export { createAuditTrail, type AuditTrail } from './trail/audit-trail.ts';
export { createErasure, type Erasure, type Forgetting, type Forgotten } from './erasure/erasure.ts';
export { createSweeper, RECORD_REMOVED, type Sweeper } from './retention/sweeper.ts';
export type { Sweep, Swept } from './retention/sweep.ts';
export { createEndedDeployments, type EndedDeployments } from './records/ended-deployments.ts';
