/** The messages that a lane takes. Handlers only put them into the inbox; an update waits there for its answer. */
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
  type DeploymentEnded,
  type LaneView,
  type NewRevision,
  type Notice,
  type Resume,
  type Unlock,
  type UnlockAnswer,
} from '@nereid/contracts';
import { answerTo, find, hasRoom, viewOf, type LaneActor, type LaneEvent } from '@nereid/lane';
import { assertReadable, unreadable, type MessageName } from './readable.ts';
import { timestamp } from './timestamp.ts';

const newRevision = defineSignal<[NewRevision]>(MESSAGE.newRevision);
const unlockSignal = defineSignal<[Unlock]>(MESSAGE.unlock);
const unlockUpdate = defineUpdate<UnlockAnswer, [Unlock]>(MESSAGE.unlock);
const deploymentEnded = defineSignal<[DeploymentEnded]>(MESSAGE.deploymentEnded);
const cancelUpdate = defineUpdate<CancelAnswer, [Cancel]>(MESSAGE.cancel);
/** Answers whether the lane knows the deployment: where it does not, nobody would see the notice. */
const noticeUpdate = defineUpdate<boolean, [Notice]>(MESSAGE.notice);
const noticeSignal = defineSignal<[Notice]>(MESSAGE.notice);
const resume = defineSignal<[Resume]>(MESSAGE.resume);
const laneView = defineQuery<LaneView>(MESSAGE.lane);

type Inbox = LaneEvent[];

/** Registered before the first await, so that a message which started the lane finds its handler. */
export function receiveMessages(inbox: Inbox, lane: () => LaneActor): void {
  receiveSignals(inbox, lane);
  receiveUpdates(inbox, lane);
  setHandler(laneView, () => viewOf(lane()), { description: 'everything about the lane, and why it waits' });
}

function receiveSignals(inbox: Inbox, lane: () => LaneActor): void {
  setHandler(newRevision, (message) => {
    if (!isTaken(lane(), MESSAGE.newRevision, message)) return;
    const { version: _version, deploymentId, ...request } = message;
    inbox.push({ kind: 'new-revision', at: timestamp(), id: deploymentId ?? uuid4(), request });
  });
  setHandler(unlockSignal, (message) => {
    if (isTaken(lane(), MESSAGE.unlock, message)) inbox.push({ kind: 'unlock', at: timestamp(), message });
  });
  setHandler(deploymentEnded, (message) => {
    if (isTaken(lane(), MESSAGE.deploymentEnded, message)) {
      inbox.push({ kind: 'deployment-ended', at: timestamp(), message });
    }
  });
  setHandler(noticeSignal, (message) => {
    if (isTaken(lane(), MESSAGE.notice, message)) inbox.push({ kind: 'notice', at: timestamp(), message });
  });
  // That the lane runs is all.
  setHandler(resume, () => undefined, { description: 'starts a lane that does not run' });
  setDefaultSignalHandler((name) => {
    log.warn('a signal is not known here and was dropped', { signal: name });
  });
}

/** Their answers are of what the record says: they wait until it is there. */
function receiveUpdates(inbox: Inbox, lane: () => LaneActor): void {
  setHandler(
    unlockUpdate,
    async (message) => {
      await isRead(lane);
      inbox.push({ kind: 'unlock', at: timestamp(), message });
      return (await answerOf(lane, message.requestId)) as UnlockAnswer; // The only kind of answer to this message.
    },
    {
      validator: (message) => assertReadable(MESSAGE.unlock, message),
      description: 'lifts the lock; answers whether it did',
    },
  );
  setHandler(
    cancelUpdate,
    async (message) => {
      await isRead(lane);
      inbox.push({ kind: 'cancel', at: timestamp(), message });
      return (await answerOf(lane, message.requestId)) as CancelAnswer; // The only kind of answer to this message.
    },
    { validator: (message) => assertReadable(MESSAGE.cancel, message), description: 'ends a deployment' },
  );
  setHandler(
    noticeUpdate,
    async (message) => {
      await isRead(lane);
      inbox.push({ kind: 'notice', at: timestamp(), message });
      return find(lane().state, message.deploymentId) !== undefined;
    },
    { validator: (message) => assertReadable(MESSAGE.notice, message), description: 'a sentence for a check run' },
  );
}

/** A lane that is cancelled answers, too. */
function isRead(lane: () => LaneActor): Promise<void> {
  return CancellationScope.nonCancellable(() => condition(() => lane().reading === undefined));
}

async function answerOf(lane: () => LaneActor, requestId: string) {
  await CancellationScope.nonCancellable(() => condition(() => answerTo(lane().state.judged, requestId) !== undefined));
  return answerTo(lane().state.judged, requestId);
}

/** A newer release may have sent it: what cannot be read changes nothing, and the lane lives. */
function isTaken(lane: LaneActor, name: MessageName, message: unknown): boolean {
  const why =
    unreadable(name, message) ??
    (hasRoom(lane) ? undefined : 'the record cannot be read, and a lane keeps only so much');
  if (why !== undefined) log.warn('a signal was dropped', { signal: name, why });
  return why === undefined;
}
