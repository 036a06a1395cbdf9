/**
 * The messages that a lane takes, and the questions that it answers. Messages are signals, which go to the inbox; a sender that
 * needs the answer asks for it by query. The decisions in workflows/README.md say why there are no updates.
 */
import { defineQuery, defineSignal, log, setDefaultSignalHandler, setHandler, uuid4 } from '@temporalio/workflow';
import type { Cancel, Notice, Unlock } from '@nereid/domain/deployment';
import {
  type DeploymentEnded,
  type LaneAnswer,
  type LaneKnows,
  type LaneView,
  type LookAgain,
  type NewRevision,
  type Resume,
  answerTo,
  hasRoom,
  knows,
  viewOf,
  type Effect,
  type LaneActor,
  type LaneEvent,
} from '@nereid/domain/lane';
import type { Signed } from '@nereid/domain/signed';
import { MESSAGE } from '@nereid/domain/temporal-names';
import type { Actor } from '../actor.ts';
import { unreadable, type MessageName } from './readable.ts';
import { timestamp } from '../timestamp.ts';

const newRevision = defineSignal<[NewRevision]>(MESSAGE.newRevision);
const unlock = defineSignal<[Signed<Unlock>]>(MESSAGE.unlock);
const cancel = defineSignal<[Signed<Cancel>]>(MESSAGE.cancel);
const deploymentEnded = defineSignal<[DeploymentEnded]>(MESSAGE.deploymentEnded);
const notice = defineSignal<[Signed<Notice>]>(MESSAGE.notice);
const lookAgain = defineSignal<[LookAgain]>(MESSAGE.lookAgain);
const resume = defineSignal<[Resume]>(MESSAGE.resume);
const laneView = defineQuery<LaneView>(MESSAGE.lane);
const answer = defineQuery<LaneAnswer, [requestId: string]>(MESSAGE.answer);
const knowsDeployment = defineQuery<LaneKnows, [deploymentId: string]>(MESSAGE.knows);

/** Registered before the first await, so that a message which started the lane finds its handler. */
export function receiveMessages(lane: Pick<Actor<LaneActor, LaneEvent, Effect>, 'state' | 'emit'>): void {
  setHandler(newRevision, (message) => {
    if (!isTaken(lane.state, MESSAGE.newRevision, message)) return;
    const { version: _version, deploymentId, ...request } = message;
    lane.emit({ kind: 'new-revision', at: timestamp(), id: deploymentId ?? uuid4(), request });
  });
  setHandler(unlock, (message) => {
    if (isTaken(lane.state, MESSAGE.unlock, message)) lane.emit({ kind: 'unlock', at: timestamp(), message });
  });
  setHandler(cancel, (message) => {
    if (isTaken(lane.state, MESSAGE.cancel, message)) lane.emit({ kind: 'cancel', at: timestamp(), message });
  });
  setHandler(deploymentEnded, (message) => {
    if (isTaken(lane.state, MESSAGE.deploymentEnded, message)) {
      lane.emit({ kind: 'deployment-ended', at: timestamp(), message });
    }
  });
  setHandler(notice, (message) => {
    if (isTaken(lane.state, MESSAGE.notice, message)) lane.emit({ kind: 'notice', at: timestamp(), message });
  });
  setHandler(lookAgain, (message: LookAgain | null | undefined) => {
    lane.emit({ kind: 'look-again', at: timestamp(), ...(message?.isToShow === true && { isToShow: true }) });
  });
  // The signal only has to start the lane.
  setHandler(resume, () => undefined, { description: 'starts a lane that does not run' });
  setDefaultSignalHandler((name) => {
    log.warn('a signal is not known here and was dropped', { signal: name });
  });
  setHandler(laneView, () => viewOf(lane.state), { description: 'everything about the lane, and why it waits' });
  setHandler(answer, (requestId) => answerTo(lane.state, requestId), {
    description: 'what came of an unlock or a cancel',
  });
  setHandler(knowsDeployment, (deploymentId) => knows(lane.state, deploymentId), {
    description: 'whether a notice on this deployment would be shown',
  });
}

/** A newer release may have sent the message. One that cannot be read changes nothing, and the lane goes on. */
function isTaken(lane: LaneActor, name: MessageName, message: unknown): boolean {
  const why =
    unreadable(name, message) ??
    (hasRoom(lane) ? undefined : 'the record cannot be read, and a lane keeps only so much');
  if (why !== undefined) log.warn('a signal was dropped', { signal: name, why });
  return why === undefined;
}
