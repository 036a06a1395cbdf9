/** The read-token workflow: gets a host that has no key of the App a token, sealed, with which it can read one repository. */
import { ApplicationFailure, proxyActivities } from '@temporalio/workflow';
import type { ReadTokenActivities, ReadTokenRequest, SealedReadToken } from '@nereid/contracts';

/** GitHub answers within a second or two. The host asks again when it got nothing, so nothing is tried for long. */
const { sealReadToken } = proxyActivities<ReadTokenActivities>({
  startToCloseTimeout: '20s',
  scheduleToCloseTimeout: '45s',
  retry: { initialInterval: '1s', maximumInterval: '10s' },
});

/** Returns a token that only the pool can open. */
export async function readToken(request: ReadTokenRequest): Promise<SealedReadToken> {
  const { version }: { readonly version: number } = request; // A newer host may already be running.
  if (version !== 1) {
    const message = `expected a version that this worker knows, found ${version}; upgrade the control workers`;
    throw ApplicationFailure.nonRetryable(message, 'UNKNOWN_READ_TOKEN');
  }
  return sealReadToken(request);
}
