/** An event of the audit trail, as people read it. Pure. */
import type { ActivityEntry } from '@nereid/api';
import {
  shortSha,
  type HostActionAuditEvent,
  type JobAuditEvent,
  type TrailEvent,
  type UserActionAuditEvent,
} from '@nereid/contracts';

/** `at` is the time under which the trail keeps the event. */
export function activityEntryOf(event: TrailEvent, at: string): ActivityEntry {
  const { id, state } = event;
  if (state === 'FORGED')
    return { id, at, state, action: 'forged', deploymentId: event.about, sentence: event.sentence };
  if ('hostId' in event) {
    const { action, initiatingUser, hostId } = event;
    return { id, at, state, action, person: initiatingUser, hostId, sentence: describeHostAction(event) };
  }
  const { repository, initiatingUser: person, revision, pullRequest } = event;
  const common = { id, at, state, repository, person, ...(pullRequest !== undefined && { pullRequest }) };
  const about = { ...common, ...(revision !== undefined && { revision }) };
  if ('jobId' in event) {
    const { rootName, deploymentId, approvedBy } = event;
    const approval = approvedBy !== undefined && { approvedBy };
    return { ...about, action: 'apply', rootName, deploymentId, ...approval, sentence: describeJob(event) };
  }
  const { action, rootName } = event;
  const place = { ...about, action, ...(rootName !== undefined && { rootName }) };
  if ('deploymentId' in event || 'pressedAt' in event) {
    const { deploymentId } = event;
    return { ...place, ...(deploymentId !== undefined && { deploymentId }), sentence: describeAction(event) };
  }
  return { ...place, sentence: event.sentence ?? FORCE_UNLOCK[event.state] };
}

const FORCE_UNLOCK = {
  SUCCESS: 'The lock of the state was freed',
  FAILURE: 'The lock of the state was not freed',
  UNKNOWN: 'Nobody can tell whether the lock of the state was freed',
} as const;

const JOB: Readonly<Record<JobAuditEvent['state'], string>> = {
  RUNNING: 'Began to apply',
  SUCCESS: 'Applied',
  FAILURE: 'Failed to apply',
  UNKNOWN: 'Lost sight of the apply of',
};

function describeJob({ state, revision, rootName, approvedBy, approvedBeforeMerge }: JobAuditEvent): string {
  const when = approvedBeforeMerge ? ' before the merge' : '';
  const approval = approvedBy === undefined ? '' : `, confirmed by @${approvedBy}${when}`;
  return `${JOB[state]} ${shortSha(revision)} to ${rootName}${approval}`;
}

const ASKED: Readonly<Record<UserActionAuditEvent['action'], string>> = {
  confirm: 'confirmed the plan',
  reject: 'rejected the plan',
  override: 'overrode the policies',
  unlock: 'unlocked the lane',
  rerun: 'asked for a deployment',
  cancel: 'cancelled the deployment',
  plan: 'asked for a plan',
  apply: 'asked for an apply',
  apply_force: 'asked for an apply without its requirements',
  force_unlock: 'asked to free the lock of the state',
};

/** What the list can be filtered by. */
export const ACTIONS: readonly string[] = [
  'apply',
  ...Object.keys(ASKED).filter((action) => action !== 'apply'),
  ...(['drain', 'resume'] satisfies HostActionAuditEvent['action'][]),
];

/** What the same people wanted, and were refused. */
const WANTED: Readonly<Record<UserActionAuditEvent['action'], string>> = {
  confirm: 'confirm the plan',
  reject: 'reject the plan',
  override: 'override the policies',
  unlock: 'unlock the lane',
  rerun: 'have a deployment',
  cancel: 'cancel the deployment',
  plan: 'have a plan',
  apply: 'apply',
  apply_force: 'apply without the requirements',
  force_unlock: 'free the lock of the state',
};

function describeAction(event: UserActionAuditEvent): string {
  const { rootName, initiatingUser, pullRequest } = event;
  // A deployment that is asked for is of no pull request: its plans are.
  const action = event.action === 'rerun' && pullRequest !== undefined ? 'plan' : event.action;
  const place = rootName === undefined ? '' : ` of ${rootName}`;
  const pull = action === 'plan' && pullRequest !== undefined ? ` for #${pullRequest}` : '';
  if (event.state === 'REVIEWED') return `@${initiatingUser} ${ASKED[action]}${place}${pull}`;
  return `@${initiatingUser} wanted to ${WANTED[action]}${place}${pull}, and was refused: ${reasonIn(event.sentence, initiatingUser)}`;
}

/** On a check run, the sentence begins with who pressed what. */
function reasonIn(sentence: string, person: string): string {
  return sentence.startsWith(`@${person} pressed `) ? sentence.slice(sentence.indexOf(': ') + 2) : sentence;
}

function describeHostAction(event: HostActionAuditEvent): string {
  const { action, hostId, initiatingUser } = event;
  if (event.state === 'REVIEWED')
    return `@${initiatingUser} ${action === 'drain' ? 'drained' : 'resumed'} the host ${hostId}`;
  return `@${initiatingUser} wanted to ${action} the host ${hostId}, and was refused: ${event.sentence}`;
}
