/** What a lane remembers beside its state of deployments that it does not know any more. */
import type { Lane } from './lane.ts';
import { deploymentsOf } from './lane-state.ts';
import { withoutFailed } from './patience.ts';

export function forgetUnknown(lane: Lane): void {
  const known = new Set(deploymentsOf(lane.state).map(({ id }) => id));
  for (const remembered of [lane.kept, lane.mayExist, lane.shown]) {
    for (const id of remembered.keys()) if (!known.has(id)) remembered.delete(id);
  }
  lane.patience = withoutFailed(lane.patience, (id) => known.has(id));
}
