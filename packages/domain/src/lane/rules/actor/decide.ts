/** Decides how events change a lane. All decisions of a lane are made here and in the files that this one imports. */
import { hasEnded } from '../../../deployment/status.ts';
import type { LaneStored } from '../../activities.ts';
import type { LaneRecord } from '../../record.ts';
import { cancel } from '../requests/cancel.ts';
import { deploymentsOf, isRunning } from '../state/lane-state.ts';
import { endWaiting } from '../state/ended.ts';
import { receive } from '../requests/receive.ts';
import { unlock } from '../requests/unlock.ts';
import { nextRead, withoutRead } from '../state/notices.ts';
import { admit, blockAdmission, failStart, popNext } from './admission.ts';
import { AT_ONCE, later, type LaneActor } from './actor.ts';
import type { Effect } from './effects.ts';
import type { CancelRequested, LaneEnd, LaneEvent, LaneMessage } from './events.ts';
import { beginStoring, failStoring, forgetTold, noteChanges, handleSettled, handleStored } from './keeping.ts';
import { keepHinted, keepMessage, reopen, restoreRecord } from './opening/reading.ts';
import { cancelRunning, endElsewhere, failFind, LANE_CANCELLED, handleClosed, handleFound, isoOf } from './running.ts';
import { noteDifferences } from './showing/differences.ts';
import { beginPassingOn, failPassingOn, handlePassedOn, passOnNotice, passOnUnlocked } from './showing/passing-on.ts';
import { askWriter, forgetUnknown, isHandedOver, report, showWaiting } from './showing/reported.ts';
import { beginLooking, failLooking, nudge, handleLooked } from './looking.ts';
import { beginEnding, failEnding, handleEnded } from './returned.ts';
import { beginShowing, failShowing, handleShown, handleShownBeside } from './showing/showing.ts';

/** `now` is in epoch milliseconds. */
export function decide(actor: LaneActor, events: readonly LaneEvent[], now: number): LaneActor {
  const decided = events.reduce((before, event) => decideOne(before, event, now), withoutReadNotices(actor, now));
  return noteIdle(noteDifferences(forgetUnknown(forgetTold(decided)), now), now);
}

function decideOne(actor: LaneActor, event: LaneEvent, now: number): LaneActor {
  switch (event.kind) {
    case 'begun':
      return begin(actor, event.effect, now);
    case 'cancel-requested':
    case 'new-revision':
    case 'unlock':
    case 'cancel':
    case 'notice':
    case 'deployment-ended':
    case 'look-again':
      return noteChanges(actor, decideMessage(keepHinted(actor, event), event));
    case 'shown':
      // Not worth a write of the record: the numbers of check runs can be found again.
      return handleShown(actor, event.effect, event.results, now);
    case 'admitted': {
      const shown = handleShownBeside(actor, event.effect.admission.show, event.admitted.shown, now);
      return noteChanges(shown, decideEnd(shown, event, now));
    }
    case 'ended':
      // What it stored has the change.
      return handleEnded(free(actor), event.effect, event.settled, now);
    default:
      return noteChanges(actor, decideEnd(actor, event, now));
  }
}

function decideMessage(actor: LaneActor, event: LaneMessage | CancelRequested): LaneActor {
  const { reading, state } = actor;
  // A lane that reads its record asks afterwards anyway.
  if (event.kind === 'look-again') return nudge(event.isToShow ? showWaiting(actor) : actor);
  if (reading !== undefined) return keepMessage(actor, reading, event);
  switch (event.kind) {
    case 'cancel-requested':
      return cancelLane(actor, event.at);
    case 'new-revision':
      return { ...actor, state: receive(state, event.request, event.id, event.at) };
    case 'unlock':
      return passOnUnlocked(actor, unlock(state, event.message, event.at));
    case 'cancel':
      return cancelDeployment(actor, event);
    case 'notice':
      return passOnNotice(actor, event);
    case 'deployment-ended':
      return endElsewhere(actor, event.message, event.at);
  }
}

function cancelDeployment(actor: LaneActor, { message, at }: Extract<LaneMessage, { kind: 'cancel' }>): LaneActor {
  const asked = { ...actor, state: cancel(actor.state, message, at) };
  const isNew = actor.state.running?.cancellation === undefined && asked.state.running?.cancellation !== undefined;
  return isNew ? cancelRunning(asked, `Cancelled by @${message.body.by}`, at) : asked;
}

/** Ends waiting deployments and asks the running one to end. Later messages are kept for the next run of the lane. */
function cancelLane(actor: LaneActor, at: string): LaneActor {
  if (actor.isCancelled) return actor;
  const cancelled = { ...actor, isCancelled: true, state: endWaiting(actor.state, 'cancelled', LANE_CANCELLED, at) };
  return cancelRunning(cancelled, LANE_CANCELLED, at);
}

function begin(actor: LaneActor, effect: Effect, now: number): LaneActor {
  switch (effect.kind) {
    case 'read':
    case 'find':
      return { ...actor, work: effect.kind };
    case 'admit': {
      const { show } = effect.admission;
      const storing = { ...beginStoring(actor), work: effect.kind };
      return show === undefined ? storing : beginShowing(storing, { presentations: [show] }, now);
    }
    case 'settle':
      return { ...beginStoring(actor), work: effect.kind };
    case 'end':
      return beginEnding(actor, effect, now);
    case 'show':
      return beginShowing(actor, effect, now);
    case 'look':
      return beginLooking(actor, effect);
    case 'start':
      return { ...report(actor, effect.deployment.id, { isHandedOver: true }), stage: { kind: 'starting' } };
    case 'pass-on':
      return beginPassingOn(actor, effect.passOn);
    case 'pop':
      return noteChanges(actor, popNext(actor, now));
    case 'continue-as-new':
    case 'finish':
    case 'wait':
      return actor;
  }
}

