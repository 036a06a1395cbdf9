/** The console's API: the shape of requests and answers, as the console keeps it and its clients read it. */
export { ACTION_OPERATIONS, type ActionOperation } from './actions.ts';
export * from './activity.ts';
export * from './attention.ts';
export * from './client-header.ts';
export * from './deployment-detail.ts';
export * from './deployments.ts';
export * from './installation/doctor.ts';
export * from './events.ts';
export { FullName, RootName } from './fields.ts';
export * from './installation/hosts.ts';
export * from './insights.ts';
export * from './lanes.ts';
export * from './logins.ts';
export * from './logs.ts';
export * from './me.ts';
export {
  API_PATH,
  openApi,
  type DescribedAnswer,
  type DescribedOperation,
  type OpenApi,
  type Parameter,
} from './open-api/open-api.ts';
export type { JsonSchema } from './open-api/json-schemas.ts';
export * from './operations.ts';
export * from './problem.ts';
export * from './pulls.ts';
export { RequestAnswer } from './requests.ts';
export * from './rollouts.ts';
