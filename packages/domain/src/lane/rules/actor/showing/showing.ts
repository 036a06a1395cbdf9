/** Writes of check runs to the forge: the beginning, and the results. */
import type { CheckRunRef } from '../../../../deployment/check-run.ts';
import type { Presentation, Shown } from '../../../../deployment/presentation.ts';
import { areSuperseded, isTaken } from '../../../../deployment/rules/taken.ts';
import { appearance, createsCheckRun, mayHaveCreated } from '../../check-runs/presentations.ts';
import { afterBatch, type Outcome } from '../../check-runs/patience.ts';
import { inOrder } from '../../queue/queue.ts';
import { find, recordCheckRuns, type LaneState } from '../../state/lane-state.ts';
import type { LaneActor } from '../actor.ts';
import type { EffectOf } from '../effects.ts';
import { askWriter, isHandedOver, isSending, joinRefs, report } from './reported.ts';

type Batch = Pick<EffectOf<'show'>, 'presentations'>;

/** Until the answer is here, each new check run may or may not have been created. */
export function beginShowing(actor: LaneActor, { presentations: sending }: Batch, now: number): LaneActor {
  const { durations, showing } = actor;
  const begun = sending
    .filter(createsCheckRun)
    .reduce((before, { deployment: { id } }) => report(before, id, { creationUncertain: true }), actor);
  const positionsDueAt = now >= showing.positionsDueAt ? now + durations.positionsMs : showing.positionsDueAt;
  return { ...begun, showing: { ...begun.showing, sending, positionsDueAt } };
}

export function handleShown(
  actor: LaneActor,
  { presentations: sent }: Batch,
  results: readonly Shown[],
  now: number,
): LaneActor {
  const answered = results.reduce((before, result) => handleResult(passOnUnshown(before, result), sent, result), actor);
  const outcomes = results.map((result) => outcomeOf(result, sent, now));
  return afterOutcome(answered, outcomes, now);
}

/** The whole batch failed. */
export function failShowing(actor: LaneActor, { presentations: sent }: Batch, now: number): LaneActor {
  const failed = sent.map(({ deployment }) => deployment.id);
  const passedOn = failed.reduce(
    (before, deploymentId) => passOnUnshown(before, { deploymentId, kind: 'failed' }),
    actor,
  );
  return afterOutcome(sent.reduce(forgetWritten, passedOn), [{ ...NOTHING, failed }], now);
}

/** The same for the one that a step of the lane showed beside its work, if it did. */
export function handleShownBeside(
  actor: LaneActor,
  show: Presentation | undefined,
  shown: Shown | undefined,
  now: number,
): LaneActor {
  if (show === undefined) return actor;
  const presentations = [show];
  const sending = { ...actor, showing: { ...actor.showing, sending: actor.showing.sending ?? presentations } };
  return shown === undefined
    ? failShowing(sending, { presentations }, now)
    : handleShown(sending, { presentations }, [shown], now);
}

function afterOutcome(actor: LaneActor, outcomes: readonly Outcome[], now: number): LaneActor {
  const { durations, isCancelled, showing } = actor;
  const taken = outcomes.flatMap((one) => one.taken);
  const outcome = {
    taken,
    failed: outcomes.flatMap(({ failed }) => failed),
    limited: new Map(outcomes.flatMap(({ limited }) => [...limited])),
    retryAfterMs: Math.max(0, ...outcomes.map(({ retryAfterMs }) => retryAfterMs)),
  };
  const isFailure = isCancelled && outcome.failed.length > 0 && taken.length === 0;
  const failures = isFailure ? showing.failures + 1 : taken.length > 0 ? 0 : showing.failures;
  const patience = afterBatch(showing.patience, outcome, durations, now);
  return { ...actor, showing: { ...showing, sending: undefined, patience, failures } };
}

