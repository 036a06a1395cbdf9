/**
 * What a lane waits for or suffers from, as a sentence whose parts lead to what they name. The rules are those of the lane; it is
 * said here only once for all pages and the API. Pure.
 */
import type { LaneState, SentenceLink } from '@nereid/api';
import type { LaneName } from '@nereid/domain/console';
import { shortSha } from '@nereid/domain/deployment';
import { type Undeployed, describeLock, failureLeft } from '@nereid/domain/lane';
import { namePolicies } from '@nereid/domain/gates';
import { STATUS_LOOK } from '@nereid/domain/looks';
import { rootsAwaited } from '@nereid/domain/rollout';
import { capitalised } from '@nereid/domain/words';
import { deploymentPath, lanePath } from '../platform/html/paths.ts';
import type { FleetDeployment, FleetLane } from './fleet-lane.ts';

export type SentencePart = string | SentenceLink;

/** Empty where there is nothing to say. */
export function laneSentence(lane: FleetLane, state: LaneState): readonly SentencePart[] {
  switch (state) {
    case 'unreadable':
      return ['The record of this lane cannot be read: the log of the console says why.'];
    case 'stuck':
      return ['Its workflow fails again and again: an operator has to look at it', behind(lane.waiting), '.'];
    case 'review':
    case 'applying':
    case 'planning':
      return lane.running === undefined ? [] : [...runningParts(lane, lane.running), behind(lane.waiting), '.'];
    case 'outcome-unknown':
    case 'locked':
    case 'failed':
      return [...stoppedParts(lane), behind(lane.waiting), '.'];
    case 'undeployed':
      return undeployedParts(lane);
    case 'waiting':
      return waitingParts(lane);
    case 'idle':
      return [];
  }
}

function runningParts(lane: FleetLane, running: FleetDeployment): readonly SentencePart[] {
  const { status } = running;
  if (status === 'awaiting-review') return reviewParts(lane, running);
  // The state of the lane says what it does, but for what comes before the plan.
  if (status === 'planning' || status === 'applying') return nameOf(lane, running);
  return [`${STATUS_LOOK[status].word}: `, ...nameOf(lane, running)];
}

/** As its check run says: policies come before the review, and the apply after it. */
function reviewParts(
  lane: FleetLane,
  { id, review = 'a review', reviewWait = {} }: FleetDeployment,
): readonly SentencePart[] {
  const deployment = { text: `deployment ${id.slice(0, ID_SHOWN)}`, path: deploymentPath(id, lane) };
  const { objecting = [], answered, changes } = reviewWait;
  if (answered) return [`@${answered.by} ${answered.how} `, deployment, ', whose apply has not begun'];
  const does = changes === undefined ? [] : [` (${changes})`];
  if (objecting.length === 0) return [`Waiting for ${review} of `, deployment, ...does];
  const denies = `${capitalised(namePolicies(objecting))} ${objecting.length === 1 ? 'denies' : 'deny'} the plan of `;
  return [denies, deployment, ': it waits for an owner to override that'];
}

/** As many as the command line takes for a deployment. */
const ID_SHOWN = 8;

function stoppedParts(lane: FleetLane): readonly SentencePart[] {
  const { lock, latest } = lane;
  if (lock) return ['Locked by ', { text: describeLock(lock), path: deploymentPath(lock.deploymentId, lane) }];
  if (latest === undefined) return ['The last apply failed'];
  const revision = { text: shortSha(latest.revision), path: deploymentPath(latest.deploymentId, lane) };
  return ['The apply of ', revision, latest.status === 'apply-failed' ? ' failed' : ' was interrupted'];
}

function undeployedParts(lane: FleetLane): readonly SentencePart[] {
  const failure = failureLeft(lane.undeployed);
  if (failure === undefined) return [];
  const { deploymentId, revision, requestedBy, reason } = failure;
  const sha = { text: shortSha(revision.sha), path: deploymentPath(deploymentId, lane) };
  const [before, after] = HOW[failure.status] ?? ['The deployment of ', ' did not take effect'];
  return [before, sha, ` by @${requestedBy}${after}`, reason === undefined ? '.' : `: ${ended(reason)}`];
}

const HOW: Readonly<Partial<Record<Undeployed['status'], readonly [before: string, after: string]>>> = {
  'plan-failed': ['The plan of ', ' failed'],
  'host-lost': ['The host that worked on ', ' was lost before anything was applied'],
  expired: ['The plan of ', ' got no review in time'],
  refused: ['The deployment of ', ' was refused'],
};

function waitingParts(lane: FleetLane): readonly SentencePart[] {
  const { running, waiting, waitsFor } = lane;
  if (running) {
    const reason = running.reason ?? REASON_UNKNOWN[running.status] ?? 'it is next';
    const parts = running.waitsFor === 'host' ? linked(reason, [{ text: 'host', path: 'hosts' }]) : [reason];
    return [...nameOf(lane, running), ': ', ...parts, behind(waiting), '.'];
  }
  const [first, ...others] = waiting;
  if (first === undefined) return [];
  if (waitsFor === undefined) return [`${capitalised(countOf(waiting.length))}.`];
  const roots = rootsAwaited(waitsFor).map((rootName) => ({ text: rootName, path: lanePath({ ...lane, rootName }) }));
  if (roots.length === 0) return [`${capitalised(countOf(waiting.length))}: ${waitsFor}.`];
  return [...nameOf(lane, first), ' ', ...linked(waitsFor, roots), behind(others), '.'];
}

/** Lists read the records of lanes, and only the workflow of a deployment knows at which gate it waits before its apply. */
const REASON_UNKNOWN: Readonly<Partial<Record<FleetDeployment['status'], string>>> = {
  blocked: 'it waits, and its page says for what',
};

/** The text, in which the links are found one after another; one that is not in it is left out. */
export function linked(text: string, links: readonly SentenceLink[]): readonly SentencePart[] {
  const [link, ...others] = links;
  if (link === undefined) return [text];
  const at = text.indexOf(link.text);
  if (at === -1) return linked(text, others);
  return [text.slice(0, at), link, ...linked(text.slice(at + link.text.length), others)];
}

function nameOf(lane: LaneName, { id, revision, requestedBy }: FleetDeployment): readonly SentencePart[] {
  return [{ text: shortSha(revision.sha), path: deploymentPath(id, lane) }, ` by @${requestedBy}`];
}

function behind(waiting: readonly FleetDeployment[]): string {
  return waiting.length === 0 ? '' : `; ${countOf(waiting.length)} behind it`;
}

function countOf(count: number): string {
  return count === 1 ? 'one deployment waits' : `${count} deployments wait`;
}

function ended(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
