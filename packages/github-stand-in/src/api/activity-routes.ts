import { accountJson } from '../json/account-json.ts';
import { nodeId, type Json } from '../json/json.ts';
import type { Activity } from '../state/model.ts';
import { ApiRefusal, ok } from './answer.ts';
import type { RepositoryCall, Route } from './route.ts';
import type { View } from '../world.ts';

/** GitHub's own default and limit. */
const DEFAULT_PER_PAGE = 30;
const MOST_PER_PAGE = 100;

/** The history of the branches, newest first, in pages by cursor: the id of the last activity of the page before. */
export const activityRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/activity',
    access: 'repository',
    permission: ['contents', 'read'],
    answer: listActivities,
  },
];

const KNOWN = new Set(['ref', 'per_page', 'after']);

function listActivities({ world, repository, query, address }: RepositoryCall) {
  const unknown = Object.keys(query).find((name) => !KNOWN.has(name));
  if (unknown !== undefined) throw new ApiRefusal(501, `the stand-in does not know the parameter ${unknown}`);
  const branch = query['ref']?.replace(/^refs\/heads\//, '');
  const perPage = Math.min(Math.max(Number(query['per_page'] ?? DEFAULT_PER_PAGE), 1), MOST_PER_PAGE);
  const left = world.store.state.activities
    .filter((one) => one.repositoryId === repository.id && (branch === undefined || one.branch === branch))
    .filter(({ id }) => id < Number(query['after'] ?? Infinity))
    .reverse();
  const shown = left.slice(0, perPage);
  const next = new URLSearchParams({ ...query, after: String(shown.at(-1)?.id) });
  const headers = left.length > perPage ? { headers: { link: `<${address}?${next.toString()}>; rel="next"` } } : {};
  return { ...ok(shown.map((activity) => activityJson(world, activity))), ...headers };
}

/** `activity`. */
function activityJson(view: View, { id, branch, before, after, kind, actor, at }: Activity): Json {
  return {
    id,
    node_id: nodeId('PUSH', id),
    before,
    after,
    ref: `refs/heads/${branch}`,
    timestamp: at,
    activity_type: kind,
    actor: accountJson(view, actor),
  };
}
