/** The rules of a lane, all pure. The lane's workflow, the console and the texts of check runs use the same functions. */
export { openLane, type LaneActor } from './actor/actor.ts';
export { decide } from './actor/decide.ts';
export type { Effect, EffectOf, PassOn } from './actor/effects.ts';
export type { LaneEvent } from './actor/events.ts';
export { recordOf } from './actor/keeping.ts';
export { nextEffect } from './actor/next-effect.ts';
export { hasRoom } from './actor/reading.ts';
export { appearance, createsCheckRun, waits, type Wait } from './check-runs/presentations.ts';
export { withoutMentions } from './check-runs/without-mentions.ts';
export { type DeploymentActor } from './deployment-actor/actor.ts';
export { decideDeployment } from './deployment-actor/decide.ts';
export type { Answers, Asking, AskingOf, DeploymentEffect } from './deployment-actor/effects.ts';
export type { Answered, DeploymentEvent, EffectFailure } from './deployment-actor/events.ts';
export { nextDeploymentEffect } from './deployment-actor/next-effect.ts';
export { openDeployment } from './deployment-actor/open.ts';
export { laterOf, latestOf } from './deployment/latest.ts';
export { lostFromSight } from './deployment/lost-from-sight.ts';
export { queuedProgress } from './deployment/progress.ts';
export { shortened } from './deployment/shortened.ts';
export {
  failureLeft,
  isOfBranch,
  revisionsBehind,
  UNDEPLOYED_LIMIT,
  undeployedAfter,
} from './deployment/undeployed.ts';
export { describeGate } from './gate/describe-gate.ts';
export { describeReview, describeRule, peopleNamed, requiredPermission } from './gate/describe-rule.ts';
export { isByHand, needsReview } from './gate/needs-review.ts';
export { namePolicies, objectingPolicies } from './gate/objecting-policies.ts';
export { appliedCounts, losesSomething, planCounts, warningCount } from './gate/plan-counts.ts';
export { warningsOf } from './gate/warnings.ts';
export { openPullRequest, type PullRequestActor } from './pull-request/actor.ts';
export {
  decidePullRequest,
  nextPullRequestEffect,
  type PullRequestEffect,
  type PullRequestEvent,
} from './pull-request/decide.ts';
export { unlockOf } from './queue/lifted.ts';
export { describeLock, hasHappened, isDeployed, lockWhenPopped, passes } from './queue/lock.ts';
export { emptyQueue, type Queue } from './queue/queue.ts';
export { areOfOneBranch, lockAfter, type EndOfTurn } from './queue/turn.ts';
export {
  createRolloutGraph,
  inRolloutOrder,
  planRollout,
  type OrderedRoot,
  type RolloutGraph,
} from './rollout/graph.ts';
export { NAMED, rootsAwaited, waitsClause, type AwaitedRoot } from './rollout/waits-clause.ts';
export { afterState, withNotice, withoutRead, nextRead } from './state/notices.ts';
export { describeLane, describeUnrestored, stateName } from './view/describe.ts';
export { answerTo, deploymentIn, knows, viewOf, viewOfRecord, waitIn, whyBlocked } from './view/view.ts';
