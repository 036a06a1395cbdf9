/**
 * After a failed apply, has the last good revision of the root planned: read-only, and without the lock of the state, like the plan
 * of a pull request. Everything that decides is read from storage: anybody who reaches Temporal can ask for one.
 */
import { placeOf, policyFor, settingsFor, type RepositoryPolicy } from '@nereid/config';
import { defined } from '@nereid/domain/defined';
import {
  queuedProgress,
  revertIdOf,
  shortSha,
  type Deployment,
  type DeploymentRecord,
  type PreviewParents,
  type Reverting,
  type RevertRequest,
} from '@nereid/domain/deployment';
import type { NewRevision } from '@nereid/domain/lane';
import { fullName, poolOf, type Repository, type Root } from '@nereid/domain/root';
import { isRefused } from '@nereid/forge';
import { RevisionGoneError } from '@nereid/git';
import { isDeepStrictEqual } from 'node:util';
import { orderDeployment } from '../../lane/order-deployment.ts';
import type { WorkerContext } from '../../platform/context.ts';
import { findIn } from '../../root/discover.ts';
import type { RevisionTools } from '../../root/revision-tools.ts';
import { placeIdOf } from '../../root/root-place.ts';
import { planLimited, PREVIEW_LIFE_MS, startPreview } from '../start-preview.ts';
import { lastGood, type LastGood } from './last-good.ts';

/** Returns a sentence for the Temporal UI. */
export async function prepareRevert(tools: RevisionTools, request: RevertRequest): Promise<string> {
  const { repository, rootName, deploymentId } = request;
  const policy = policyFor(tools.context.server.current(), fullName(repository));
  if (policy === undefined) return `${fullName(repository)} is not allowed`;
  const failed = await findFailed(tools.context, request);
  if (failed === undefined) return `there is no failed apply ${deploymentId} of a merge to ${rootName}`;
  const { deployment } = failed;
  if (settingsFor(policy, placeOf(deployment.root)).prepareRevert === false) return 'prepare_revert is false';
  const good = await lastGood(tools.context, failed);
  if (typeof good === 'string') return good;
  const root = await rootBefore(tools, policy, failed, good.revision.sha);
  if (typeof root === 'string') return root;
  await planOnce(tools, failed, { good, root });
  return `the plan to go back to ${shortSha(good.revision.sha)} is ${revertIdOf(deploymentId)}`;
}

/** A deployment by hand is on no branch, so nobody could go back by a revert. */
async function findFailed(
  { deploymentRecords, begunApplies }: WorkerContext,
  { repository, rootName, deploymentId }: RevertRequest,
): Promise<DeploymentRecord | undefined> {
  const record = await deploymentRecords.find(repository, rootName, deploymentId);
  if (record === undefined) return undefined;
  const { trigger, rerun, root, progress } = record.deployment;
  if (trigger !== 'merge' && !rerun) return undefined;
  if (progress.status === 'apply-failed') return record;
  if (progress.status !== 'apply-outcome-unknown') return undefined;
  const marker = await begunApplies.of(poolOf(root)).read(deploymentId);
  return marker?.outcome?.kind === 'failed' ? record : undefined;
}

/** The root as that revision has it, with the server's settings of today; or why it is not planned. */
async function rootBefore(
  tools: RevisionTools,
  policy: RepositoryPolicy,
  { repository, deployment: { root } }: DeploymentRecord,
  sha: string,
): Promise<Root | string> {
  try {
    const found = await findIn(tools, { repository, policy, sha, names: [root.name] });
    const [before] = found.kind === 'roots' ? found.roots : [];
    if (before === undefined) return `${shortSha(sha)} has no root ${root.name} that can be planned`;
    const isSamePlace = isDeepStrictEqual(placeIdOf(repository, before), placeIdOf(repository, root));
    return isSamePlace ? before : `${root.name} was in another directory or workspace at ${shortSha(sha)}`;
  } catch (error) {
    if (!(error instanceof RevisionGoneError)) throw error;
    return `${shortSha(sha)} is gone`;
  }
}

interface Back {
  readonly good: LastGood;
  readonly root: Root;
}

/** Another attempt starts what the first one has stored. */
async function planOnce(tools: RevisionTools, failed: DeploymentRecord, back: Back): Promise<void> {
  const { repository, deployment } = failed;
  const { name } = deployment.root;
  const { pullRequestRecords } = tools.context;
  const id = revertIdOf(deployment.id);
  const known = await pullRequestRecords.readPreview(repository, name, id);
  if (known === undefined)
    await pullRequestRecords.openPreview({
      version: 1,
      repository,
      deployment: await orderRevert(tools.context, failed, back),
    });
  const stored = known ?? (await pullRequestRecords.readPreview(repository, name, id));
  if (stored !== undefined && stored.endedAt === undefined) await startPreview(tools, repository, stored.deployment);
}

async function orderRevert(context: WorkerContext, record: DeploymentRecord, back: Back): Promise<Deployment> {
  const { repository, deployment: failed } = record;
  const { requestedBy, requestedById } = failed;
  const now = Date.now();
  const request: NewRevision = {
    version: 1,
    requestId: `revert:${failed.id}`,
    root: planLimited(back.root),
    revision: back.good.revision,
    trigger: 'preview',
    rerun: false,
    force: false,
    requestedBy,
    ...defined({ requestedById }),
    preview: await previewOf(context, record, back.good, now),
  };
  const ordered = await orderDeployment(context, repository, request, revertIdOf(failed.id));
  const { deploymentId: id, version: _message, ...asked } = ordered;
  const receivedAt = new Date(now).toISOString();
  return { ...asked, id, receivedAt, progress: queuedProgress(receivedAt), checkRuns: [] };
}

async function previewOf(
  context: WorkerContext,
  { repository, deployment: failed }: DeploymentRecord,
  good: LastGood,
  now: number,
): Promise<PreviewParents> {
  return {
    headSha: failed.revision.sha,
    baseSha: good.revision.sha,
    expiresAt: new Date(now + PREVIEW_LIFE_MS).toISOString(),
    // The check run of the failed apply shows it.
    isOnlyInTable: true,
    reverts: await revertingOf(context, repository, failed, good),
  };
}

async function revertingOf(
  context: WorkerContext,
  repository: Repository,
  failed: Deployment,
  { revision, isOnBranch, deployedAt, ...good }: LastGood,
): Promise<Reverting> {
  const between = isOnBranch ? failed.revision.position - revision.position - 1 : -1;
  const pullRequest = await pullRequestOf(context, repository, failed.revision.sha);
  const toPullRequest = good.pullRequest ?? (await pullRequestOf(context, repository, revision.sha));
  return {
    deploymentId: failed.id,
    ...defined({ pullRequest, toPullRequest, deployedAt }),
    ...(between >= 0 && { between }),
  };
}

/** Of several, nobody knows which one brought the commit; and one that only has it, unmerged, brought nothing. */
async function pullRequestOf(
  { forge }: WorkerContext,
  repository: Repository,
  sha: string,
): Promise<number | undefined> {
  try {
    const [number, ...others] = await forge.commits.pullRequests(repository, sha);
    if (number === undefined || others.length > 0) return undefined;
    return (await forge.pullRequests.get(repository, number)).merged ? number : undefined;
  } catch (error) {
    if (!isRefused(error)) throw error;
    return undefined;
  }
}
