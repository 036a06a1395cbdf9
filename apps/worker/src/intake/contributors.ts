/** Who brought what a deployment brings to its root: nobody of them is the colleague whom `not_author` asks for. */
import type { Deployment, LaneView, Repository } from '@nereid/contracts';
import { GitHubRefusedError, together, type Contributors } from '@nereid/github';
import pMap from 'p-map';
import { viewLane } from '../lane/view-lane.ts';
import type { IntakeCall } from './intake-call.ts';

export interface Brought {
  /** Of these revisions, all contributors count. */
  readonly shas: readonly string[];
  /** GitHub logins of people who brought it in another way: they pushed or merged it, or asked for it. */
  readonly people: readonly string[];
  /** Whether other revisions may have brought it, too. */
  readonly hasMore: boolean;
}

/** A request about one revision, of which no more is known. */
export function broughtBy(sha: string): Brought {
  return { shas: [sha], people: [], hasMore: false };
}

/** Each costs a few requests. A stretch of more merges that were never deployed is a matter for an admin. */
const REVISIONS_ASKED = 20;

type Known = Pick<LaneView, 'ended' | 'waiting' | 'running' | 'latest'>;

/** Under its former name, a root has another lane. */
export async function broughtWith(
  { context }: IntakeCall,
  repository: Repository,
  deployment: Deployment,
): Promise<Brought> {
  const { formerly, root } = deployment;
  const names = [...(formerly ? [formerly.rootName] : []), root.name];
  const lanes = await Promise.all(names.map((name) => viewLane(context, repository, name)));
  return broughtIn(
    lanes.flatMap((lane) => lane ?? []),
    deployment,
  );
}

/**
 * What a deployment brings, by the deployments of its lanes, the present one last: its own revision, however often it was
 * deployed, and all revisions of the branch that are newer than the last one that was deployed with success.
 */
export function broughtIn(lanes: readonly Known[], deployment: Deployment): Brought {
  const others = lanes
    .flatMap(({ ended, waiting, running }) => [...ended, ...waiting, ...(running ? [running] : [])])
    .filter(({ id }) => id !== deployment.id);
  const deployed = others.findLast((other) => isOnBranch(other) && isDeployed(other));
  // The position of a head that is deployed by hand is on another branch; the head has all of the branch.
  const limit = isOnBranch(deployment) ? deployment.revision.position : Infinity;
  const isBrought = ({ revision: { position } }: Deployment) =>
    position > (deployed?.revision.position ?? -Infinity) && position <= limit;
  const all = [
    deployment,
    ...others.filter(
      (other) => other.revision.sha === deployment.revision.sha || (isOnBranch(other) && isBrought(other)),
    ),
  ];
  const shas = [...new Set(all.map(({ revision }) => revision.sha))];
  const isForgotten = deployed === undefined && lanes.some(({ latest }) => latest !== undefined);
  return {
    shas: shas.slice(0, REVISIONS_ASKED),
    people: all.flatMap(({ rerun, requestedBy }) => (rerun ? [] : [requestedBy])),
    hasMore: isForgotten || shas.length > REVISIONS_ASKED,
  };
}

function isDeployed({ progress: { status } }: Deployment): boolean {
  return status === 'succeeded' || status === 'no-changes';
}

function isOnBranch({ trigger, rerun }: Deployment): boolean {
  return trigger === 'merge' || rerun;
}

/** An earlier revision that GitHub does not give out, after a force-push for instance, is a matter for an admin. */
export async function contributorsOf(
  { context: { github } }: IntakeCall,
  repository: Repository,
  { shas, people, hasMore }: Brought,
): Promise<Contributors> {
  const found = await pMap(
    shas,
    async (sha, index) => {
      try {
        return await github.commits.contributors(repository, sha);
      } catch (error) {
        const isGone = error instanceof GitHubRefusedError && [404, 422].includes(error.status);
        if (index === 0 || !isGone) throw error;
        return { logins: [], hasUnknown: true };
      }
    },
    { concurrency: 4 },
  );
  return together([...found, { logins: people, hasUnknown: hasMore }]);
}
