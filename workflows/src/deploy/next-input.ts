import { type LaneInput, recordOf, type LaneActor } from '@nereid/domain/lane';

/** The input for the next run of the lane: the same lane, as it stands. */
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
      ...(record.audits.length > 0 && { audits: record.audits }),
    },
  };
}
