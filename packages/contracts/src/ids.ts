/**
 * Workflow ids and queue names. Only this file builds and parses them.
 *
 * Ids are at most 255 characters (Temporal on SQL stores). A repository's full name is at most 39 + 1 + 100 on GitHub,
 * so a root's name, at most 100, always fits.
 */
import { isConsoleRequest } from './intake/console-request.ts';
import type { ReceivedEvent } from './intake/intake.ts';
import type { PreviewSubject } from './pull-request/pull-request.ts';
import { fullName, type Repository } from './repository.ts';
import { DEFAULT_POOL } from './root.ts';

/** The longest name a root may have, so that every id built from it fits. */
export const ROOT_NAME_LIMIT = 100;

const LANE_SEPARATOR = '||';

/** `<owner>/<repo>||<root>`: the deploy workflow of a root. */
export function laneWorkflowId(repository: Pick<Repository, 'owner' | 'name'>, rootName: string): string {
  return `${fullName(repository)}${LANE_SEPARATOR}${rootName}`;
}

/** The inverse of `laneWorkflowId`; undefined when the id is not that of a deploy workflow. */
export function parseLaneWorkflowId(id: string): { owner: string; name: string; rootName: string } | undefined {
  const match = /^(?<owner>[^/|]+)\/(?<name>[^/|]+)\|\|(?<rootName>.+)$/.exec(id);
  const { owner, name, rootName } = match?.groups ?? {};
  return owner && name && rootName ? { owner, name, rootName } : undefined;
}

/** `<owner>/<repo>#<number>`, with `@<group>` for a group of a merge queue: the workflow that looks after its previews. */
export function pullRequestWorkflowId(
  repository: Pick<Repository, 'owner' | 'name'>,
  { number, group }: PreviewSubject,
): string {
  return `${fullName(repository)}#${number}${group === undefined ? '' : `@${group}`}`;
}

/** The number in `pullRequestWorkflowId`; undefined when the id is not that of a pull request, but of a group, for instance. */
export function parsePullRequestWorkflowId(id: string): number | undefined {
  const digits = /^[^/#]+\/[^/#]+#(?<number>\d{1,9})$/.exec(id)?.groups?.['number'];
  return digits === undefined ? undefined : Number(digits);
}

/** `delivery/<X-GitHub-Delivery>`: the intake workflow of one webhook. */
export function deliveryWorkflowId(delivery: string): string {
  return `delivery/${delivery}`;
}

/** `request/<id>`: the intake workflow of one request from the console. */
export function requestWorkflowId(requestId: string): string {
  return `request/${requestId}`;
}

/** The intake workflow of an event. */
export function intakeWorkflowId({ delivery, event }: Pick<ReceivedEvent, 'delivery' | 'event'>): string {
  return isConsoleRequest(event) ? requestWorkflowId(delivery) : deliveryWorkflowId(delivery);
}

/** `late-outcome/<job id>`: the workflow that shows the outcome of an apply whose deployment has ended already. */
export function lateOutcomeWorkflowId(jobId: string): string {
  return `late-outcome/${jobId}`;
}

/** `force-unlock/<delivery>`: the workflow that frees a lock of a state, as a comment asked. */
export function forceUnlockWorkflowId(delivery: string): string {
  return `force-unlock/${delivery}`;
}

/** `read-token/<deployment id>/<nonce>`: the workflow that gets a host a token for a deployment. */
export function readTokenWorkflowId(deploymentId: string, nonce: string): string {
  return `read-token/${deploymentId}/${nonce}`;
}

/** `identity-token/<deployment id>/<nonce>`: the workflow that gets a host a token by which clouds know a job. */
export function identityTokenWorkflowId(deploymentId: string, nonce: string): string {
  return `identity-token/${deploymentId}/${nonce}`;
}

/** `access/<nonce>`: the workflow that asks which repositories a person may read. */
export function accessWorkflowId(nonce: string): string {
  return `access/${nonce}`;
}

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

/** The inverse of `hostQueue`; undefined when the queue is not that of a host. */
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
  lateOutcome: 'lateOutcome',
  readToken: 'readToken',
  identityToken: 'identityToken',
  repositoryAccess: 'repositoryAccess',
  forceUnlock: 'forceUnlock',
  pullRequest: 'pullRequest',
} as const;

/** The Temporal Schedule of the reconcile workflow. */
export const RECONCILE_SCHEDULE = 'reconcile';

/** The Temporal Schedule of the watch workflow. */
export const WATCH_SCHEDULE = 'watch';

/** The names of the signals and queries that workflows take. */
export const MESSAGE = {
  newRevision: 'new-revision',
  unlock: 'unlock',
  deploymentEnded: 'deployment-ended',
  notice: 'notice',
  showAgain: 'show-again',
  resume: 'resume',
  lookAgain: 'look-again',
  cancel: 'cancel',
  lane: 'lane',
  answer: 'answer',
  knows: 'knows',
  planReview: 'plan-review',
  policyOverride: 'policy-override',
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

/** The type of the failure of a preview that its host interrupted for a deployment: it is planned again as soon as a slot is free. */
export const SLOT_NEEDED = 'SLOT_NEEDED';

/** The type of the failure of an activity whose input its worker has no key for: it did not begin, and another worker may have the key. */
export const PAYLOAD_KEY_MISSING = 'PayloadKeyError';

/** The global that is true in the sandbox of workflows where messages and stacks of their failures are to become payloads. */
export const SEALS_FAILURES = 'nereidSealsFailures';