type EndOfWork = Exclude<LaneEnd, { readonly kind: 'shown' | 'ended' }>;

function decideEnd(actor: LaneActor, event: EndOfWork, now: number): LaneActor {
  switch (event.kind) {
    case 'read':
      return handleRead(free(actor), event.read, now);
    case 'admitted': {
      const { deploymentId, admission } = event.effect;
      const { stored } = event.admitted;
      if (stored.kind === 'unanswered')
        return admit(failStoring(free(actor), notWritten(stored.why), now), deploymentId, event.admitted, now);
      return admit(store(free(actor), admission.record, stored, now), deploymentId, event.admitted, now);
    }
    case 'settled': {
      const { settlement } = event.effect;
      return store(handleSettled(free(actor), settlement), settlement.record, event.stored, now);
    }
    case 'found':
      return handleFound(free(actor), event.deploymentId, event.found, now);
    case 'looked':
      return handleLooked(actor, event.effect, event.found, now);
    case 'started':
      return handleStarted(actor, event.deploymentId);
    case 'already-started':
      return handleAlreadyStarted(actor, event.deploymentId);
    case 'closed':
      return handleClosed(actor, event.deploymentId, event.result, now);
    case 'passed-on':
      return handlePassedOn(actor, event, isoOf(now));
    case 'failed':
      return fail(actor, event.effect, event.why, now);
  }
}

function free(actor: LaneActor): LaneActor {
  return { ...actor, work: undefined };
}

function handleRead(actor: LaneActor, read: Extract<LaneEnd, { kind: 'read' }>['read'], now: number): LaneActor {
  return actor.reading === undefined ? actor : restoreRecord(actor, actor.reading, read, now, decideMessage);
}

function store(actor: LaneActor, record: LaneRecord, stored: LaneStored, now: number): LaneActor {
  const { hinted } = actor;
  if (hinted !== undefined && stored.kind === 'other') return reopen(actor, hinted, stored.stored, now, decideMessage);
  return handleStored(actor, record, stored, now);
}

function handleStarted(actor: LaneActor, deploymentId: string): LaneActor {
  return isStarting(actor, deploymentId) ? { ...actor, stage: { kind: 'following', reportsClose: true } } : actor;
}

/** Another run of this lane started the terraform workflow, and only that run hears when it has closed. */
function handleAlreadyStarted(actor: LaneActor, deploymentId: string): LaneActor {
  if (isStarting(actor, deploymentId)) return { ...actor, stage: { kind: 'find', ...AT_ONCE } };
  return isHandedOver(actor, deploymentId) ? askWriter(actor, deploymentId) : actor;
}

/** The deployment's end may arrive before the answer to its start. */
function isStarting(actor: LaneActor, deploymentId: string): boolean {
  return actor.stage.kind === 'starting' && isRunning(actor.state, deploymentId);
}

function fail(actor: LaneActor, effect: Effect, why: string, now: number): LaneActor {
  switch (effect.kind) {
    case 'read': {
      const { reading, durations } = free(actor);
      return reading === undefined
        ? actor
        : {
            ...free(actor),
            reading: { ...reading, ...later(reading, durations, now), why, reasons: reading.reasons + 1 },
          };
    }
    case 'admit': {
      const unshown = handleShownBeside(free(actor), effect.admission.show, undefined, now);
      return blockAdmitted(failStoring(unshown, notWritten(why), now), effect.deploymentId, why, now);
    }
    case 'end':
      return failEnding(free(actor), effect, now);
    case 'settle':
      return failStoring(free(actor), notWritten(why), now);
    case 'find':
      return failFind(free(actor), effect.deploymentId, now);
    case 'show':
      return failShowing(actor, effect, now);
    case 'look':
      return failLooking(actor, now);
    case 'pass-on':
      return failPassingOn(actor, effect.passOn);
    case 'start': {
      const { id } = effect.deployment;
      return isStarting(actor, id) ? failStart(actor, id, why, now) : actor;
    }
    default:
      return actor;
  }
}

function notWritten(why: string): string {
  return `its record cannot be written: ${why}`;
}

function blockAdmitted(actor: LaneActor, deploymentId: string, why: string, now: number): LaneActor {
  const isAdmitted = actor.stage.kind === 'admit' && isRunning(actor.state, deploymentId);
  return isAdmitted ? blockAdmission(actor, why, now) : actor;
}

function withoutReadNotices(actor: LaneActor, now: number): LaneActor {
  if (nextRead(actor.state.notices) === undefined) return actor;
  const notices = withoutRead(actor.state.notices, isoOf(now));
  return notices === actor.state.notices ? actor : { ...actor, state: { ...actor.state, notices } };
}

function noteIdle(actor: LaneActor, now: number): LaneActor {
  const idleSince = isEmpty(actor) ? (actor.idleSince ?? now) : undefined;
  return idleSince === actor.idleSince ? actor : { ...actor, idleSince };
}

/** Nothing runs and nothing waits. */
export function isEmpty({ state, reading }: LaneActor): boolean {
  if (reading !== undefined) return false;
  return deploymentsOf(state).every(({ progress }) => hasEnded(progress.status));
}
