export { describeReviewWait } from './describe-review-wait.ts';
export { describeReview, describeRule, peopleNamed, requiredPermission } from './describe-rule.ts';
export type { GateClosed } from './gate.ts';
export { askGate, gatesAt, waitAtApply, type GateAt, type GateFacts } from './gates.ts';
export { confirmingRules, isByHand, needsReview } from './needs-review.ts';
export { describeRules } from './reviews/auto-when.ts';
export { describePeople, describeStanding } from './reviews/describe-standing.ts';
export { asksSeveral, newestOfEach, standingOf, strictestReview } from './reviews/standing.ts';
export { namePolicies, objectingPolicies } from './objecting-policies.ts';
