/** A claim that a host declined comes again after this. */
export const DECLINED_CLAIM_MS = 200;

/** The answer of a host to a claim: it is the one that took this deployment. */
export interface Claim {
  readonly version: 1;
  readonly deploymentId: string;
  readonly hostId: string;
}

/** The host at work on a job, and since when. Proves nothing: anybody who reaches Temporal can say it. */
export interface AtWork {
  readonly hostId: string;
  /** In ISO 8601, by the clock of that host. */
  readonly since: string;
}

/** The facts about a job that no host has answered yet. */
export type WaitExplained =
  /** `why` says why no host takes it. */
  { readonly kind: 'waits'; readonly why: string } | ({ readonly kind: 'at work' } & AtWork);
