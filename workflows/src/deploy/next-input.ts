import type { LaneInput } from '@nereid/contracts';
import { recordOf, type LaneActor } from '@nereid/lane';

/** What the next run of the lane starts with: the same lane, as it stands. */
export function nextInput(lane: LaneActor): LaneInput {
  const { repository, rootName, durations, record, state, showing } = lane;
  return {
    repository,
    rootName,
    durations,
    carried: {
      record: recordOf(lane),
      recordVersion: record.version,
      notices: state.notices,
      reported: showing.reported,
    },
  };
}
