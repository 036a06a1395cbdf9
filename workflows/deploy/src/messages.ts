/** The messages that a lane takes. Handlers record; the loops act. */
import {
  CancellationScope,
  condition,
  defineQuery,
  defineSignal,
  defineUpdate,
  log,
  setDefaultSignalHandler,
  setHandler,
  uuid4,
} from '@temporalio/workflow';
import {
  MESSAGE,
  type Cancel,
  type CancelAnswer,
  type LaneView,
  type NewRevision,
  type Notice,
  type Resume,
  type TerraformState,
  type Unlock,
  type UnlockAnswer,
} from '@nereid/contracts';
import { apply, arrive } from './arrivals.ts';
import { cancel, judgeCancel } from './cancel.ts';
import { timestamp, viewOf, type Lane } from './lane.ts';
import { find, takeNotice, takeProgress } from './lane-state.ts';
import { assertReadable, unreadable, type MessageName } from './readable.ts';
import { store } from './store.ts';
import { judgeUnlock, unlock } from './unlock.ts';

export const newRevision = defineSignal<[NewRevision]>(MESSAGE.newRevision);
export const unlockLane = defineSignal<[Unlock]>(MESSAGE.unlock);
export const unlockLaneAndSay = defineUpdate<UnlockAnswer, [Unlock]>(MESSAGE.unlock);
export const terraformState = defineSignal<[TerraformState]>(MESSAGE.terraformState);
export const cancelDeployment = defineUpdate<CancelAnswer, [Cancel]>(MESSAGE.cancel);
export const notice = defineSignal<[Notice]>(MESSAGE.notice);
/** Answers whether the lane knows the deployment: where it does not, nobody would see the notice. */
export const showNotice = defineUpdate<boolean, [Notice]>(MESSAGE.notice);
export const resume = defineSignal<[Resume]>(MESSAGE.resume);
/** Returns once the record says how the lane stands; at once where it cannot be read. */
export const storeLaneNow = defineUpdate(MESSAGE.store);
export const laneView = defineQuery<LaneView>(MESSAGE.lane);

/** Registered before the first await, so that a message which started the lane finds its handler. */
export function takeMessages(lane: Lane): void {
  takeSignals(lane);
  takeUpdates(lane);
  setHandler(laneView, () => viewOf(lane));
}

function takeSignals(lane: Lane): void {
  setHandler(newRevision, (message) => {
    if (!isReadable(MESSAGE.newRevision, message)) return;
    const { version: _version, ...request } = message;
    const id = uuid4();
    const at = timestamp();
    warnUnless(arrive(lane, request, id, at), MESSAGE.newRevision);
  });
  setHandler(unlockLane, (message) => {
    if (!isReadable(MESSAGE.unlock, message)) return;
    const at = timestamp();
    const isKept = apply(lane, (state) => unlock(state, message, at));
    warnUnless(isKept, MESSAGE.unlock);
  });
  setHandler(terraformState, (message) => {
    if (!isReadable(MESSAGE.terraformState, message)) return;
    const at = timestamp();
    const isKept = apply(lane, (state) => takeProgress(state, message, at));
    warnUnless(isKept, MESSAGE.terraformState);
  });
  setHandler(notice, (message) => {
    if (!isReadable(MESSAGE.notice, message)) return;
    const at = timestamp();
    const isKept = apply(lane, (state) => takeNotice(state, message.deploymentId, message.sentence, at));
    warnUnless(isKept, MESSAGE.notice);
  });
  // That the lane runs is all.
  setHandler(resume, () => undefined);
  setDefaultSignalHandler((name) => {
    log.warn('a signal is not known here and was dropped', { signal: name });
  });
}

/** Their answers are of what the record says: they wait until it is there. */
function takeUpdates(lane: Lane): void {
  setHandler(
    unlockLaneAndSay,
    async (message) => {
      await isRestored(lane);
      const answer = judgeUnlock(lane.state, message);
      lane.state = unlock(lane.state, message, timestamp());
      return answer;
    },
    { validator: (message) => assertReadable(MESSAGE.unlock, message) },
  );
  setHandler(
    cancelDeployment,
    async (message) => {
      await isRestored(lane);
      const answer = judgeCancel(lane.state, message);
      lane.state = cancel(lane.state, message, timestamp());
      return answer;
    },
    { validator: (message) => assertReadable(MESSAGE.cancel, message) },
  );
  setHandler(
    showNotice,
    async ({ deploymentId, sentence }) => {
      await isRestored(lane);
      lane.state = takeNotice(lane.state, deploymentId, sentence, timestamp());
      return find(lane.state, deploymentId) !== undefined;
    },
    { validator: (message) => assertReadable(MESSAGE.notice, message) },
  );
  setHandler(storeLaneNow, async () => {
    if (lane.isRestored) await store(lane);
  });
}

/** A lane that is cancelled answers, too. */
async function isRestored(lane: Lane): Promise<void> {
  if (!lane.isRestored) await CancellationScope.nonCancellable(() => condition(() => lane.isRestored));
}

function warnUnless(isKept: boolean, name: MessageName): void {
  if (!isKept)
    log.warn('the record cannot be read, and a lane keeps only so much: a signal was dropped', { signal: name });
}

/** A newer release may have sent it: what cannot be read changes nothing, and the lane lives. */
function isReadable(name: MessageName, message: unknown): boolean {
  const why = unreadable(name, message);
  if (why !== undefined) log.warn('a signal cannot be read and was dropped', { signal: name, why });
  return why === undefined;
}
