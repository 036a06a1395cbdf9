/** A lane as people and other processes see it, whether it is at work or read from its record. */
import { defined } from '../../../defined.ts';
import type { Deployment } from '../../../deployment/model.ts';
import type { LaneAnswer, LaneKnows } from '../../messages.ts';
import type { LaneRecord } from '../../record.ts';
import type { LaneView } from '../../view.ts';
import { waits, type Wait } from '../check-runs/presentations.ts';
import { judgedAnswer } from '../queue/judged.ts';
import { inOrder } from '../queue/queue.ts';
import { find, newLane, type LaneState } from '../state/lane-state.ts';
import { waitsFor } from '../state/running.ts';
import { endedWithin, fromRecord } from '../state/record.ts';
import { isUnconfirmed, type LaneActor } from '../actor/actor.ts';

export function viewOf(actor: LaneActor): LaneView {
  const reason = whyBlocked(actor) ?? waitsFor(actor.state);
  const isRestored = actor.reading === undefined;
  return {
    ...stateView(actor, isRestored ? actor.state : newLane),
    isRestored,
    ...defined({ waitsFor: reason }),
  };
}

/** The view of a lane that does not run. */
export function viewOfRecord(record: LaneRecord): LaneView {
  const state = fromRecord(record);
  const reason = waitsFor(state);
  return { ...stateView(record, state), isRestored: true, ...defined({ waitsFor: reason }) };
}

function stateView(
  { repository, rootName }: Pick<LaneView, 'repository' | 'rootName'>,
  state: LaneState,
): Omit<LaneView, 'isRestored' | 'waitsFor'> {
  const { latest, lock, lifted, running, queue, ended, undeployed } = state;
  return {
    repository,
    rootName,
    ...(latest && { latest }),
    ...(lock && { lock }),
    lifted,
    ...(running && { running }),
    waiting: inOrder(queue),
    // All count as recorded, and may be shortened: their own records are in storage within moments.
    ended: endedWithin(state, ended, () => true),
    undeployed,
  };
}

/** Why the lane cannot decide or store anything, as a clause; undefined when it can. */
export function whyBlocked({ reading, record }: LaneActor): string | undefined {
  if (reading?.why !== undefined) return `its record cannot be read: ${reading.why}`;
  if (record.why !== undefined) return record.why;
  return reading === undefined ? undefined : 'its record is read from storage';
}

/** The lane's answer to an `unlock` or a `cancel`. */
export function answerTo(actor: LaneActor, requestId: string): LaneAnswer {
  const answer = isUnconfirmed(actor) ? undefined : judgedAnswer(actor.state.judged, requestId);
  return answer ?? { kind: 'pending', reason: whyBlocked(actor) ?? (isUnconfirmed(actor) ? NOT_CONFIRMED : NOT_TAKEN) };
}

const NOT_CONFIRMED = 'its record is compared with storage';

const NOT_TAKEN = 'it has not taken the message; a message that it cannot read is named in the log of a worker';

/** Whether the lane would show a notice on this deployment. */
export function knows(actor: LaneActor, deploymentId: string): LaneKnows {
  const reason = actor.reading === undefined ? undefined : whyBlocked(actor);
  if (reason !== undefined) return { kind: 'pending', reason };
  if (isUnconfirmed(actor)) return { kind: 'pending', reason: NOT_CONFIRMED };
  return { kind: find(actor.state, deploymentId) === undefined ? 'unknown' : 'known' };
}

/** Finds a deployment that runs, waits or has ended. */
export function deploymentIn({ running, waiting, ended }: LaneView, id: string): Deployment | undefined {
  return [...(running ? [running] : []), ...waiting, ...ended].find((deployment) => deployment.id === id);
}

/** The wait of a deployment of this lane, as its check run shows it. */
export function waitIn({ lock, running, waiting }: LaneView, deployment: Deployment): Wait {
  const manual = waiting.filter(({ trigger }) => trigger === 'manual');
  const merged = waiting.filter(({ trigger }) => trigger === 'merge');
  return waits({ lock, running, queue: { manual, merged } })(deployment);
}
