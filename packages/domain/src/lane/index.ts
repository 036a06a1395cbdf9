export * from './id.ts';
export * from './input.ts';
export * from './turn.ts';
export * from './view.ts';
export * from './messages.ts';
export * from './undeployed.ts';
export * from './activities.ts';
export { ENDED_PROGRESS, isReturnedEnd } from './returned-end.ts';
export type { LaneActor } from './rules/actor/actor.ts';
export { openLane } from './rules/actor/opening/open.ts';
export { isHint } from './rules/state/hint.ts';
export { decide } from './rules/actor/decide.ts';
export { FORGE_WITHIN_MS } from './rules/actor/durations.ts';
export type { Effect, EffectOf, PassOn } from './rules/actor/effects.ts';
export type { LaneEvent } from './rules/actor/events.ts';
export { recordOf } from './rules/actor/keeping.ts';
export { nextEffect } from './rules/actor/next-effect.ts';
export { recordWith } from './rules/actor/returned.ts';
export { hasRoom } from './rules/actor/opening/reading.ts';
export { appearance, createsCheckRun, waits, type Wait } from './rules/check-runs/presentations.ts';
export { laterOf, latestOf } from './rules/state/latest.ts';
export { lostFromSight } from './rules/state/lost-from-sight.ts';
export {
  failureLeft,
  isOfBranch,
  revisionsBehind,
  UNDEPLOYED_LIMIT,
  undeployedAfter,
} from './rules/state/undeployed.ts';
export { hasHappened, isDeployed, lockWhenPopped } from './rules/queue/lock.ts';
export { describeLock, passes } from '../deployment/rules/lock.ts';
export { emptyQueue, type Queue } from './rules/queue/queue.ts';
export { areOfOneBranch, lockAfter, stateAfter, type EndOfTurn } from './rules/queue/turn.ts';
export { afterState, withNotice, withoutRead, nextRead } from './rules/state/notices.ts';
export { describeLane, describeUnrestored, stateName } from './rules/view/describe.ts';
export { answerTo, deploymentIn, knows, viewOf, viewOfRecord, waitIn, whyBlocked } from './rules/view/view.ts';
export { explainWaits } from './rules/view/explain-waits.ts';
export type * from './record.ts';
