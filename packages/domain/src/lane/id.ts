import { fullName, type Repository } from '../root/repository.ts';

const LANE_SEPARATOR = '||';

/** `<owner>/<repo>||<root>`: the deploy workflow of a root. */
export function laneWorkflowId(repository: Pick<Repository, 'owner' | 'name'>, rootName: string): string {
  return `${fullName(repository)}${LANE_SEPARATOR}${rootName}`;
}

/** The inverse of `laneWorkflowId`; undefined when the id does not belong to a deploy workflow. */
export function parseLaneWorkflowId(id: string): { owner: string; name: string; rootName: string } | undefined {
  const match = /^(?<owner>[^/|]+)\/(?<name>[^/|]+)\|\|(?<rootName>.+)$/.exec(id);
  const { owner, name, rootName } = match?.groups ?? {};
  return owner && name && rootName ? { owner, name, rootName } : undefined;
}
