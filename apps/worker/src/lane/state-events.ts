/**
 * How deployments stand, as events. A lane shows only differences, and only states that last; positions in the queue are none.
 * Previews are left out: nothing waits for them.
 */
import { hasEnded, type DeploymentRecord, type DeploymentStatus, type Presentation } from '@nereid/domain/deployment';
import { waitReasonOf, type DeploymentEnded, type DeploymentGoesOn, type StateEvent } from '@nereid/domain/events';
import type { Repository } from '@nereid/domain/root';
import { checkRunTitle, titleWithReviewers } from '@nereid/texts';

/** `presentations` is what is about to be shown. An end is an event of its own, once it is stored. */
export function stateEvents(
  repository: Pick<Repository, 'owner' | 'name'>,
  presentations: readonly Presentation[],
): readonly StateEvent[] {
  return presentations.flatMap((presentation) => {
    const { trigger, progress } = presentation.deployment;
    if (trigger === 'preview' || hasEnded(progress.status)) return [];
    const about = aboutOf(repository, presentation);
    const reason = waitReasonOf(presentation, Date.now());
    return [reason ? { kind: 'waits', reason, ...about } : { kind: kindOf(progress.status), ...about }];
  });
}

export function endedEvents({ repository, deployment }: DeploymentRecord): readonly DeploymentEnded[] {
  const { status } = deployment.progress;
  return hasEnded(status) ? [{ kind: 'ended', status, ...aboutOf(repository, { deployment }) }] : [];
}

function aboutOf(repository: Pick<Repository, 'owner' | 'name'>, presentation: Presentation) {
  const { ahead: _place, ...placeless } = presentation;
  const { deployment, lock } = presentation;
  const { status, times } = deployment.progress;
  const entered = times[status] ?? deployment.receivedAt;
  const since = lock !== undefined && lock.at > entered ? lock.at : entered;
  const id = [deployment.id, status, since, checkRunTitle(placeless)].join(':');
  return { id, repository, deployment, since, sentence: titleWithReviewers(presentation, Date.now()) };
}

function kindOf(status: DeploymentStatus): DeploymentGoesOn['kind'] {
  // With an answer to its plan, it goes on to its apply.
  if (status === 'awaiting-review') return 'applying';
  return status === 'queued' || status === 'applying' ? status : 'planning';
}
