export * from './model.ts';
export { createRolloutGraph, inRolloutOrder, planRollout, type OrderedRoot, type RolloutGraph } from './rules/graph.ts';
export { NAMED, rootsAwaited, waitsClause, type AwaitedRoot } from './rules/waits-clause.ts';
