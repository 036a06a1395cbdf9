/** Shows a lane in the Temporal UI, on its page and in lists. */
import { setCurrentDetails, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import { describeLane, describeUnrestored, stateName, whyBlocked, type LaneActor } from '@nereid/domain/lane';
import { REVISION, STATE } from '../search-attributes.ts';

export function describe(lane: LaneActor): void {
  setCurrentDetails(detailsOf(lane));
  showState(lane);
}

/** For the page, which costs no event of history. */
function detailsOf(lane: LaneActor): string {
  const { reading, state } = lane;
  const why = whyBlocked(lane);
  return reading === undefined || why === undefined
    ? describeLane(state, why)
    : describeUnrestored(why, reading.messages.length);
}

/** For lists, written only when it differs. */
function showState(lane: LaneActor): void {
  const shown = workflowInfo().typedSearchAttributes;
  const state = stateName(lane.state, lane.reading?.why ?? lane.record.why);
  const { latest } = lane.state;
  // A lane that is still reading its record is not shown as idle.
  const isKnown = lane.reading === undefined || lane.reading.why !== undefined;
  const changes = [
    ...(isKnown && shown.get(STATE) !== state ? [{ key: STATE, value: state }] : []),
    ...(latest !== undefined && shown.get(REVISION) !== latest.revision
      ? [{ key: REVISION, value: latest.revision }]
      : []),
  ];
  if (changes.length > 0) upsertSearchAttributes(changes);
}
