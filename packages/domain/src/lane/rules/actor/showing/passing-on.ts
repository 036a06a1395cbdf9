/** What terraform workflows are told, because they write check runs: notices, who lifted a lock, and that they show all of it again. */
import { saidBy } from '../../../../deployment/notice.ts';
import { addNotice, deploymentsOf, isRunning, type LaneState } from '../../state/lane-state.ts';
import { AT_ONCE, type LaneActor } from '../actor.ts';
import type { PassOn } from '../effects.ts';
import type { LaneEnd, LaneMessage } from '../events.ts';
import { askWriter, forgetShown, isHandedOver, reclaimEnded } from './reported.ts';

/** The writer of a check run shows who lifted a lock, so terraform workflows that write one are told. */
export function passOnUnlocked(actor: LaneActor, state: LaneState): LaneActor {
  const before = new Map(deploymentsOf(actor.state).map(({ id, unlocked }) => [id, unlocked]));
  const affected = deploymentsOf(state).filter(
    ({ id, unlocked }) => unlocked !== before.get(id) && isHandedOver(actor, id),
  );
  return affected.reduce<LaneActor>((asking, { id }) => askWriter(asking, id), { ...actor, state });
}

/** The writer of a check run shows its notices as well. */
export function passOnNotice(actor: LaneActor, { message, at }: Extract<LaneMessage, { kind: 'notice' }>): LaneActor {
  const { deploymentId } = message.body;
  if (isHandedOver(actor, deploymentId))
    return { ...actor, passOns: [...actor.passOns, { kind: 'notice', deploymentId, notice: message }] };
  return { ...actor, state: addNotice(actor.state, deploymentId, saidBy(message), at) };
}

export function beginPassingOn(actor: LaneActor, passOn: PassOn): LaneActor {
  const passOns = actor.passOns.filter((one) => one !== passOn);
  return { ...actor, passOns, passingOn: [...actor.passingOn, passOn] };
}

/** A terraform workflow that is not there has closed without telling the lane, which has to go on in its place. */
export function handlePassedOn(
  passing: LaneActor,
  { passOn, isThere }: Extract<LaneEnd, { kind: 'passed-on' }>,
  at: string,
): LaneActor {
  const actor = withoutPassedOn(passing, passOn);
  if (isThere) return actor;
  const { kind, deploymentId } = passOn;
  if (isLeftToLane(actor, passOn)) return forgetShown(actor, deploymentId);
  const state = kind === 'notice' ? addNotice(actor.state, deploymentId, saidBy(passOn.notice), at) : actor.state;
  const isFollowing = actor.stage.kind === 'following' && isRunning(actor.state, deploymentId);
  const stage = isFollowing ? ({ kind: 'find', ...AT_ONCE } as const) : actor.stage;
  return reclaimEnded({ ...actor, state, stage }, deploymentId);
}

export function failPassingOn(passing: LaneActor, passOn: PassOn): LaneActor {
  const actor = withoutPassedOn(passing, passOn);
  return isLeftToLane(actor, passOn) ? forgetShown(actor, passOn.deploymentId) : actor;
}

function withoutPassedOn(actor: LaneActor, passOn: PassOn): LaneActor {
  return { ...actor, passingOn: actor.passingOn.filter((one) => one !== passOn) };
}

/** Whether the lane has to write the check run: `show-again` did not arrive, and the deployment does not run any more. */
function isLeftToLane(actor: LaneActor, { kind, deploymentId }: PassOn): boolean {
  return kind === 'show-again' && !isRunning(actor.state, deploymentId);
}
