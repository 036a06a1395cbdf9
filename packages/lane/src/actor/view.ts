/** A lane as people and other processes see it: the same from the lane at work as from its record. */
import type { Deployment, LaneAnswer, LaneKnows, LaneRecord, LaneView } from '@nereid/contracts';
import { waits, type Wait } from '../check-runs/presentations.ts';
import { judgedAnswer } from '../queue/judged.ts';
import { inOrder } from '../queue/queue.ts';
import { find, newLane, waitsFor, type LaneState } from '../state/lane-state.ts';
import { endedWithin, fromRecord } from '../state/record.ts';
import type { LaneActor } from './actor.ts';

export function viewOf(actor: LaneActor): LaneView {
  const reason = whyBlocked(actor) ?? waitsFor(actor.state);
  const isRestored = actor.reading === undefined;
  return {
    ...stateView(actor, isRestored ? actor.state : newLane),
    isRestored,
    ...(reason !== undefined && { waitsFor: reason }),
  };
}

/** Of a lane that does not run. */
export function viewOfRecord(record: LaneRecord): LaneView {
  const state = fromRecord(record);
  const reason = waitsFor(state);
  return { ...stateView(record, state), isRestored: true, ...(reason !== undefined && { waitsFor: reason }) };
}

function stateView(
  { repository, rootName }: Pick<LaneView, 'repository' | 'rootName'>,
  state: LaneState,
): Omit<LaneView, 'isRestored' | 'waitsFor'> {
  const { latest, lock, lifted, running, queue, ended } = state;
  return {
    repository,
    rootName,
    ...(latest && { latest }),
    ...(lock && { lock }),
    lifted,
    ...(running && { running }),
    waiting: inOrder(queue),
    // The own record of one that somebody looks at closely is in storage within moments.
    ended: endedWithin(state, ended, () => true),
  };
}

/** Why nothing can be decided or stored here; undefined: it can. */
export function whyBlocked({ reading, record }: LaneActor): string | undefined {
  if (reading?.why !== undefined) return `its record cannot be read: ${reading.why}`;
  if (record.why !== undefined) return record.why;
  return reading === undefined ? undefined : 'its record is read from storage';
}

/** What came of an `unlock` or a `cancel`. */
export function answerTo(actor: LaneActor, requestId: string): LaneAnswer {
  const answer = judgedAnswer(actor.state.judged, requestId);
  return answer ?? { kind: 'pending', reason: whyBlocked(actor) ?? NOT_TAKEN };
}

const NOT_TAKEN = 'it has not taken the message; a message that it cannot read is named in the log of a worker';

/** Whether it would show a notice on this deployment. */
export function knows(actor: LaneActor, deploymentId: string): LaneKnows {
  const reason = actor.reading === undefined ? undefined : whyBlocked(actor);
  if (reason !== undefined) return { kind: 'pending', reason };
  return { kind: find(actor.state, deploymentId) === undefined ? 'unknown' : 'known' };
}

/** Everything that the lane knows of this deployment. */
export function deploymentIn({ running, waiting, ended }: LaneView, id: string): Deployment | undefined {
  return [...(running ? [running] : []), ...waiting, ...ended].find((deployment) => deployment.id === id);
}

/** For what a waiting deployment of this lane waits, as its check run says it. */
export function waitIn({ lock, running, waiting }: LaneView, deployment: Deployment): Wait {
  const manual = waiting.filter(({ trigger }) => trigger === 'manual');
  const merged = waiting.filter(({ trigger }) => trigger === 'merge');
  return waits({ lock, running, queue: { manual, merged } })(deployment);
}
