import { expect, test } from '@jest/globals';
import { forgetUnknown } from './forget.ts';
import { openLane } from './lane.ts';
import { newLane } from './lane-state.ts';
import { deploymentAt, REPOSITORY } from './testing/builders.ts';

test('a lane remembers nothing of deployments that it does not know any more', () => {
  const lane = openLane({ repository: REPOSITORY, rootName: 'network' });
  const ids = ['1', '2', '3', '4'];
  lane.state = {
    ...newLane,
    running: deploymentAt(1),
    queue: { manual: [], merged: [deploymentAt(2)] },
    ended: [deploymentAt(3)],
  };
  for (const id of ids) {
    lane.kept.add(id);
    lane.mayExist.add(id);
    lane.shown.set(id, 'digest');
  }
  lane.patience = { ...lane.patience, failed: new Set(ids) };

  forgetUnknown(lane);

  for (const remembered of [lane.kept, lane.mayExist, lane.shown, lane.patience.failed]) {
    expect([...remembered.keys()]).toEqual(['1', '2', '3']);
  }
});
