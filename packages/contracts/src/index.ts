/** Names, ids, message and activity types that processes and workflows agree on. Plain types, no runtime imports. */
export * from './activities.ts';
export * from './audit.ts';
export * from './check-run.ts';
export * from './deployment.ts';
export * from './force-unlock.ts';
export * from './ids.ts';
export * from './intake.ts';
export * from './lane.ts';
export * from './late-outcome.ts';
export * from './message-shape.ts';
export * from './pull-request.ts';
export * from './read-token.ts';
export * from './repository.ts';
export * from './rollout.ts';
export * from './root.ts';
export * from './signed.ts';
export * from './terraform.ts';
