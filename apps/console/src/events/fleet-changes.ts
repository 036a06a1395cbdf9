/** What differs between two pictures of the fleet. Pure. */
import type { Pages } from '@nereid/forge';
import { keyOf, type Picture } from '../fleet/fleet.ts';
import type { FleetDeployment, FleetLane } from '../fleet/fleet-lane.ts';
import { laneSummaryOf } from '../fleet/lane-summary.ts';
import type { LaneName } from '@nereid/domain/console';
import type { Change } from './change.ts';

export interface FleetChanges {
  readonly changes: readonly Change[];
  /** They ran or waited, and do so no more. */
  readonly left: readonly Left[];
}

export interface Left {
  readonly id: string;
  readonly lane: LaneName;
}

const NOTHING: FleetChanges = { changes: [], left: [] };

export function fleetChanges(before: Picture, after: Picture, forgePages: Pages): FleetChanges {
  if (before === after) return NOTHING;
  const lanesBefore = new Map(before.lanes.map((lane) => [keyOf(lane), lane]));
  const keys = new Set(after.lanes.map(keyOf));
  const changed = after.lanes.map((lane) => laneChanges(lanesBefore.get(keyOf(lane)), lane, forgePages));
  const gone = before.lanes.filter((lane) => !keys.has(keyOf(lane)));
  const isSame = before.unavailable.join() === after.unavailable.join();
  return {
    changes: [
      ...changed.flatMap(({ changes }) => changes),
      ...gone.map((lane): Change => ({ kind: 'lane', lane: nameOf(lane) })),
      ...(isSame ? [] : [{ kind: 'unavailable', unavailable: after.unavailable } as const]),
    ],
    left: [...changed.flatMap(({ left }) => left), ...gone.flatMap((lane) => leftOf(lane, heldBy(lane)))],
  };
}

function laneChanges(before: FleetLane | undefined, after: FleetLane, forgePages: Pages): FleetChanges {
  const isSame = before?.stamp === after.stamp && before.running?.status === after.running?.status;
  if (isSame) return NOTHING;
  const lane = nameOf(after);
  const known = new Map(heldBy(before).map((one) => [one.id, one.status]));
  const held = heldBy(after);
  const moved = held.filter(({ id, status }) => known.get(id) !== status);
  const ids = new Set(held.map(({ id }) => id));
  return {
    changes: [
      { kind: 'lane', lane, summary: laneSummaryOf(after, forgePages) },
      ...moved.map(({ id, status }): Change => ({ kind: 'deployment', lane, id, status })),
    ],
    left: leftOf(
      after,
      heldBy(before).filter(({ id }) => !ids.has(id)),
    ),
  };
}

function heldBy(lane: FleetLane | undefined): readonly FleetDeployment[] {
  return lane === undefined ? [] : [...(lane.running ? [lane.running] : []), ...lane.waiting];
}

function leftOf(lane: LaneName, deployments: readonly FleetDeployment[]): readonly Left[] {
  return deployments.map(({ id }) => ({ id, lane: nameOf(lane) }));
}

function nameOf({ owner, name, rootName }: LaneName): LaneName {
  return { owner, name, rootName };
}
