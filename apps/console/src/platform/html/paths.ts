/** The paths of pages, from the console's top. */
import type { LaneName } from '@nereid/domain/console';
import { fullName } from '@nereid/domain/root';

export function lanesPath(repository: string): string {
  return `lanes?${new URLSearchParams({ repository }).toString()}`;
}

export function pullPath(repository: string, number: number): string {
  return `pulls/${repository}/${number}`;
}

export function rolloutPath(repository: string, sha: string): string {
  return `rollouts/${repository}/${sha}`;
}

export function lanePath(lane: LaneName): string {
  return `lanes/${fullName(lane)}/${lane.rootName}`;
}

export function deploymentPath(id: string, lane: LaneName): string {
  return `deployments/${id}?${ofLane(lane)}`;
}

export function planPath(id: string, lane: LaneName): string {
  return `deployments/${id}/plan?${ofLane(lane)}`;
}

function ofLane(lane: LaneName): string {
  return new URLSearchParams({ lane: `${fullName(lane)}/${lane.rootName}` }).toString();
}
