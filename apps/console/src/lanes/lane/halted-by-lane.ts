/** What the failed deployment of a lane halts: the later waves of its merge. Pure. */
import type { LaneWaits } from '@nereid/api';
import { defined } from '@nereid/domain/defined';
import { haltingRootIn, isAtHaltedWave } from '@nereid/domain/gates';
import { fullName } from '@nereid/domain/root';
import { isSameName } from '../../access/repository-access.ts';
import type { FleetDeployment, FleetLane } from '../../fleet/fleet-lane.ts';

/** Undefined where nothing waits for it, of the lanes that are given. */
export function haltOf(lanes: readonly FleetLane[], lane: FleetLane): LaneWaits['halts'] {
  const halted = lanes.flatMap(({ running, ...other }) => {
    const isHere = isSameName(fullName(other), fullName(lane));
    return isHere && running !== undefined && haltingRootOf(running) === lane.rootName ? [running] : [];
  });
  const [first] = halted;
  if (first === undefined) return undefined;
  return { roots: halted.length, ...defined({ deploymentId: endedWith(lane, first.revision.sha) }) };
}

function haltingRootOf({ status, waitsFor, reason }: FleetDeployment): string | undefined {
  if (status !== 'blocked' || typeof waitsFor !== 'object' || !isAtHaltedWave(waitsFor)) return undefined;
  return reason === undefined ? undefined : haltingRootIn(reason);
}

/** An apply that failed began; a plan that failed did not take effect. */
function endedWith({ latest, undeployed }: FleetLane, sha: string): string | undefined {
  const left = undeployed.findLast(({ revision }) => revision.sha === sha);
  return left?.deploymentId ?? (latest?.revision === sha ? latest.deploymentId : undefined);
}
