/** Lanes by the merge that they are about, so that one merge is one thing to look at. Pure. */
import type { LaneSummary, RolloutSummary } from '@nereid/api';

export interface LaneGroup {
  /** Undefined where the lanes are about no merge of the last days: each is a group of its own then. */
  readonly rollout?: RolloutSummary;
  readonly lanes: readonly LaneSummary[];
}

/** In the order of the first lane of each. */
export function groupByMerge(lanes: readonly LaneSummary[], rollouts: readonly RolloutSummary[]): readonly LaneGroup[] {
  const known = new Map(rollouts.map((rollout) => [keyOf(rollout.repository, rollout.sha), rollout]));
  const groups = new Map<string, { rollout?: RolloutSummary; lanes: LaneSummary[] }>();
  for (const lane of lanes) {
    const { repository, rootName, running } = lane;
    const merge = running && keyOf(repository, running.sha);
    const rollout = merge === undefined ? undefined : known.get(merge);
    const key = merge !== undefined && rollout ? merge : `${keyOf(repository, '')}${rootName}`;
    const group = groups.get(key) ?? { ...(rollout && { rollout }), lanes: [] };
    group.lanes.push(lane);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** Names of repositories are the same in any case. */
function keyOf(repository: string, sha: string): string {
  return `${repository.toLowerCase()}@${sha}`;
}
