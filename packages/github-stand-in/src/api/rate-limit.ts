import type { World } from '../world.ts';
import type { Caller } from './route.ts';

const HOUR_MS = 60 * 60 * 1000;

interface Budget {
  used: number;
  resetsAt: number;
}

/** One budget per caller and stand-in; they need not survive a restart. */
const budgets = new WeakMap<World, Map<string, Budget>>();

/** Takes one request from the caller's budget and returns the headers that tell how much is left. */
export function spendRequest(world: World, caller: Caller): Record<string, string> {
  const budget = budgetOf(world, caller);
  budget.used += 1;
  return rateLimitHeaders(world, budget);
}

/** The same headers for a request that costs nothing, such as one answered with 304. */
export function refundRequest(world: World, caller: Caller): Record<string, string> {
  const budget = budgetOf(world, caller);
  budget.used -= 1;
  return rateLimitHeaders(world, budget);
}

/** `rate-limit-overview`. */
export function rateLimitJson(world: World, caller: Caller) {
  const { used, resetsAt } = budgetOf(world, caller);
  const limit = world.requestsPerHour;
  const core = { limit, used, remaining: Math.max(limit - used, 0), reset: Math.ceil(resetsAt / 1000) };
  return { resources: { core, search: { ...core, limit: 30, used: 0, remaining: 30 } }, rate: core };
}

function budgetOf(world: World, caller: Caller): Budget {
  const key =
    caller.kind === 'installation'
      ? String(caller.installationId)
      : caller.kind === 'user'
        ? `user ${caller.login}`
        : caller.kind;
  const all = budgets.get(world) ?? new Map<string, Budget>();
  budgets.set(world, all);
  const known = all.get(key);
  if (known && known.resetsAt > Date.now()) return known;
  const budget = { used: 0, resetsAt: Date.now() + HOUR_MS };
  all.set(key, budget);
  return budget;
}

function rateLimitHeaders({ requestsPerHour: limit }: World, { used, resetsAt }: Budget): Record<string, string> {
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-used': String(used),
    'x-ratelimit-remaining': String(Math.max(limit - used, 0)),
    'x-ratelimit-reset': String(Math.ceil(resetsAt / 1000)),
    'x-ratelimit-resource': 'core',
  };
}
