/** A lane as lists show it. Pure. */
import type { Deployed, DeploymentBrief, LaneState, LaneSummary } from '@nereid/api';
import { fullName, shortSha } from '@nereid/contracts';
import { checkRunUrl, type LaneName } from '@nereid/github';
import { describeLock } from '@nereid/lane';
import { STATUS_LOOK } from '../deployments/status.ts';
import { keyOf, type FleetDeployment, type FleetLane } from './fleet.ts';

export function laneSummaryOf(lane: FleetLane, githubUrl: string): LaneSummary {
  const { rootName, latest, lock, running, waiting } = lane;
  const state = stateOf(lane);
  const sentence = sentenceOf(lane, state);
  const since = sinceOf(lane, state);
  return {
    repository: fullName(lane),
    rootName,
    state,
    ...(sentence !== undefined && { sentence }),
    ...(since !== undefined && { since }),
    ...(latest && { deployed: deployedOf(latest) }),
    ...(lock && { lock: { kind: lock.kind, by: lock.by, at: lock.at, sentence: describeLock(lock) } }),
    ...(running && { running: briefOf(running, lane, githubUrl) }),
    waiting: waiting.length,
  };
}

/** What runs says more than what it has to go past. */
function stateOf({ running, lock, latest, waiting, isUnreadable }: FleetLane): LaneState {
  if (isUnreadable) return 'unreadable';
  if (running) return RUNNING[running.status] ?? 'planning';
  if (lock?.kind === 'outcome-unknown') return 'outcome-unknown';
  if (lock?.kind === 'failed' || FAILED.includes(latest?.status ?? 'succeeded')) return 'failed';
  if (lock) return 'locked';
  return waiting.length > 0 ? 'waiting' : 'idle';
}

/** Nobody has repaired what it left behind, or has said so. */
const FAILED: readonly string[] = ['apply-failed', 'apply-outcome-unknown'];

const RUNNING: Readonly<Partial<Record<FleetDeployment['status'], LaneState>>> = {
  queued: 'waiting',
  blocked: 'waiting',
  'awaiting-review': 'review',
  applying: 'applying',
};

function sentenceOf({ running, lock, latest, waiting, waitsFor }: FleetLane, state: LaneState): string | undefined {
  const behind = waiting.length === 0 ? '' : `; ${countOf(waiting.length)} behind it`;
  switch (state) {
    case 'unreadable':
      return 'The record of this lane cannot be read: the log of the console says why.';
    case 'review':
      return `The plan of ${nameOf(running)} waits for a person to confirm or reject it${behind}.`;
    case 'applying':
    case 'planning':
      return `${stepOf(running)}${nameOf(running)}${behind}.`;
    case 'outcome-unknown':
    case 'locked':
    case 'failed':
      if (lock) return `Locked by ${describeLock(lock)}${behind}.`;
      return `The apply of ${latest === undefined ? 'the last commit' : shortSha(latest.revision)} ${latest?.status === 'apply-failed' ? 'failed' : 'was interrupted'}${behind}.`;
    case 'waiting':
      if (running) return `${nameOf(running)}: ${running.reason ?? 'its turn comes'}${behind}.`;
      return `${capitalised(countOf(waiting.length))}${waitsFor === undefined ? '' : `: ${waitsFor}`}.`;
    case 'idle':
      return undefined;
  }
}

/** The state says what it does, but for what comes before the plan. */
function stepOf(running: FleetDeployment | undefined): string {
  if (running === undefined || running.status === 'planning' || running.status === 'applying') return '';
  return `${STATUS_LOOK[running.status].headline}: `;
}

function nameOf(deployment: FleetDeployment | undefined): string {
  return deployment === undefined
    ? 'a deployment'
    : `${shortSha(deployment.revision.sha)} by @${deployment.requestedBy}`;
}

function countOf(count: number): string {
  return count === 1 ? 'one deployment waits' : `${count} deployments wait`;
}

function capitalised(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function sinceOf({ running, lock, latest, waiting }: FleetLane, state: LaneState): string | undefined {
  if (running) return running.receivedAt;
  if (state === 'idle') return latest?.at;
  return lock?.at ?? waiting[0]?.receivedAt ?? latest?.at;
}

function deployedOf({ deploymentId, revision, at, trigger, status }: NonNullable<FleetLane['latest']>): Deployed {
  return { deploymentId, sha: revision, at, trigger, status };
}

export function briefOf(
  { id, revision, trigger, rerun, requestedBy, status, receivedAt, checkRunId }: FleetDeployment,
  lane: LaneName,
  githubUrl: string,
): DeploymentBrief {
  return {
    ...{ id, sha: revision.sha, title: revision.title, trigger, rerun, requestedBy, status, receivedAt },
    path: `deployments/${id}?${new URLSearchParams({ lane: keyOf(lane) }).toString()}`,
    ...(checkRunId !== undefined && { checkRun: checkRunUrl(githubUrl, lane, checkRunId) }),
  };
}
