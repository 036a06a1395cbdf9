/**
 * Says in the log what happened. How a deployment stands is one line each, in the words that people read on the forge: so a line
 * answers why a root waits.
 */
import type { DeploymentEnded, EventReceived, LaneUnlocked, ReviewReminder, StateEvent } from '@nereid/domain/events';
import { operatorSubject, type IntakeEvent } from '@nereid/domain/intake';
import { fullName } from '@nereid/domain/root';
import type { Logger } from 'pino';
import type { Subscriber } from './publish.ts';

export function createLogSubscriber(logger: Pick<Logger, 'info' | 'warn' | 'error'>): Subscriber {
  return (event) => {
    switch (event.kind) {
      case 'queued':
      case 'waits':
      case 'planning':
      case 'applying':
        logger.info(stateFields(event), 'deployment state');
        return;
      case 'reminder':
        logger.info({ ...stateFields(event), team: event.team }, 'people are reminded of a review');
        return;
      case 'ended':
        if (!event.isRepeated) logger.info(stateFields(event), 'deployment state');
        return;
      case 'unlocked':
        logger.info(unlockedFields(event), 'the merge of a manual deployment unlocked its lane');
        return;
      case 'halted': {
        const { repository, revision, sentence } = event;
        logger.warn({ repository: fullName(repository), revision, sentence }, 'a check of a wave halts a rollout');
        return;
      }
      case 'resumed': {
        const { repository, revision, sentence } = event;
        logger.info({ repository: fullName(repository), revision, sentence }, 'a rollout that a check halted goes on');
        return;
      }
      case 'received':
        // The SDK logs an attempt that failed.
        if (event.result.kind !== 'failed') logger.info(receivedFields(event), 'event handled');
        return;
      case 'forged': {
        const { forged: kind, about } = event.fact;
        const message = 'somebody who reaches Temporal poses as somebody else, or a key is not known here';
        logger.error({ err: event.error, kind, about }, message);
        return;
      }
      case 'stuck': {
        const { workflowId, runId, type, reason, failure } = event;
        logger.error(
          { workflowId, runId, type, reason, failure },
          'a workflow is stuck: an operator has to look at it',
        );
        return;
      }
      case 'closing': {
        const { repository, window, closesAt, waiting } = event;
        logger.info({ repository: fullName(repository), window, closesAt, waiting }, 'a window closes soon');
        return;
      }
      case 'goes-on': {
        const { workflowId, type, hasEnded = false } = event;
        logger.info({ workflowId, type, hasEnded }, 'a workflow is stuck no more');
        return;
      }
      default:
    }
  };
}

function stateFields({ repository, deployment, since, sentence }: StateEvent | ReviewReminder | DeploymentEnded) {
  const { id, root, revision, progress } = deployment;
  return {
    deployment: id,
    repository: fullName(repository),
    root: root.name,
    revision: revision.sha,
    status: progress.status,
    since,
    sentence,
  };
}

function unlockedFields({ repository, deployment, merge }: LaneUnlocked) {
  const { id, root, revision } = deployment;
  return { repository: fullName(repository), root: root.name, deployment: id, revision: revision.sha, merge };
}

function receivedFields({ delivery, event, result }: EventReceived) {
  const { kind: outcome, ...said } = result;
  return { delivery, event: event.kind, ...placeOf(event), outcome, ...said };
}

function placeOf(event: IntakeEvent): object {
  if (event.kind !== 'operator-request') return { repository: fullName(event.repository) };
  const { kind, name } = operatorSubject(event.request);
  return { [kind]: name };
}
