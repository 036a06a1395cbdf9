/** The messages that a lane takes. Handlers record; the loops act. */
import { condition, defineQuery, defineSignal, defineUpdate, setHandler, uuid4 } from '@temporalio/workflow';
import {
  MESSAGE,
  type LaneView,
  type NewRevision,
  type Notice,
  type Resume,
  type TerraformState,
  type Unlock,
  type UnlockAnswer,
} from '@nereid/contracts';
import { apply, timestamp, viewOf, type Lane } from './lane.ts';
import { receive, takeNotice, takeProgress } from './lane-state.ts';
import { judgeUnlock, unlock } from './unlock.ts';

export const newRevision = defineSignal<[NewRevision]>(MESSAGE.newRevision);
export const unlockLane = defineSignal<[Unlock]>(MESSAGE.unlock);
export const unlockLaneAndSay = defineUpdate<UnlockAnswer, [Unlock]>(MESSAGE.unlock);
export const terraformState = defineSignal<[TerraformState]>(MESSAGE.terraformState);
export const notice = defineSignal<[Notice]>(MESSAGE.notice);
export const resume = defineSignal<[Resume]>(MESSAGE.resume);
export const laneView = defineQuery<LaneView>(MESSAGE.lane);

/** Registered before the first await, so that a message which started the lane finds its handler. */
export function takeMessages(lane: Lane): void {
  setHandler(newRevision, (message) => {
    const { version: _version, ...request } = message;
    const id = uuid4();
    const at = timestamp();
    apply(lane, (state) => receive(state, request, id, at));
  });
  setHandler(unlockLane, (message) => {
    const at = timestamp();
    apply(lane, (state) => unlock(state, message, at));
  });
  setHandler(unlockLaneAndSay, async (message) => {
    await condition(() => lane.isRestored);
    const answer = judgeUnlock(lane.state, message);
    lane.state = unlock(lane.state, message, timestamp());
    return answer;
  });
  setHandler(terraformState, (message) => {
    const at = timestamp();
    apply(lane, (state) => takeProgress(state, message, at));
  });
  setHandler(notice, ({ deploymentId, sentence }) => {
    const at = timestamp();
    apply(lane, (state) => takeNotice(state, deploymentId, sentence, at));
  });
  // That the lane runs is all.
  setHandler(resume, () => undefined);
  setHandler(laneView, () => viewOf(lane));
}
