import { defined } from '../defined.ts';
import type { Deployment } from '../deployment/model.ts';
import type { EndedStatus } from '../deployment/status.ts';
import type {
  DeploymentEnded,
  DeploymentGoesOn,
  DeploymentWaits,
  DomainEvent,
  ReviewReminder,
  RolloutHalted,
  RolloutResumed,
  WindowCloses,
  WorkflowGoesOn,
  WorkflowStuck,
} from '../events/domain-event.ts';
import type { Forged } from '../events/trail-fact.ts';
import { shortSha } from '../deployment/revision.ts';
import { fullName, type Repository } from '../root/repository.ts';
import { capitalised } from '../words.ts';
import type { Notification } from './record.ts';
import type { NotificationTopic } from './topics.ts';

type NamedRepository = Pick<Repository, 'owner' | 'name'>;

/** Pages for people. */
export interface NotificationLinks {
  toDeployment(repository: NamedRepository, deployment: Deployment): Notification['links'];
  /** `revision`: 40 hex digits. */
  toRollout(repository: NamedRepository, revision: string): Notification['links'];
}

/**
 * The notification of an event, whose sentence is read below its topic and its repository, so that it repeats neither. Undefined
 * if nobody is notified of it. The same event has the same id.
 */
export function notificationOf(event: DomainEvent, pages: NotificationLinks, now: Date): Notification | undefined {
  switch (event.kind) {
    case 'waits':
      return ofWait(event, pages);
    case 'reminder':
      return { ...ofDeployment('reminder', event, pages), id: event.id };
    case 'applying':
      // With an answer to its plan, it may still be kept from its apply.
      return event.deployment.progress.status === 'applying' ? ofDeployment('applying', event, pages) : undefined;
    case 'ended': {
      const type = TOPIC_OF_END[event.status];
      return type && ofDeployment(type, event, pages);
    }
    case 'halted':
    case 'resumed':
      return ofRollout(event, pages);
    case 'stuck':
      return ofWorkflow('stuck', event, `: ${event.reason}. An operator has to look at it`, now);
    case 'goes-on':
      return ofWorkflow(
        'resumed',
        event,
        `, which was stuck${event.hasEnded ? ', has ended' : ''}: ${LEFT_ALONE}`,
        now,
      );
    case 'closing':
      return ofClosing(event, now);
    case 'forged':
      return ofForged(event);
    default:
      return undefined;
  }
}

const LEFT_ALONE = 'nobody has to look at it any more';

function ofWait(event: DeploymentWaits, pages: NotificationLinks): Notification | undefined {
  if (event.reason === 'review' || event.reason === 'policy') return ofDeployment('waits-for-person', event, pages);
  if (event.reason !== 'turn') return undefined;
  const { repository, deployment, since } = event;
  // One lock keeps many deployments waiting, and concerns people once.
  const id = `${fullName(repository)}/${deployment.root.name}:locked:${since}`;
  return { ...ofDeployment('locked', event, pages), id };
}

/** A manual plan ends as it should, and the person who asked for it looks at it. */
const TOPIC_OF_END: Readonly<Record<EndedStatus, NotificationTopic | undefined>> = {
  succeeded: 'succeeded',
  'no-changes': 'succeeded',
  planned: undefined,
  'plan-failed': 'failed',
  'apply-failed': 'failed',
  'host-lost': 'failed',
  refused: 'failed',
  'apply-outcome-unknown': 'outcome-unknown',
  rejected: 'not-deployed',
  expired: 'not-deployed',
  cancelled: 'not-deployed',
  skipped: 'not-deployed',
};

function ofDeployment(
  type: NotificationTopic,
  { repository, deployment, since, sentence }: DeploymentWaits | DeploymentGoesOn | ReviewReminder | DeploymentEnded,
  pages: NotificationLinks,
): Notification {
  const { id, root, revision, trigger, pullRequest, progress } = deployment;
  return {
    version: 1,
    id: `${id}:${type}:${since}`,
    type,
    at: new Date(since).toISOString(),
    sentence,
    repository: fullName(repository),
    root: { name: root.name, directory: root.dir, ...defined({ realDirectory: root.realDir }) },
    deployment: {
      id,
      status: progress.status,
      // Nobody is notified of previews.
      trigger: trigger === 'manual' ? 'manual' : 'merge',
      revision: revision.sha,
      ...defined({ pullRequest }),
    },
    links: pages.toDeployment(repository, deployment),
  };
}

/** It is about a whole merge: no root of it has failed. */
function ofRollout(
  { kind: type, id, repository, rollout, revision, at, sentence: what }: RolloutHalted | RolloutResumed,
  pages: NotificationLinks,
): Notification {
  const sentence = `Commit ${shortSha(revision)}, ${what}`;
  const about = `${fullName(repository)}/${rollout}`;
  const links = pages.toRollout(repository, revision);
  return { version: 1, id, type, at, sentence, repository: fullName(repository), about, links };
}

/** Found anew by a watch that knows of none before, such as after a loss of Temporal's data, it has the same id. */
function ofWorkflow(
  topic: 'stuck' | 'resumed',
  { id, type, workflowId: about }: WorkflowStuck | WorkflowGoesOn,
  how: string,
  now: Date,
): Notification {
  const sentence = `${capitalised(type)} workflow ${about}${how}`;
  return { version: 1, id, type: topic, at: now.toISOString(), sentence, about, links: {} };
}

/** Another worker that looks at the same time, or a look after a restart, says the same. */
function ofClosing(event: WindowCloses, now: Date): Notification {
  const { id, repository, waiting, closesAt, sentence: then } = event;
  const sentence = `${waiting === 1 ? 'One deployment waits' : `${waiting} deployments wait`}: ${then}`;
  return {
    version: 1,
    id,
    type: 'closing',
    at: now.toISOString(),
    until: closesAt,
    sentence,
    repository: fullName(repository),
    links: {},
  };
}

/** Whoever forges one message forges thousands: one notification for each kind in an hour. */
function ofForged({ fact }: Forged): Notification {
  const hour = new Date(fact.at);
  hour.setUTCMinutes(0, 0, 0);
  const at = hour.toISOString();
  const sentence = `A message of the kind ${fact.forged} has a wrong signature: somebody forged it, or a key is not known here. It was refused; see the audit trail`;
  const about = `forged:${fact.forged}`;
  return { version: 1, id: `${about}:${at}`, type: 'forged', at, sentence, about, links: {} };
}
