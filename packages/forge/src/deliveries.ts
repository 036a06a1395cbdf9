/** A webhook that has not reached us in any attempt. */
export interface FailedDelivery {
  /** The id of the last attempt. */
  readonly id: number;
  readonly guid: string;
  readonly event: string;
  /** ISO 8601, like `lastAt`. */
  readonly firstAt: string;
  readonly lastAt: string;
}

export interface Deliveries {
  /** Webhooks that were first sent since then and whose last attempt failed. Looks at no more than 1,000 attempts. */
  failedSince(at: string): Promise<readonly FailedDelivery[]>;
  /** Makes the forge send the webhook again. Returns false when it has forgotten it. */
  redeliver(id: number): Promise<boolean>;
}
