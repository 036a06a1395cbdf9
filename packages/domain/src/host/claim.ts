/** A claim that a host declined comes again after this. */
export const DECLINED_CLAIM_MS = 200;

/** The answer of a host to a claim. */
export interface Claim {
  readonly hostId: string;
  /** The host's, over `claimFacts`. */
  readonly signature?: string;
}

/** What a host signs: that it is the one that answered a claim of this deployment. */
export function claimFacts(deploymentId: string, hostId: string): object {
  return { deploymentId, hostId };
}
