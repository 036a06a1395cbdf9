/** Who brought what a deployment brings to its root: nobody of them is the colleague whom `not_author` asks for. */
import type { Deployment, LaneView, Repository } from '@nereid/contracts';
import { together, type Contributors } from '@nereid/github';
import pMap from 'p-map';
import { viewLane } from '../lane/view-lane.ts';
import type { IntakeCall } from './intake-call.ts';

export interface Brought {
  /** Of these revisions, all contributors count. */
  readonly shas: readonly string[];
  /** GitHub logins of people who brought it in another way: they pushed or merged it, or asked for it. */
  readonly people: readonly string[];
  /** Whether more revisions than these brought it. */
  readonly hasMore: boolean;
}

/** A request about one revision, of which no more is known. */
export function broughtBy(sha: string): Brought {
  return { shas: [sha], people: [], hasMore: false };
}

/** Each costs a few requests. A stretch of more merges that were never deployed is a matter for an admin. */
const REVISIONS_ASKED = 20;

export async function broughtWith(
  { context }: IntakeCall,
  repository: Repository,
  deployment: Deployment,
): Promise<Brought> {
  return broughtIn(await viewLane(context, repository, deployment.root.name), deployment);
}

/**
 * What a deployment brings, by the deployments of its lane: its own revision, however often it was deployed, and all revisions
 * of the branch since the last one that was deployed with success.
 */
export function broughtIn(
  lane: Pick<LaneView, 'ended' | 'waiting' | 'running'> | undefined,
  deployment: Deployment,
): Brought {
  const all = [deployment, ...(lane ? othersIn(lane, deployment) : [])];
  const shas = [...new Set(all.map(({ revision }) => revision.sha))];
  return {
    shas: shas.slice(0, REVISIONS_ASKED),
    people: all.flatMap(({ rerun, requestedBy }) => (rerun ? [] : [requestedBy])),
    hasMore: shas.length > REVISIONS_ASKED,
  };
}

function othersIn(
  { ended, waiting, running }: Pick<LaneView, 'ended' | 'waiting' | 'running'>,
  deployment: Deployment,
): readonly Deployment[] {
  const others = ended.filter(({ id }) => id !== deployment.id);
  const sinceDeployed = others.slice(others.findLastIndex(isDeployed) + 1);
  const isBrought = (other: Deployment) =>
    isOnBranch(other) && isOnBranch(deployment) && other.revision.position <= deployment.revision.position;
  return [
    ...others.filter(({ revision }) => revision.sha === deployment.revision.sha),
    ...[...sinceDeployed, ...waiting, ...(running ? [running] : [])].filter(isBrought),
  ];
}

function isDeployed({ progress: { status } }: Deployment): boolean {
  return status === 'succeeded' || status === 'no-changes';
}

function isOnBranch({ trigger, rerun }: Deployment): boolean {
  return trigger === 'merge' || rerun;
}

export async function contributorsOf(
  { context: { github } }: IntakeCall,
  repository: Repository,
  { shas, people, hasMore }: Brought,
): Promise<Contributors> {
  const found = await pMap(shas, (sha) => github.commits.contributors(repository, sha), { concurrency: 4 });
  return together([...found, { logins: people, hasUnknown: hasMore }]);
}
