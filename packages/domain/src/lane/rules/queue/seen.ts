/**
 * Requests that a lane accepted before, so that a request from a replayed webhook, or a retried or late activity, is dropped.
 *
 * A request is seen when its id is among the last 500, or when it is a merge whose revision is among the last 500 accepted
 * merges.
 */
import type { DeploymentRequest } from '../../../deployment/request.ts';
import type { Seen } from '../../record.ts';

/** Far more than GitHub can redeliver for one root in the three days that it offers; small enough to be carried along. */
export const SEEN_LIMIT = 500;

export const nothingSeen: Seen = { requestIds: [], merges: [] };

export function isSeen(seen: Seen, request: DeploymentRequest): boolean {
  return (
    seen.requestIds.includes(request.requestId) || (isMerge(request) && seen.merges.includes(request.revision.sha))
  );
}

export function remember(seen: Seen, request: DeploymentRequest): Seen {
  return {
    requestIds: [...seen.requestIds, request.requestId].slice(-SEEN_LIMIT),
    merges: isMerge(request) ? [...seen.merges, request.revision.sha].slice(-SEEN_LIMIT) : seen.merges,
  };
}

function isMerge(request: DeploymentRequest): boolean {
  return request.trigger === 'merge' && !request.rerun;
}
