/**
 * The deploy workflow: one lane, for as long as it has work.
 *
 * Messages and the ends of effects go to one inbox; one loop takes them from there. The pure rules of a lane decide
 * their meaning and the next step: queue, lock, verdict, record, check runs. Nothing else changes the lane.
 */
import { CancellationScope, CancelledFailure, continueAsNew, workflowInfo } from '@temporalio/workflow';
import { type LaneInput, decide, nextEffect, openLane, type Effect, type LaneEvent } from '@nereid/domain/lane';
import { createAlarm } from './alarm.ts';
import { describe } from './description.ts';
import { receiveMessages } from './messages.ts';
import { nextInput } from './next-input.ts';
import { createBegin } from './perform.ts';
import { timestamp } from '../timestamp.ts';

/** Before these, somebody has time to look at the lane. Between others, it would describe states that last for an instant. */
const PAUSES: readonly Effect['kind'][] = ['wait', 'finish', 'continue-as-new'];

export async function deploy(input: LaneInput): Promise<void> {
  const inbox: LaneEvent[] = [];
  let lane = openLane(input, workflowInfo().runId, Math.random());
  receiveMessages(inbox, () => lane);
  CancellationScope.current().cancelRequested.catch(() => inbox.push({ kind: 'cancel-requested', at: timestamp() }));

  await CancellationScope.nonCancellable(async () => {
    const alarm = createAlarm();
    const begin = createBegin((event) => inbox.push(event));
    for (;;) {
      const isLong = workflowInfo().continueAsNewSuggested;
      const effect = nextEffect(lane, { now: Date.now(), isLong });
      if (PAUSES.includes(effect.kind)) describe(lane);
      if (effect.kind === 'finish' && effect.how === 'idle') return;
      if (effect.kind === 'finish') throw new CancelledFailure('the lane was cancelled');
      if (effect.kind === 'continue-as-new') await continueAsNew<typeof deploy>(nextInput(lane));
      if (effect.kind === 'wait') await alarm.ringsOr(() => inbox.length > 0, effect.until);
      else begin(lane, effect);
      lane = decide(lane, inbox.splice(0), Date.now());
    }
  });
}
