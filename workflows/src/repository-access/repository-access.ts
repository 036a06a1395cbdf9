/** The repository-access workflow: tells the console which repositories a person may read, as GitHub says it. */
import { ApplicationFailure, proxyActivities } from '@temporalio/workflow';
import type { AccessActivities, AccessAnswer, AccessRequest } from '@nereid/contracts';

/** A page waits for it. The console asks again when it got nothing, so nothing is tried for long. */
const { askAccess } = proxyActivities<AccessActivities>({
  startToCloseTimeout: '10s',
  scheduleToCloseTimeout: '15s',
  retry: { initialInterval: '500ms', maximumInterval: '5s' },
});

export async function repositoryAccess(request: AccessRequest): Promise<AccessAnswer> {
  const { version }: { readonly version: number } = request; // A newer console may already be running.
  if (version !== 1) {
    const message = `expected a version that this worker knows, found ${version}; upgrade the control workers`;
    throw ApplicationFailure.nonRetryable(message, 'UNKNOWN_ACCESS');
  }
  return askAccess(request);
}
