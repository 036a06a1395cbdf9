/** Decides whether the running deployment may start: the questions to ask, and the consequences of the answers. */
import { defined } from '../../../defined.ts';
import type { Deployment } from '../../../deployment/model.ts';
import { shortSha } from '../../../deployment/revision.ts';
import type { Admission, Admitted, Comparison } from '../../activities.ts';
import { askAgainAt } from '../../../gates/waits/ask-again.ts';
import { shownWait, type GateWait } from '../../../gates/waits/gate-wait.ts';
import { isHeld, type LaneState } from '../state/lane-state.ts';
import { collapse } from '../state/ended.ts';
import { block, endWith, giveBack, pop, waitAtGate, warn } from '../state/running.ts';
import { verdictOn, type Verdict } from '../queue/verdict.ts';
import { AT_ONCE, later, type LaneActor } from './actor.ts';
import { report } from './showing/reported.ts';
import { isoOf, over, startAgain } from './running.ts';

/** After a wait at a closed gate, another deployment may go first. */
export function popNext(actor: LaneActor, now: number): LaneActor {
  const { stage } = actor;
  const state = pop(giveBack(actor.state, isoOf(now)), isoOf(now));
  const pause = stage.kind === 'admit' ? stage.pause : undefined;
  const isPopped = state.running !== undefined;
  const next = isPopped ? ({ kind: 'admit', ...AT_ONCE, pause } as const) : ({ kind: 'none' } as const);
  return { ...actor, state, stage: next, runs: actor.runs + 1 };
}

/** Returns the questions to ask before the running deployment starts. `record` is the lane while it runs. */
export function admissionOf(
  { state }: LaneActor,
  { trigger, root, revision }: Deployment,
  stored: Pick<Admission, 'record' | 'ifVersion'>,
): Admission {
  const { latest } = state;
  const isCompared = latest !== undefined && latest.revision !== revision.sha;
  const isComparedWithMerge = trigger === 'merge' && latest?.mergeBefore !== undefined;
  const others = trigger === 'merge' && root.queue === 'newest' ? readyOnes(state) : [];
  return {
    ...stored,
    ...(isCompared && { compareWith: latest.revision }),
    ...(isComparedWithMerge && { compareWithMerge: latest.mergeBefore }),
    ...(others.length > 0 && { contains: others }),
  };
}

/** A deployment that still waits for other lanes goes with none. */
function readyOnes(state: LaneState): readonly string[] {
  return state.queue.merged.filter((one) => !isHeld(state, one)).map((one) => one.revision.sha);
}

/** Takes the answers of storage, the forge and git. If one is missing, the deployment is visibly blocked, and the lane retries. */
export function admit(actor: LaneActor, deploymentId: string, admitted: Admitted, now: number): LaneActor {
  const { running } = actor.state;
  if (running?.id !== deploymentId || actor.stage.kind !== 'admit') return actor;
  // Another writer's record has just been joined: the lane asks again with it.
  if (admitted.stored.kind === 'other') return actor;
  const why = whyBlocked(actor, running, admitted);
  if (why !== undefined) return blockAdmission(actor, why, now);
  if (admitted.closed !== undefined) return blockAtGate(actor, admitted.closed, now);

  const verdict = verdictIn(actor, running, admitted);
  const state = block(actor.state, undefined, isoOf(now));
  if (verdict.kind !== 'run')
    return over({ ...actor, state: endWith(state, verdict.kind, verdict.sentence, isoOf(now)) });
  const warned = verdict.warning === undefined ? state : warn(state, verdict.warning);
  const contained = new Set(admitted.contained?.kind === 'listed' ? admitted.contained.shas : []);
  const { reviewRequired } = verdict;
  const { readToken } = admitted;
  return {
    ...actor,
    state: collapse(warned, contained, isoOf(now)),
    stage: { kind: 'start', reviewRequired, ...defined({ readToken }) },
  };
}

/** Blocks the running deployment. The lane asks again, at growing intervals. */
export function blockAdmission(actor: LaneActor, why: string, now: number): LaneActor {
  const retry = actor.stage.kind === 'admit' ? actor.stage : AT_ONCE;
  const stage = { kind: 'admit', ...later(retry, actor.durations, now) } as const;
  return { ...actor, state: block(actor.state, why, isoOf(now)), stage };
}

/** It is what people read of the running deployment, until control finds the gate open. */
function blockAtGate(actor: LaneActor, wait: GateWait, now: number): LaneActor {
  const { pause: last, isRung = false } = actor.stage.kind === 'admit' ? actor.stage : {};
  const isSoon = wait.askAgain === 'soon';
  // Pauses grow while its facts cannot be read, or while they can: an outage after a long wait begins with a short one.
  const lastMs = last?.isSoon === isSoon ? last.ms : 0;
  const dueAt = isRung ? now : askAgainAt(wait, lastMs * 2, now);
  const pause = { ms: isRung ? lastMs : dueAt - now, isSoon };
  const { reason, waitsFor } = shownWait(wait);
  return {
    ...actor,
    state: waitAtGate(block(actor.state, reason, isoOf(now)), waitsFor),
    stage: { kind: 'admit', ...AT_ONCE, dueAt, isAtGate: true, pause },
  };
}

function whyBlocked(
  { state: { latest } }: LaneActor,
  { revision }: Deployment,
  { stored, comparison, comparisonWithMerge, contained }: Admitted,
): string | undefined {
  if (stored.kind === 'unanswered' || stored.kind === 'unreadable') return `Cannot store the lane: ${stored.why}`;
  if (comparison?.kind === 'unanswered')
    return `Cannot compare with ${shortSha(latest?.revision ?? '')}: ${comparison.why}`;
  if (comparisonWithMerge?.kind === 'unanswered')
    return `Cannot compare with ${shortSha(latest?.mergeBefore ?? '')}: ${comparisonWithMerge.why}`;
  if (contained?.kind === 'unanswered') return `Cannot see what ${shortSha(revision.sha)} contains: ${contained.why}`;
  return undefined;
}

function verdictIn({ state: { latest } }: LaneActor, deployment: Deployment, admitted: Admitted): Verdict {
  const withLatest = comparisonIn(admitted.comparison) ?? (latest === undefined ? 'no latest' : 'identical');
  return verdictOn(deployment, withLatest, latest, comparisonIn(admitted.comparisonWithMerge));
}

function comparisonIn(answer: Admitted['comparison']): Comparison | undefined {
  return answer?.kind === 'compared' ? answer.comparison : undefined;
}

/** The terraform workflow did not start. The lane tries again, unless somebody asked for the deployment's end meanwhile. */
export function failStart(actor: LaneActor, deploymentId: string, why: string, now: number): LaneActor {
  const { running } = actor.state;
  const own = { ...actor, passOns: actor.passOns.filter((passOn) => passOn.deploymentId !== deploymentId) };
  if (running?.cancellation !== undefined || (running !== undefined && actor.isCancelled))
    return startAgain(own, running, isoOf(now));
  return blockAdmission(
    report(own, deploymentId, { isHandedOver: false }),
    `Cannot start its terraform workflow: ${why}`,
    now,
  );
}
