/** A deployment that ended, as lists of days keep it in memory. Pure. */
import { defined } from '@nereid/domain/defined';
import type { EndedDeployment } from '@nereid/domain/deployment';
import { withCutTexts } from '../fleet/fleet-lane.ts';
import type { LaneDeployment } from '../fleet/lane-deployments.ts';

export type Ended = LaneDeployment & { readonly endedAt: string };

export function endedOf(ended: EndedDeployment): Ended {
  const {
    id,
    repository,
    rootName,
    revision,
    trigger,
    rerun,
    requestedBy,
    receivedAt,
    times,
    status,
    carrier,
    endedAt,
    applied,
  } = ended;
  const lane = { owner: repository.owner, name: repository.name, rootName };
  const brief = {
    id,
    revision,
    trigger,
    rerun,
    requestedBy,
    receivedAt,
    times,
    status,
    ...defined({ carrier, applied }),
  };
  return { ...withCutTexts(brief), lane, endedAt };
}
