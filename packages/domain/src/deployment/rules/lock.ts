import type { Lock } from '../lock.ts';
import type { Deployment } from '../model.ts';
import { shortSha } from '../revision.ts';

/** Whether a waiting deployment may go despite this lock. */
export function passes(
  deployment: Pick<Deployment, 'trigger' | 'rerun' | 'revision'>,
  lock: Lock | undefined,
): boolean {
  if (lock === undefined) return true;
  if (deployment.rerun && deployment.revision.sha === lock.revision) return true;
  return deployment.trigger === 'manual' && lock.kind !== 'outcome-unknown';
}

/** The deployment that set the lock; completes "locked by". */
export function describeLock(lock: Lock): string {
  const revision = shortSha(lock.revision);
  switch (lock.kind) {
    case 'manual':
      return `a manual deployment of ${revision} by @${lock.by}`;
    case 'failed':
      return `a failed apply of ${revision}`;
    case 'outcome-unknown':
      return `an apply of ${revision}, whose outcome is unknown`;
  }
}
