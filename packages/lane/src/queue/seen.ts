/**
 * What a lane accepted before, so that a replayed webhook, a retried activity or a late one is dropped.
 *
 * Seen is a request whose id is among the last 500, or a merge whose revision is among the last 500 merges accepted.
 */
import type { DeploymentRequest, Seen } from '@nereid/contracts';

/** Far more than GitHub can redeliver for one root in the three days it offers that; small enough to carry along. */
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
