export { describeReviewWait } from './describe-review-wait.ts';
export { describeReview, describeRule, peopleNamed, requiredPermission } from './describe-rule.ts';
export type { GateClosed } from './gate.ts';
export { gateWaitOf, readGateWait, type GateWait } from './waits/gate-wait.ts';
export { askGate, closedGates, gatesAt, waitAtApply, type GateAt, type GateFacts } from './gates.ts';
export { canBreakGlass, glassFor } from './clock/glass-for.ts';
export type { BudgetDoor } from './budgets/budget.ts';
export * from './budgets/leases.ts';
export {
  describeFailedCheck,
  describeWave,
  haltingRootIn,
  isAtHaltedWave,
  waveName,
  type WaveBefore,
} from './clock/describe-wave.ts';
export type { SkippedSoak } from './clock/soak.ts';
export { describeForgedStops, describeStopSubject, subjectOfStop, UNVERIFIED_STOPS } from './clock/listed-stops.ts';
export { ALL_POOLS, describePool, thawOf, type PoolStop, type Stop } from './clock/stop.ts';
export * from './clock/wave-checks.ts';
export { confirmingRules, isByHand, needsReview } from './needs-review.ts';
export { describeRules } from './reviews/auto-when.ts';
export { dueReminders, NEVER_REMINDED, remindedOf, type Reminded, type Reminders } from './reviews/due-reminders.ts';
export { describePeople, describeStanding } from './reviews/describe-standing.ts';
export { asksSeveral, newestOfEach, standingOf, strictestReview } from './reviews/standing.ts';
export { doorOf, waitsOf } from './waits/waits-of.ts';
export { namePolicies, objectingPolicies } from './objecting-policies.ts';
