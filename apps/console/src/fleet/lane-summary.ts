/** A lane as lists show it. Pure. */
import type { Behind, BehindRevision, Deployed, DeploymentBrief, LaneState, LaneSummary } from '@nereid/api';
import type { LaneName } from '@nereid/domain/console';
import { defined } from '@nereid/domain/defined';
import { type Latest, describeLock, failureLeft, revisionsBehind, UNDEPLOYED_LIMIT } from '@nereid/domain/lane';
import { fullName } from '@nereid/domain/root';
import type { Pages } from '@nereid/forge';
import { deploymentPath } from '../platform/html/paths.ts';
import type { FleetDeployment, FleetLane } from './fleet-lane.ts';
import { laneSentence } from './lane-sentence.ts';

export function laneSummaryOf(lane: FleetLane, forgePages: Pages): LaneSummary {
  const { rootName, latest, lock, running, waiting, isUnreadable } = lane;
  const state = stateOf(lane);
  const parts = laneSentence(lane, state);
  const links = parts.flatMap((part) => (typeof part === 'string' ? [] : [part]));
  const since = sinceOf(lane, state);
  return {
    repository: fullName(lane),
    rootName,
    state,
    ...(parts.length > 0 && { sentence: parts.map((part) => (typeof part === 'string' ? part : part.text)).join('') }),
    ...(links.length > 0 && { links }),
    ...defined({ since }),
    ...(running?.reviewWait?.endsAt !== undefined && { endsAt: running.reviewWait.endsAt }),
    ...(latest && { deployed: deployedOf(latest) }),
    ...(lock && { lock: lockOf(lock) }),
    ...(running && { running: briefOf(running, lane, forgePages) }),
    waiting: waiting.length,
    ...(!isUnreadable && { behind: behindOf(lane) }),
  };
}

/** What runs says more than what it has to go past, and what waits more than what a newer one may repair. */
function lockOf(lock: NonNullable<FleetLane['lock']>): NonNullable<LaneSummary['lock']> {
  const { kind, deploymentId, by, at } = lock;
  return { kind, deploymentId, by, at, sentence: describeLock(lock) };
}

function stateOf({ running, lock, latest, waiting, undeployed, isUnreadable, isStuck }: FleetLane): LaneState {
  if (isUnreadable) return 'unreadable';
  if (isStuck) return 'stuck';
  if (running) return running.waitsFor === 'host' ? 'waiting' : (RUNNING[running.status] ?? 'planning');
  if (lock?.kind === 'outcome-unknown') return 'outcome-unknown';
  if (lock?.kind === 'failed' || FAILED.includes(latest?.status ?? 'succeeded')) return 'failed';
  if (lock) return 'locked';
  if (waiting.length > 0) return 'waiting';
  return failureLeft(undeployed) === undefined ? 'idle' : 'undeployed';
}

/** Nobody has repaired what it left behind, or has said so. */
const FAILED: readonly string[] = ['apply-failed', 'apply-outcome-unknown'];

const RUNNING: Readonly<Partial<Record<FleetDeployment['status'], LaneState>>> = {
  queued: 'waiting',
  blocked: 'waiting',
  'awaiting-review': 'review',
  applying: 'applying',
};

function sinceOf({ running, lock, latest, waiting, undeployed }: FleetLane, state: LaneState): string | undefined {
  if (running) return running.reviewWait?.since ?? running.receivedAt;
  if (state === 'idle') return latest?.at;
  if (state === 'undeployed') return failureLeft(undeployed)?.at;
  return lock?.at ?? waiting[0]?.receivedAt ?? latest?.at;
}

function behindOf(lane: FleetLane): Behind {
  const revisions = revisionsBehind(lane);
  const [newest] = revisions;
  return {
    revisions: revisions.length,
    isAtLeast: lane.undeployed.length >= UNDEPLOYED_LIMIT,
    ...(newest && { newest: { sha: newest.revision.sha, title: newest.revision.title } }),
  };
}

/** At most `limit`, the newest first. */
export function behindRevisionsOf(lane: FleetLane, limit: number): BehindRevision[] {
  return revisionsBehind(lane)
    .slice(0, limit)
    .map((one) => ({
      sha: one.revision.sha,
      title: one.revision.title,
      status: one.status,
      path: deploymentPath('deploymentId' in one ? one.deploymentId : one.id, lane),
    }));
}

export function deployedOf({ deploymentId, revision, at, trigger, status }: Latest): Deployed {
  return { deploymentId, sha: revision, at, trigger, status };
}

/** `carrierStatus`: how far the one is that carries a skipped one, where that is known. */
export function briefOf(
  {
    id,
    revision,
    trigger,
    rerun,
    requestedBy,
    status,
    receivedAt,
    checkRunId,
    carrier,
    applied,
    reviewers = [],
  }: FleetDeployment,
  lane: LaneName,
  forgePages: Pages,
  carrierStatus?: FleetDeployment['status'],
): DeploymentBrief {
  return {
    ...{ id, sha: revision.sha, title: revision.title, trigger, rerun, requestedBy, status, receivedAt },
    path: deploymentPath(id, lane),
    ...(checkRunId !== undefined && { checkRun: forgePages.status(lane, checkRunId) }),
    ...defined({ applied }),
    ...(status === 'awaiting-review' && reviewers.length > 0 && { reviewers: [...reviewers] }),
    ...(carrier && {
      carrier: {
        sha: carrier.revision,
        path: deploymentPath(carrier.deploymentId, lane),
        ...defined({ status: carrierStatus }),
      },
    }),
  };
}
