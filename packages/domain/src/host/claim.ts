/** A claim that a host declined comes again after this. */
export const DECLINED_CLAIM_MS = 200;

/** The answer of a host to a claim: it is the one that took this deployment. */
export interface Claim {
  readonly version: 1;
  readonly deploymentId: string;
  readonly hostId: string;
}
