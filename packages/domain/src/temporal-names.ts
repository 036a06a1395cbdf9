/**
 * The names that all processes share in Temporal: workflows, their messages, task queues, failures. Only this file builds and
 * parses them.
 */
import { DEFAULT_POOL } from './root/model.ts';

/** The task queue of control workers: workflows and their short activities. */
export const CONTROL_QUEUE = 'deploy';

/** The task queue on which control workers look at pull requests: a few at once, so that hundreds of them wait in Temporal. */
export const LOOK_QUEUE = 'pull-requests';

/** `terraform`, `terraform/<pool>` for a pool with a name: the task queue on which its hosts with a free slot answer claims. */
export function claimQueue(pool: string): string {
  return pool === DEFAULT_POOL ? 'terraform' : `terraform/${pool}`;
}

/** The same for claims of previews: a host that has no more room for those still answers the claims of deployments. */
export function previewClaimQueue(pool: string): string {
  return pool === DEFAULT_POOL ? 'terraform-previews' : `terraform-previews/${pool}`;
}

/** `terraform@<host id>`: the task queue of everything that touches one host's disk. */
export function hostQueue(hostId: string): string {
  return `${HOST_QUEUE_PREFIX}${hostId}`;
}

/** The inverse of `hostQueue`; undefined when the queue does not belong to a host. */
export function hostOfQueue(queue: string): string | undefined {
  return queue.startsWith(HOST_QUEUE_PREFIX) ? queue.slice(HOST_QUEUE_PREFIX.length) : undefined;
}

const HOST_QUEUE_PREFIX = 'terraform@';

/** The names under which the workflows are registered. */
export const WORKFLOW = {
  intake: 'intake',
  deploy: 'deploy',
  terraform: 'terraform',
  reconcile: 'reconcile',
  watch: 'watch',
  retention: 'retention',
  ask: 'ask',
  forceUnlock: 'forceUnlock',
  waveCheck: 'waveCheck',
  pullRequest: 'pullRequest',
  rollout: 'rollout',
} as const;

/** The Temporal Schedule of the reconcile workflow. */
export const RECONCILE_SCHEDULE = 'reconcile';

/** The Temporal Schedule of the watch workflow. */
export const WATCH_SCHEDULE = 'watch';

/** The Temporal Schedule of the retention workflow. */
export const RETENTION_SCHEDULE = 'retention';

/** The names of the signals and queries that workflows take. */
export const MESSAGE = {
  newRevision: 'new-revision',
  unlock: 'unlock',
  deploymentEnded: 'deployment-ended',
  notice: 'notice',
  showAgain: 'show-again',
  resume: 'resume',
  lookAgain: 'look-again',
  askAgain: 'ask-again',
  cancel: 'cancel',
  lane: 'lane',
  answer: 'answer',
  knows: 'knows',
  planReview: 'plan-review',
  policyOverride: 'policy-override',
  extend: 'extend',
  cancelling: 'cancelling',
  progress: 'progress',
  look: 'look',
  previewEnded: 'preview-ended',
} as const;

/** Search attributes of deploy and terraform workflows, all Keywords. A watch workflow has only the state. */
export const SEARCH_ATTRIBUTE = {
  repository: 'NereidRepository',
  root: 'NereidRoot',
  revision: 'NereidRevision',
  state: 'NereidState',
} as const;

/** The type of the failure with which a returning worker ends the activities that it was running when it was lost. */
export const WORKER_LOST = 'WORKER_LOST';

/**
 * The type of the failure of a preview that its host interrupted for a deployment: it is planned again as soon as a slot is free.
 */
export const SLOT_NEEDED = 'SLOT_NEEDED';

/** The code of a failure to permit an apply: its plan has to be made again. */
export const PLAN_TOO_OLD = 'PLAN_TOO_OLD';

/** The same, because it was confirmed too long ago. */
export const APPROVAL_EXPIRED = 'APPROVAL_EXPIRED';

/**
 * The type of the failure of an activity whose input its worker has no key for: it did not begin, and another worker may have the
 * key.
 */
export const PAYLOAD_KEY_MISSING = 'PayloadKeyError';

/** The global that is true in the sandbox of workflows where messages and stacks of their failures are to become payloads. */
export const SEALS_FAILURES = 'nereidSealsFailures';
