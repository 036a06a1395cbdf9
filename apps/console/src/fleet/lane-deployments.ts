/** The deployments of all lanes in one list, as far as lanes know them. Pure. */
import type { LaneName } from '@nereid/domain/console';
import type { FleetDeployment } from './fleet-lane.ts';
import type { Picture } from './fleet.ts';

/** A deployment with its lane, wherever it is known from. */
export interface LaneDeployment extends FleetDeployment {
  readonly lane: LaneName;
  readonly endedAt?: string;
}

/** A deployment that has left its lane moments ago comes first: its end, once that is known, is newer. */
export function underWay({ lanes, departed }: Picture): readonly LaneDeployment[] {
  const gone = departed.map(({ lane, deployment }) => ({ ...deployment, lane }));
  const held = lanes.flatMap(({ running, waiting, ...lane }) =>
    [...(running ? [running] : []), ...waiting].map((one) => ({ ...one, lane })),
  );
  return [...gone, ...held];
}
