/**
 * The deploy workflow: one lane, for as long as it has work.
 *
 * The lane is an actor (actor.ts). Its rules are in packages/domain: queue, lock, verdict, record, check runs.
 */
import { CancelledFailure, continueAsNew, workflowInfo } from '@temporalio/workflow';
import {
  type LaneInput,
  decide,
  nextEffect,
  openLane,
  type Effect,
  type LaneActor,
  type LaneEvent,
} from '@nereid/domain/lane';
import { createActor } from '../actor.ts';
import { describe } from './description.ts';
import { receiveMessages } from './messages.ts';
import { nextInput } from './next-input.ts';
import { createBegin } from './perform.ts';

export async function deploy(input: LaneInput): Promise<void> {
  const opened = openLane(input, { runId: workflowInfo().runId, random: Math.random(), now: Date.now() });
  const lane = createActor<LaneActor, LaneEvent, Effect>(opened, {
    decide,
    nextEffect: (state, now) => nextEffect(state, { now, isLong: workflowInfo().continueAsNewSuggested }),
  });
  receiveMessages(lane);
  await lane.play({ begin: createBegin(lane.emit), end, describe, earlyMs: Infinity });
}

function end(lane: LaneActor, effect: Effect): Promise<void> | undefined {
  if (effect.kind === 'continue-as-new') return continueAsNew<typeof deploy>(nextInput(lane));
  if (effect.kind !== 'finish') return undefined;
  return effect.how === 'idle' ? Promise.resolve() : Promise.reject(new CancelledFailure('the lane was cancelled'));
}
