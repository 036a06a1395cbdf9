/**
 * What comes before the lane's record is there. Nothing is decided about it, and nothing is lost: it waits in the inbox, as many
 * deployments as in a queue, and what is more is refused on its check run. Where the record cannot be read, the check runs of
 * what waits say so.
 */
import type { Deployment, DeploymentRequest } from '@nereid/contracts';
import { UNTOLD_LIMIT, withEnded } from './ended.ts';
import { timestamp, type Lane } from './lane.ts';
import { find, newLane, receive, takeCheckRuns, type LaneState } from './lane-state.ts';
import { advanced } from './progress.ts';
import { inOrder, QUEUE_LIMIT } from './queue.ts';
import { isSeen, remember } from './seen.ts';

/** A full queue, and as many messages about it: Temporal itself takes no more than ten thousand. */
const INBOX_LIMIT = 2 * QUEUE_LIMIT;

const SEEN = 'This root knew of it before its record could be read again: it was asked for twice.';

/** A revision came, now or before the lane can know whether it has seen it. False: there is no room for it, nor to say so. */
export function arrive(lane: Lane, request: DeploymentRequest, id: string, at: string): boolean {
  const change = (state: LaneState) => receive(state, request, id, at);
  if (lane.isRestored) lane.state = change(lane.state);
  else if (lane.arrived.ended.length >= UNTOLD_LIMIT) return false;
  else {
    lane.arrived = change(lane.arrived);
    if (inOrder(lane.arrived.queue).some((deployment) => deployment.id === id)) lane.inbox.push(change);
  }
  return true;
}

/** Applies another message now, or once the lane is restored. False: there is no room for it. */
export function apply(lane: Lane, change: (state: LaneState) => LaneState): boolean {
  if (lane.isRestored) lane.state = change(lane.state);
  else if (lane.inbox.length >= INBOX_LIMIT) return false;
  else lane.inbox.push(change);
  return true;
}

/** The record is there. */
export function takeArrivals(lane: Lane): void {
  for (const change of lane.inbox.splice(0)) lane.state = change(lane.state);
  const { arrived } = lane;
  lane.arrived = newLane;
  lane.state = withArrivals(lane.state, arrived, timestamp(), ({ id }) => lane.shown.has(id) || lane.mayExist.has(id));
}

/** A lane that has taken its messages, with what their check runs were told before that. */
export function withArrivals(
  state: LaneState,
  { queue, ended }: LaneState,
  at: string,
  isTold: (deployment: Deployment) => boolean,
): LaneState {
  const waiting = inOrder(queue);
  const known = waiting.filter(({ id }) => find(state, id) !== undefined);
  // What was seen before is dropped without a check run, where there is none.
  const seen = waiting.filter((deployment) => !known.includes(deployment) && isTold(deployment));
  // Of what the lane knew before, only a check run that says otherwise has to be told.
  const refused = ended.filter((deployment) => !isSeen(state.seen, deployment) || isTold(deployment));
  const withRefused = refused.reduce(
    (before, one) => (isSeen(before.seen, one) ? before : { ...before, seen: remember(before.seen, one) }),
    withEnded(state, [...seen.map((deployment) => advanced(deployment, 'skipped', at, SEEN)), ...refused], at),
  );
  return known
    .filter(({ checkRuns }) => checkRuns.length > 0)
    .reduce((before, { id, checkRuns }) => takeCheckRuns(before, id, checkRuns), withRefused);
}
