/** The running deployment: its terraform workflow, and its end. */
import { defined } from '../../../defined.ts';
import type { Deployment } from '../../../deployment/model.ts';
import type { ShownNotice } from '../../../deployment/notice.ts';
import type { Progress } from '../../../deployment/progress.ts';
import { hasEnded } from '../../../deployment/status.ts';
import { auditEventOfEnd } from '../../../trail/job-audit.ts';
import type { ReturnedEnd, TerraformFound } from '../../activities.ts';
import type { DeploymentEnded } from '../../messages.ts';
import { endAsThere, firstDoubtful } from '../state/doubtful.ts';
import { lostFromSight } from '../state/lost-from-sight.ts';
import { isRunning, recordCheckRuns, type LaneState } from '../state/lane-state.ts';
import { beginAnyway, end, endAgain, endWith, giveBack } from '../state/running.ts';
import { AT_ONCE, later, type LaneActor } from './actor.ts';
import type { PassOn } from './effects.ts';
import {
  askWriter,
  forgetShown,
  hearsClose,
  isSending,
  joinRefs,
  overtakeSending,
  report,
  reclaimEnded,
} from './showing/reported.ts';

/** The deployment's end is asked for, by the person whom it names, or in Temporal. If it has not reached a terraform workflow, it ends at once. */
export function cancelRunning(actor: LaneActor, reason: string, at: string): LaneActor {
  const { state, stage } = actor;
  if (state.running === undefined || stage.kind === 'end') return actor;
  if (stage.kind === 'admit' || stage.kind === 'start')
    return over({ ...actor, state: endWith(state, 'cancelled', reason, at) });
  const { id: deploymentId, cancellation } = state.running;
  const passOn: PassOn = { kind: 'cancel', deploymentId, ...defined({ cancellation }) };
  return { ...actor, passOns: [...actor.passOns, passOn] };
}

/** A terraform workflow, or somebody in its place, said that its deployment has ended. */
export function endElsewhere(actor: LaneActor, message: DeploymentEnded, at: string): LaneActor {
  const { deploymentId, progress, isClosed = false } = message;
  if (!hasEnded(progress.status) || isReturned(actor, deploymentId)) return actor;
  const begun = beginAnyway(actor.state, deploymentId, at);
  if (begun.running?.id !== deploymentId) return isClosed ? reclaimEnded(actor, deploymentId) : actor;
  const ended = endRunning({ ...actor, state: begun }, deploymentId, progress, at);
  if (isClosed) return reclaimEnded(ended, deploymentId);
  return hearsClose({ ...actor, state: begun }, deploymentId) ? ended : askWriter(ended, deploymentId);
}

/** Whether its terraform workflow has returned an end that is not verified yet. */
function isReturned({ stage, state }: LaneActor, deploymentId: string): boolean {
  return stage.kind === 'end' && isRunning(state, deploymentId);
}

/** The terraform workflow shows the end. The lane does not know yet which check runs it leaves. */
function endRunning(actor: LaneActor, deploymentId: string, progress: Progress, at: string): LaneActor {
  const ended = over({ ...actor, state: end(actor.state, progress, at) });
  return report(ended, deploymentId, { isHandedOver: true, creationUncertain: true }, 'anew');
}

/** Takes the state of a terraform workflow that this run of the lane did not start, or that gave no result. */
export function handleFound(actor: LaneActor, deploymentId: string, found: TerraformFound, now: number): LaneActor {
  const { stage, state, durations } = actor;
  const { running } = state;
  if (isDoubtful(actor, deploymentId)) return endDoubtful(actor, deploymentId, found, now);
  if (running?.id !== deploymentId || stage.kind !== 'find') return actor;
  const at = isoOf(now);
  switch (found.kind) {
    case 'running':
      return followAgain(actor, running, at);
    case 'ended':
      return askWriter(endRunning(actor, deploymentId, found.progress, at), deploymentId);
    case 'completed':
      return close(actor, deploymentId, found.result, now);
    case 'closed':
      return endLost(actor, running, found, at);
    case 'closing':
      return { ...actor, stage: { ...stage, ...later(stage, durations, now) } };
    case 'not-started':
      return startAgain(actor, running, at);
  }
}

/** Nobody says how it is: the lane asks again. */
export function failFind(actor: LaneActor, deploymentId: string, now: number): LaneActor {
  const { stage, doubts, durations } = actor;
  if (isDoubtful(actor, deploymentId)) return { ...actor, doubts: { ...doubts, ...later(doubts, durations, now) } };
  return stage.kind === 'find' ? { ...actor, stage: { ...stage, ...later(stage, durations, now) } } : actor;
}

function isDoubtful({ doubts }: LaneActor, deploymentId: string): boolean {
  return doubts.ids.includes(deploymentId);
}

/** A waiting deployment that has not ended has its turn as any other. */
function endDoubtful(actor: LaneActor, deploymentId: string, found: TerraformFound, now: number): LaneActor {
  if (found.kind === 'closing') return failFind(actor, deploymentId, now);
  const ids = actor.doubts.ids.filter((id) => id !== deploymentId);
  const sure = { ...actor, doubts: { ...AT_ONCE, ids } };
  const waiting = firstDoubtful(actor.state.queue, [deploymentId]);
  if (found.kind !== 'ended' || waiting === undefined) return sure;
  const state = endAsThere(actor.state, waiting, found.progress, isoOf(now));
  return forgetShown({ ...sure, state }, deploymentId);
}

