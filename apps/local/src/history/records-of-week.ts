/** The records that Nereid would have of a week, once its commits are known. Pure. */
import type {
  Deployment,
  DeploymentRecord,
  EndedStatus,
  LaneRecord,
  Latest,
  Repository,
  Root,
  Undeployed,
} from '@nereid/contracts';
import { hasHappened, laterOf, latestOf, lockAfter, undeployedAfter } from '@nereid/lane';
import type { DeployedRoot } from '../stack/own-states.ts';
import type { MadeUpDeployment, RepositoryWeek } from './week.ts';

export interface RecordsOfWeek {
  readonly lanes: readonly LaneRecord[];
  readonly deployments: readonly DeploymentRecord[];
}

/** The head of each pull request, which is also its commit on the default branch once it is merged. */
export type ShaOf = (number: number) => string;

export function recordsOfWeek(week: RepositoryWeek, installationId: number, shaOf: ShaOf): RecordsOfWeek {
  const { owner, name, roots } = week.repository;
  const repository: Repository = { owner, name, installationId };
  const ended = week.deployments.map((made): Ended => {
    const { status, endedAt } = made;
    return { deployment: deploymentOf(week, made, shaOf), status, endedAt };
  });
  const lanes = roots.flatMap((root) => {
    const ofRoot = ended.filter(({ deployment }) => deployment.root.name === root.name);
    return ofRoot.length === 0 ? [] : [laneOf(repository, root, ofRoot)];
  });
  const deployments = ended.map(
    ({ deployment, endedAt }) => ({ version: 1, repository, deployment, endedAt }) as const,
  );
  return { lanes, deployments };
}

interface Ended {
  readonly deployment: Deployment;
  readonly status: EndedStatus;
  readonly endedAt: string;
}

function deploymentOf({ changes }: RepositoryWeek, made: MadeUpDeployment, shaOf: ShaOf): Deployment {
  const { id, requestId, root, number, trigger, rerun, requestedBy, receivedAt, progress } = made;
  const change = changes[number - 1];
  const mergedBefore = changes.slice(0, number - 1).filter(({ merged }) => merged !== undefined).length;
  const isMerged = change?.merged !== undefined;
  return {
    ...{ id, requestId, trigger, rerun, requestedBy, receivedAt, progress },
    root: rootOf(root),
    revision: {
      sha: shaOf(number),
      branch: isMerged ? 'main' : (change?.branch ?? ''),
      // After the first commit of the repository.
      position: mergedBefore + 2,
      title: isMerged ? `${change.title} (#${number})` : (change?.title ?? ''),
      author: change?.author ?? '',
    },
    force: false,
    pullRequest: number,
    checkRuns: [],
  };
}

function rootOf({ name, planReview, onFailure }: DeployedRoot): Root {
  return {
    ...{ name, dir: name, workspace: 'default', distribution: 'terraform', planReview, queue: 'every', onFailure },
    varFiles: [],
    timeoutMs: { plan: 3_600_000, apply: 3_600_000 },
    steps: {
      plan: [
        { kind: 'init', extraArgs: [] },
        { kind: 'plan', extraArgs: [] },
      ],
      apply: [{ kind: 'apply', extraArgs: [] }],
    },
    permissions: {},
  };
}

/** Nothing runs and nothing waits, so nobody has to resume it. */
function laneOf(repository: Repository, root: DeployedRoot, ended: readonly Ended[]): LaneRecord {
  const last = ended.findLast(({ status }) => hasHappened(status));
  const lock =
    last && lockAfter({ ...last, at: last.deployment.receivedAt, jobIds: [] }, { ...last, at: last.endedAt });
  const all = ended.map(({ deployment }) => deployment);
  const latest = ended
    .filter(({ status }) => hasHappened(status))
    .map(({ deployment, endedAt }) => latestOf(deployment, endedAt))
    .reduce<Latest | undefined>(laterOf, undefined);
  const left = ended.reduce<readonly Undeployed[]>(
    (undeployed, { deployment, endedAt }) => undeployedAfter({ undeployed, latest }, [deployment], endedAt),
    [],
  );
  return {
    ...{ version: 1, repository, rootName: root.name, manual: [], merged: [] },
    ...(latest && { latest }),
    ...(lock && { lock }),
    ...(left.length > 0 && { undeployed: left }),
    seen: {
      requestIds: all.map(({ requestId }) => requestId),
      merges: all.filter(({ trigger }) => trigger === 'merge').map(({ revision }) => revision.sha),
    },
    writer: { runId: all.at(-1)?.id ?? '', sequence: all.length },
  };
}
