/** An event of the audit trail, as people read it. Pure. */
import type { ActivityEntry } from '@nereid/api';
import { OPERATOR_SUBJECTS, rowOfRule } from '@nereid/domain/actions';
import { defined } from '@nereid/domain/defined';
import { shortSha } from '@nereid/domain/deployment';
import { describePool } from '@nereid/domain/gates';
import { operatorSubject } from '@nereid/domain/intake';
import type { OperatorActionAuditEvent, JobAuditEvent, TrailEvent, UserActionAuditEvent } from '@nereid/domain/trail';

/** `at` is the time under which the trail keeps the event. */
export function activityEntryOf(event: TrailEvent, at: string): ActivityEntry {
  const { id, state } = event;
  if (state === 'FORGED')
    return { id, at, state, action: 'forged', deploymentId: event.about, sentence: event.sentence };
  if (state === 'ERASED') {
    const { initiatingUser: person, pseudonym } = event;
    const sentence = `@${person} had a person forgotten: ${pseudonym}`;
    return { id, at, state, action: 'forget_person', person, sentence };
  }
  if (!('repository' in event)) {
    const { action, initiatingUser: person } = event;
    const { kind, name } = operatorSubject(event);
    const words = kind === 'pool' ? describePool(name) : name;
    const sentence = describeAnswer(event, ` ${words}`);
    return { id, at, state, action, person, [OPERATOR_SUBJECTS[kind]]: name, sentence };
  }
  const { repository, initiatingUser: person, revision, pullRequest } = event;
  const common = { id, at, state, repository, person, ...defined({ pullRequest }) };
  const about = { ...common, ...defined({ revision }) };
  if ('jobId' in event) {
    const { rootName, deploymentId, approvedBy } = event;
    const approval = approvedBy !== undefined && { approvedBy };
    return { ...about, action: 'apply', rootName, deploymentId, ...approval, sentence: describeJob(event) };
  }
  const { action, rootName } = event;
  const place = { ...about, action, ...defined({ rootName }) };
  if ('deploymentId' in event || 'pressedAt' in event) {
    const { deploymentId } = event;
    return { ...place, ...defined({ deploymentId }), sentence: describeAction(event) };
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

function describeAction(event: UserActionAuditEvent): string {
  const { rootName, pullRequest } = event;
  const place = rootName === undefined ? '' : ` of ${rootName}`;
  const pull = event.action === 'plan' && pullRequest !== undefined ? ` for #${pullRequest}` : '';
  return describeAnswer(event, place + pull);
}

function describeAnswer(event: UserActionAuditEvent | OperatorActionAuditEvent, about: string): string {
  const { done, wanted } = rowOfRule(event.action);
  const { initiatingUser } = event;
  if (event.state === 'REVIEWED') return `@${initiatingUser} ${done}${about}`;
  return `@${initiatingUser} wanted to ${wanted}${about}, and was refused: ${reasonIn(event.sentence, initiatingUser)}`;
}

/** On a check run, the sentence begins with who pressed what. */
function reasonIn(sentence: string, person: string): string {
  return sentence.startsWith(`@${person} pressed `) ? sentence.slice(sentence.indexOf(': ') + 2) : sentence;
}