function followAgain(actor: LaneActor, { id, cancellation }: Deployment, at: string): LaneActor {
  const stage = { kind: 'following', reportsClose: false } as const;
  const following = askWriter({ ...report(actor, id, { isHandedOver: true }), stage }, id);
  return actor.isCancelled || cancellation !== undefined ? cancelRunning(following, '', at) : following;
}

function endLost(
  actor: LaneActor,
  running: Deployment,
  found: Extract<TerraformFound, { readonly kind: 'closed' }>,
  at: string,
): LaneActor {
  const progress = lostFromSight(running, found, at);
  return auditEnd(reclaimEnded(endRunning(actor, running.id, progress, at), running.id), running.id);
}

/** The terraform workflow may have closed before it wrote the end of its apply to the audit trail. */
function auditEnd(actor: LaneActor, deploymentId: string): LaneActor {
  const deployment = actor.state.ended.find(({ id }) => id === deploymentId);
  const event = deployment && auditEventOfEnd(actor.repository, deployment);
  return event === undefined
    ? actor
    : { ...actor, record: { ...actor.record, audits: [...actor.record.audits, event] } };
}

/** Puts the deployment back to the front of the queue, unless somebody asked for its end. */
export function startAgain(actor: LaneActor, { id, cancellation }: Deployment, at: string): LaneActor {
  const own = report(actor, id, { isHandedOver: false });
  if (cancellation !== undefined) {
    return over({ ...own, state: endWith(own.state, 'cancelled', `Cancelled by @${cancellation.body.by}`, at) });
  }
  if (actor.isCancelled) return over({ ...own, state: endWith(own.state, 'cancelled', LANE_CANCELLED, at) });
  return over({ ...own, state: giveBack(own.state, at) });
}

export const LANE_CANCELLED = 'The lane was cancelled in Temporal.';

/** The terraform workflow has closed: from here on, the lane writes the check run. */
export function handleClosed(
  actor: LaneActor,
  deploymentId: string,
  result: ReturnedEnd | undefined,
  now: number,
): LaneActor {
  if (result === undefined) {
    if (isRunning(actor.state, deploymentId)) return { ...actor, stage: { kind: 'find', ...AT_ONCE } };
    return auditEnd(reclaimEnded(actor, deploymentId), deploymentId);
  }
  return close(actor, deploymentId, result, now);
}

function close(actor: LaneActor, deploymentId: string, result: ReturnedEnd, now: number): LaneActor {
  const isAtWork = isRunning(actor.state, deploymentId);
  if (isAtWork && result.untold !== undefined) return { ...actor, stage: { kind: 'end', result, at: now, ...AT_ONCE } };
  if (isAtWork) return endAs(actor, deploymentId, result, now);
  return withResult(
    result.untold === undefined ? actor : endAnew(actor, deploymentId, result, now),
    deploymentId,
    result,
  );
}

/**
 * Somebody had said that it ended, which anybody can. A workflow that told its end itself returns nothing untold: so that was not its
 * word, and what it returns is recorded by nobody else.
 */
function endAnew(actor: LaneActor, deploymentId: string, { progress }: ReturnedEnd, now: number): LaneActor {
  const kept = actor.record.kept.filter((id) => id !== deploymentId);
  const state = endAgain(actor.state, deploymentId, progress, isoOf(now));
  return { ...actor, state, record: { ...actor.record, kept } };
}

/** The running deployment ends as its terraform workflow returned. */
export function endAs(actor: LaneActor, deploymentId: string, result: ReturnedEnd, now: number): LaneActor {
  return withResult(endRunning(actor, deploymentId, result.progress, isoOf(now)), deploymentId, result);
}

/**
 * If the lane created or wrote a check run late, the terraform workflow does not know of it, so the lane writes again. An end that
 * was told nobody is the lane's to record.
 */
function withResult(
  actor: LaneActor,
  deploymentId: string,
  { checkRuns, reported, notice, untold }: ReturnedEnd,
): LaneActor {
  const known = actor.state.ended.find(({ id }) => id === deploymentId)?.checkRuns ?? [];
  const all = joinRefs(known, checkRuns);
  const state = withNotices(recordCheckRuns(actor.state, deploymentId, all), deploymentId, notice);
  const { isHandedOver = false, digest } = actor.showing.reported[deploymentId] ?? {};
  const isOutdated =
    all.length > checkRuns.length || !isHandedOver || digest !== undefined || isSending(actor, deploymentId);
  const { kept, audits } = actor.record;
  const recorded = untold === undefined ? { kept: [...kept, deploymentId] } : { audits: [...audits, ...untold] };
  const closed = overtakeSending({ ...actor, state, record: { ...actor.record, ...recorded } }, deploymentId);
  return report(closed, deploymentId, isOutdated ? { creationUncertain: true } : reported, 'anew');
}

function withNotices(state: LaneState, deploymentId: string, notice: ShownNotice | undefined): LaneState {
  return notice === undefined ? state : { ...state, notices: { ...state.notices, [deploymentId]: notice } };
}

/** No deployment runs any more. */
export function over(actor: LaneActor): LaneActor {
  return { ...actor, stage: { kind: 'none' } };
}

export function isoOf(now: number): string {
  return new Date(now).toISOString();
}
