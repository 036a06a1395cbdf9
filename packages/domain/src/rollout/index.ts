export * from './model.ts';
export * from './id.ts';
export type * from './activities.ts';
export { AWAITED_NAMED, awaitedByRoot } from './rules/awaited.ts';
export {
  createRolloutGraph,
  inRolloutOrder,
  isOrdered,
  planRollout,
  type OrderedRoot,
  type RolloutGraph,
} from './rules/graph.ts';
export { pauseAfterWrites, pauseUntilLook, WRITES_LIMIT } from './rules/pace.ts';
export {
  hasRootEnded,
  isAtWork,
  rootStatesOf,
  type RootState,
  type RootStatus,
  type StoredRollout,
} from './rules/root-states.ts';
export { STAND_OF, STANDS, type Stand } from './rules/stand.ts';
export {
  planWaves,
  rolloutWithWaves,
  standingOfChecked,
  standingOfWave,
  wavesByRoot,
  type CheckedStanding,
  type RootEffect,
  type WaveRule,
  type WaveStanding,
} from './rules/waves.ts';
export { NAMED, rootsAwaited, waitsClause, type AwaitedRoot } from './rules/waits-clause.ts';
