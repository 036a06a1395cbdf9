export { describeReviewWait } from './describe-review-wait.ts';
export { describeReview, describeRule, peopleNamed, requiredPermission } from './describe-rule.ts';
export type { GateClosed, GateWait } from './gate.ts';
export { askGate, gatesAt, waitAtApply, type GateAt, type GateFacts } from './gates.ts';
export { isByHand, needsReview } from './needs-review.ts';
export type { Stop } from './clock/stop.ts';
export { namePolicies, objectingPolicies } from './objecting-policies.ts';