function handleResult(actor: LaneActor, sent: readonly Presentation[], result: Shown): LaneActor {
  const { deploymentId, kind } = result;
  const presentation = sentOf(sent, deploymentId);
  if (presentation === undefined) return actor;
  if (kind === 'limited' || (kind === 'failed' && result.isUnsent === true)) return asBefore(actor, presentation);
  if (kind === 'failed') return forgetWritten(actor, presentation);
  const state = kind === 'shown' ? withRefs(actor, deploymentId, result.checkRuns) : actor.state;
  const known = actor.showing.reported[deploymentId];
  if (!isSending(actor, deploymentId)) return report({ ...actor, state }, deploymentId, { creationUncertain: true });
  const isComplete = kind === 'refused' || areSuperseded(find(state, deploymentId)?.checkRuns ?? []);
  const reported = {
    isHandedOver: known?.isHandedOver === true,
    ...(isComplete && { digest: appearance(presentation) }),
  };
  return report({ ...actor, state }, deploymentId, reported, 'anew');
}

/**
 * Asks the terraform workflow to write again. Either it was told that the forge shows the check run, and the forge does not. Or it
 * has ended the deployment meanwhile, and the lane may have overwritten the end.
 */
function passOnUnshown(actor: LaneActor, { deploymentId, kind }: Pick<Shown, 'deploymentId' | 'kind'>): LaneActor {
  const isAsTold = kind === 'shown' && actor.state.running?.id === deploymentId;
  if (isAsTold || !isHandedOver(actor, deploymentId)) return actor;
  return askWriter(actor, deploymentId);
}

/**
 * The forge did nothing. If nobody else has written yet, nobody has to look whether a check run was created: only a started deployment
 * has another writer.
 */
function asBefore(actor: LaneActor, { deployment: { id }, creationUncertain = false }: Presentation): LaneActor {
  const { state, stage, showing } = actor;
  const isUnstarted =
    inOrder(state.queue).some((one) => one.id === id) || (state.running?.id === id && stage.kind === 'admit');
  const { creationUncertain: _certain, ...known } = showing.reported[id] ?? {};
  if (creationUncertain || !isUnstarted || known.isHandedOver === true) return actor;
  return report(actor, id, known, 'anew');
}

/** The check run may or may not have been written. If it is the lane's to write, it is written again. */
function forgetWritten(actor: LaneActor, presentation: Presentation): LaneActor {
  const { id } = presentation.deployment;
  const { digest: _outdated, ...others } = actor.showing.reported[id] ?? {};
  if (others.isHandedOver === true) return actor;
  return report(actor, id, { ...others, ...(mayHaveCreated(presentation) && { creationUncertain: true }) }, 'anew');
}

function sentOf(sent: readonly Presentation[], id: string): Presentation | undefined {
  return sent.find(({ deployment }) => deployment.id === id);
}

function outcomeOf(result: Shown, sent: readonly Presentation[], now: number): Outcome {
  const { deploymentId: id, kind } = result;
  if (kind === 'failed') return { ...NOTHING, failed: [id], retryAfterMs: result.retryAfterMs ?? 0 };
  if (kind === 'limited') {
    const presentation = sentOf(sent, id);
    const looks = presentation === undefined ? '' : appearance(presentation);
    // Turns within the same second are taken together.
    const at = Math.ceil((now + result.retryAfterMs) / 1_000) * 1_000;
    return { ...NOTHING, limited: new Map([[id, { at, appearance: looks }]]) };
  }
  return isTaken(result) ? { ...NOTHING, taken: [id] } : { ...NOTHING, failed: [id] };
}

const NOTHING: Outcome = { taken: [], failed: [], limited: new Map(), retryAfterMs: 0 };

/** Another writer may have created a check run meanwhile. */
function withRefs({ state }: LaneActor, deploymentId: string, checkRuns: readonly CheckRunRef[]): LaneState {
  const known = find(state, deploymentId)?.checkRuns ?? [];
  return recordCheckRuns(state, deploymentId, joinRefs(known, checkRuns));
}
