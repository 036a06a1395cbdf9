/** The records that Nereid would have of a week, once its commits are known. Pure. */
import type { Deployment, DeploymentRecord, EndedStatus } from '@nereid/domain/deployment';
import {
  type LaneRecord,
  type Latest,
  type Undeployed,
  hasHappened,
  laterOf,
  latestOf,
  lockAfter,
  undeployedAfter,
} from '@nereid/domain/lane';
import type { Repository, Root } from '@nereid/domain/root';
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
  const { last, latest, undeployed } = ended.reduce<Left>(withEnd, { undeployed: [] });
  const lock = last && lockAfter({ ...last, at: last.deployment.receivedAt }, { ...last, at: last.endedAt });
  const all = ended.map(({ deployment }) => deployment);
  return {
    ...{ version: 1, repository, rootName: root.name, manual: [], merged: [] },
    ...(latest && { latest }),
    ...(lock && { lock }),
    ...(undeployed.length > 0 && { undeployed }),
    seen: {
      requestIds: all.map(({ requestId }) => requestId),
      merges: all.filter(({ trigger }) => trigger === 'merge').map(({ revision }) => revision.sha),
    },
    writer: { runId: all.at(-1)?.id ?? '', sequence: all.length },
  };
}

/** What is left of all that has ended. */
interface Left {
  /** The last one that took effect. */
  readonly last?: Ended;
  readonly latest?: Latest;
  readonly undeployed: readonly Undeployed[];
}

function withEnd(before: Left, one: Ended): Left {
  const { deployment, status, endedAt } = one;
  const after = hasHappened(status) ? withEffect(before, one) : before;
  return { ...after, undeployed: undeployedAfter({ ...before, latest: after.latest }, [deployment], endedAt) };
}

function withEffect(before: Left, last: Ended): Left {
  const own = latestOf(last.deployment, last.endedAt);
  return { ...before, last, latest: laterOf(before.latest, own) ?? own };
}
