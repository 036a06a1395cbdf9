/**
 * Names, ids, message and activity types that processes and workflows agree on. Plain types, no runtime imports. Each room knows
 * only rooms above it in this list, and the activities know all of them.
 *
 * The implementations of activities are in apps/worker; workflows see only their types. What somebody signed travels as an
 * envelope, `Signed<Body>`, or a function `…Facts` returns what a signature is about, which then stands beside these facts in the same
 * message. `packages/signature` makes and verifies signatures, in processes only. Workflows carry them and never look at them.
 *
 * Ids of workflows are at most 255 characters (Temporal on SQL stores). A repository's full name is at most 39 + 1 + 100 on GitHub,
 * so a root's name, at most 100, always fits.
 */
export * from './defined.ts';
export * from './message-shape.ts';
export * from './repository.ts';
export * from './signed.ts';
export * from './actions/action.ts';
export * from './actions/actions.ts';
export * from './root.ts';
export * from './temporal-names.ts';
export * from './console/access.ts';
export * from './console/page-names.ts';

export * from './host/claim.ts';
export * from './host/failure.ts';
export * from './host/host-request.ts';
export * from './host/job.ts';

export * from './plan/merge-review.ts';
export * from './plan/plan.ts';
export * from './plan/plan-review.ts';
export * from './plan/plan-summary.ts';
export * from './plan/policy.ts';

export * from './deployment/apply-outcome.ts';
export * from './deployment/check-run.ts';
export * from './deployment/deployment.ts';
export * from './deployment/deployment-record.ts';
export * from './deployment/deployment-request.ts';
export * from './deployment/host-job.ts';
export * from './deployment/late-outcome.ts';
export * from './deployment/lock.ts';
export * from './deployment/notice.ts';
export * from './deployment/order.ts';
export * from './deployment/plan-outcome.ts';
export * from './deployment/presentation.ts';
export * from './deployment/progress.ts';
export * from './deployment/revision.ts';
export * from './deployment/status.ts';
export * from './deployment/terraform-workflow.ts';

export * from './force-unlock.ts';
export * from './tokens/identity-token.ts';
export * from './tokens/read-token.ts';
export * from './ask.ts';

export * from './lane/lane-id.ts';
export * from './lane/lane-input.ts';
export * from './lane/lane-record.ts';
export * from './lane/lane-turn.ts';
export * from './lane/lane-view.ts';
export * from './lane/messages.ts';
export * from './lane/undeployed.ts';

export * from './pull-request/pull-request.ts';
export * from './pull-request/pull-request-id.ts';
export * from './rollout.ts';

export * from './intake/console-request.ts';
export * from './intake/intake.ts';
export * from './intake/intake-id.ts';
export * from './intake/user-action.ts';
export * from './intake/webhook-events.ts';

export * from './trail/action-audit.ts';
export * from './trail/audit-event.ts';
export * from './trail/job-audit.ts';

export * from './envelope/bodies.ts';
export * from './envelope/envelopes.ts';

export * from './activities/host.ts';
export * from './activities/lane.ts';
export * from './activities/reconcile.ts';
export * from './activities/terraform.ts';
export * from './activities/watch.ts';
