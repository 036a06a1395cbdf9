/** The console's API: the shape of every request and answer, as the console keeps it and its clients read it. */
export * from './activity.ts';
export * from './deployments.ts';
export * from './fields.ts';
export * from './hosts.ts';
export * from './insights.ts';
export * from './lanes.ts';
export * from './operations.ts';
export * from './problem.ts';
export * from './pulls.ts';
export * from './requests.ts';
export * from './rollouts.ts';
