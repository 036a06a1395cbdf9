/** The identity-token workflow: gets a host without the key of identities a token, sealed, by which clouds know one job. */
import { ApplicationFailure, proxyActivities } from '@temporalio/workflow';
import type { IdentityTokenActivities, IdentityTokenRequest, SealedIdentityToken } from '@nereid/contracts';

/** Control signs within milliseconds, and looks something up in storage. The host asks again when it got nothing. */
const { sealIdentityToken } = proxyActivities<IdentityTokenActivities>({
  startToCloseTimeout: '20s',
  scheduleToCloseTimeout: '45s',
  retry: { initialInterval: '1s', maximumInterval: '10s' },
});

/** Returns a token that only the pool can open. */
export async function identityToken(request: IdentityTokenRequest): Promise<SealedIdentityToken> {
  const { version }: { readonly version: number } = request; // A newer host may already be running.
  if (version !== 1) {
    const message = `expected a version that this worker knows, found ${version}; upgrade the control workers`;
    throw ApplicationFailure.nonRetryable(message, 'UNKNOWN_IDENTITY_TOKEN');
  }
  return sealIdentityToken(request);
}
