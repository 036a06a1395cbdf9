export * from './model.ts';
export * from './id.ts';
export { openPullRequest, type PullRequestActor } from './rules/actor.ts';
export {
  decidePullRequest,
  nextPullRequestEffect,
  type PullRequestEffect,
  type PullRequestEvent,
} from './rules/decide.ts';
export type * from './record.ts';
