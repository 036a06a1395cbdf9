/** What people read of a deployment that waits for others. */
import { hasEnded, type Deployment, type EndedStatus, type Lock } from '@nereid/domain/deployment';
import { passes } from '@nereid/domain/lane';

/** `lock` is the id of the deployment's lane. */
export function awaitedClause(deployment: Deployment, lock: Lock | undefined): string {
  const { status, waitsFor, reason } = deployment.progress;
  if (hasEnded(status)) return 'which has just ended';
  if (waitsFor === 'host') return 'which waits for a host';
  switch (status) {
    case 'queued':
      if (!passes(deployment, lock)) return 'whose lane is locked';
      return reason === undefined ? 'which waits in its queue' : 'which itself waits for other roots';
    case 'blocked':
      return 'which is blocked';
    case 'preparing':
    case 'planning':
      return 'which is being planned';
    case 'awaiting-review':
      return 'which awaits its review';
    case 'applying':
      return 'which is being applied';
  }
}

/** `cause` is the root that failed first. */
export function failedSentence(cause: string, status: EndedStatus | 'lost'): string {
  const why = `${cause} ${HOW[status]}, so this was not started.`;
  if (status === 'lost') return `${why} Re-run all checks of this commit.`;
  return `${why} Press Re-run on ${cause}: this is deployed again after it.`;
}

/** "failed to apply", after the name of a root. */
export function describeEnd(status: EndedStatus): string {
  return HOW[status];
}

const HOW: Readonly<Record<EndedStatus | 'lost', string>> = {
  succeeded: 'was applied',
  'no-changes': 'has no changes',
  planned: 'was only planned',
  skipped: 'was skipped',
  'plan-failed': 'failed to plan',
  rejected: 'was rejected',
  expired: 'got no review in time',
  'apply-failed': 'failed to apply',
  'apply-outcome-unknown': 'was applied with an unknown outcome',
  cancelled: 'was cancelled',
  refused: 'was refused',
  'host-lost': 'lost its host',
  lost: 'never reached its queue',
};
